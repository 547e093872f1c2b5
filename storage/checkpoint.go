package storage

import (
	"errors"
	"fmt"
	"os"

	"github.com/cockroachdb/pebble/v2"
)

// Checkpoint writes a consistent copy of the store, control partition and
// all, into dir, which must not exist. Tables are hard links where the file
// system can, so it is quick and writers go on. The copy holds every batch
// whose Commit returned before, and opens with [Open]. A checkpoint that
// failed is removed again.
func (s *Store) Checkpoint(dir string) error {
	if !s.gate.enter() {
		return fmt.Errorf("checkpoint to %s: %w", dir, ErrClosed)
	}
	defer s.gate.leave()
	if _, err := s.options.FS.Stat(dir); err == nil {
		return fmt.Errorf("checkpoint to %s: %w", dir, os.ErrExist)
	}
	err := s.carefully("copy", func() error { return s.copyTo(dir) })
	if err != nil {
		// A folder half filled would look like a backup.
		return fmt.Errorf("checkpoint to %s: %w", dir, errors.Join(err, s.options.FS.RemoveAll(dir)))
	}
	return nil
}

// copyTo makes one checkpoint at a time, so that an error of a folder is that
// of this copy.
func (s *Store) copyTo(dir string) error {
	s.copying.Lock()
	defer s.copying.Unlock()
	s.guard.copy.begin()
	err := s.db.Checkpoint(dir, pebble.WithFlushedWAL())
	return errors.Join(err, s.guard.copy.end())
}
