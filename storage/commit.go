package storage

import (
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// Commit makes the batch durable (I2). Commits of many tenants at once share
// an fsync: Pebble's pipeline groups those that wait. A batch can be committed
// once; it must still be closed.
func (s *Store) Commit(b *Batch) error {
	switch {
	case b.writes == nil:
		return errors.New("commit batch: it is closed")
	case b.done:
		return errors.New("commit batch: it was committed before")
	case b.part.store != s:
		return errors.New("commit batch: it belongs to another store")
	case b.bad != nil:
		return fmt.Errorf("commit batch: %w", b.bad)
	}
	b.done = true
	if err := s.apply(b.writes); err != nil {
		return fmt.Errorf("commit batch of tenant %s: %w", b.part.tenant, err)
	}
	return nil
}

// write commits a few keys that belong to no tenant.
func (s *Store) write(what string, fill func(*pebble.Batch) error) error {
	b := s.db.NewBatch()
	defer b.Close()
	err := fill(b)
	if err == nil {
		err = s.apply(b)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", what, err)
	}
	return nil
}

// apply is the one way into the log. The second look at the health is what
// makes a failed log write an error: the guard notes it before Pebble wakes
// us, and keeps it from Pebble (guard.go).
func (s *Store) apply(b *pebble.Batch) error {
	if !s.gate.enter() {
		return ErrClosed
	}
	defer s.gate.leave()
	if err := s.makeWay(); err != nil {
		return err
	}
	s.protect(func() error { return s.db.Apply(b, pebble.Sync) })
	return s.health.broken()
}

// protect runs work inside Pebble. Anything that goes wrong there breaks the
// store: what Pebble returns here it calls fatal itself.
func (s *Store) protect(work func() error) {
	defer func() {
		if r := recover(); r != nil {
			s.health.poisonFor(r)
		}
	}()
	if err := work(); err != nil {
		s.health.breakFor(fmt.Errorf("pebble: %w", err))
	}
}
