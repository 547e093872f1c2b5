package main

import (
	"fmt"
	"path/filepath"

	"loci/cmd/loci/desk"
)

type backupCmd struct {
	where
	Dir string `arg:"" help:"Folder for the copy; it must not exist or be empty."`
}

// Help is the long help text.
func (backupCmd) Help() string {
	return `
Makes a consistent copy of the whole store: every tenant, every key, everything acknowledged before the command. On the same file system most of it is hard links, so it is quick and takes little room; copy the folder elsewhere to keep it. To restore, start a server on it.

Examples:

	loci backup /backup/loci-2026-01-31
	loci serve --data /backup/loci-2026-01-31
`
}

// Run backs up.
func (b *backupCmd) Run(c *call) error {
	dir, err := filepath.Abs(b.Dir)
	if err != nil {
		return fmt.Errorf("back up to %s: %w", b.Dir, err)
	}
	var done desk.Backup
	if err := c.ask(b.where, desk.OpBackup, desk.Backup{Dir: dir}, &done); err != nil {
		return err
	}
	return c.printf("backed up to %s\n", done.Dir)
}
