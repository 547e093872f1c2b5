package desk

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// StoreDir is the folder of the store inside a data folder. It has a name of
// its own so that the socket and other files never stand among Pebble's.
func StoreDir(data string) string { return filepath.Join(data, "store") }

// backup makes a data folder that a server can be started on.
func (d *Desk) backup(_ context.Context, in Backup) (Backup, error) {
	if !filepath.IsAbs(in.Dir) {
		return in, fmt.Errorf("back up to %s: the folder must be an absolute path", in.Dir)
	}
	if err := makeEmpty(in.Dir); err != nil {
		return in, fmt.Errorf("back up to %s: %w", in.Dir, err)
	}
	if err := d.store.Checkpoint(StoreDir(in.Dir)); err != nil {
		return in, fmt.Errorf("back up to %s: %w", in.Dir, err)
	}
	return in, nil
}

// makeEmpty makes the folder, or takes an empty one: a backup never mixes
// with what is there.
func makeEmpty(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("the folder is not empty")
	}
	return nil
}
