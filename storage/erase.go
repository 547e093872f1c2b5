package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"loci/engine/memory"
)

// Erase removes every key of one tenant and nothing else, for good. When it
// returns nil the keys are gone from the log, the tables and all snapshots,
// and stay gone after a crash. If it fails or is cut off, call it again.
//
// Nobody may write to the tenant at the same time: what is written after the
// range delete may survive.
//
// Three steps: a range delete in the log, which alone makes the data gone
// after a crash; a flush, so that no memtable holds the range; an excise,
// which cuts the range out of the tables without reading or rewriting them.
// The tables' own files go when their last part is compacted away.
func (s *Store) Erase(ctx context.Context, t memory.TenantID) error {
	start := time.Now()
	if err := s.erase(ctx, t); err != nil {
		return fmt.Errorf("erase tenant %s: %w", t, err)
	}
	if s.options.Events.Erased != nil {
		s.options.Events.Erased(t, time.Since(start))
	}
	return nil
}

func (s *Store) erase(ctx context.Context, t memory.TenantID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !s.gate.enter() {
		return ErrClosed
	}
	defer s.gate.leave()
	prefix := prefixOf(t)
	span := pebble.KeyRange{Start: prefix[:], End: prefixEnd(prefix[:])}
	err := s.write("range delete", func(b *pebble.Batch) error { return b.DeleteRange(span.Start, span.End, nil) })
	if err != nil {
		return err
	}
	return s.excise(ctx, span)
}

// excise may be cut short by the context between its steps only: the range
// delete is durable already, so what is left is space, not data.
func (s *Store) excise(ctx context.Context, span pebble.KeyRange) error {
	if err := s.carefully("flush", s.flush); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.carefully("excise", func() error { return s.db.Excise(context.WithoutCancel(ctx), span) })
}

// carefully runs work in Pebble whose errors are not fatal by themselves; a
// panic and a failed log or manifest write are.
func (s *Store) carefully(what string, work func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			s.health.poisonFor(r)
			err = s.health.broken()
		}
	}()
	if err := s.health.broken(); err != nil {
		return err
	}
	err = work()
	if broken := s.health.broken(); broken != nil {
		return broken
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
