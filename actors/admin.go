package actors

import (
	"context"
	"fmt"

	"loci/engine"
	"loci/engine/memory"
)

// CheckTenant proves that a tenant's indexes and its storage agree. The
// tenant's writes wait meanwhile; its reads go on.
func (s *System) CheckTenant(ctx context.Context, id memory.TenantID) (*engine.Report, error) {
	t, places, err := s.admit(id, onePlace, 1)
	if err != nil {
		return nil, err
	}
	m := &checking{s.checks.write(ctx, places)}
	t.box.send(m)
	return s.checks.await(&m.letter, s.life.Done())
}

// Drop ends a tenant: from now on its requests are refused as not found, and
// when Drop returns nil none of them is running any more, so that its storage
// can be erased. If ctx ends before that, the tenant stays dropped and Drop
// may be called again to go on waiting.
func (s *System) Drop(ctx context.Context, id memory.TenantID) error {
	t := s.bury(id)
	if t == nil {
		return nil
	}
	t.dropped.Store(true)
	t.gate.shut()
	if !t.drained(ctx) {
		return fmt.Errorf("drop tenant %s: requests are still running: %w", id, context.Cause(ctx))
	}
	t.box.stop()
	return nil
}

// bury puts a tombstone in the tenant's place and gives who stood there.
func (s *System) bury(id memory.TenantID) *tenant {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.mu.tenants[id]
	if t != nil && t.gone {
		return t.of
	}
	s.mu.tenants[id] = tombstone(id, t)
	if t != nil {
		s.mu.live--
	}
	return t
}
