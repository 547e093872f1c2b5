package desk

import (
	"context"

	"loci/engine"
	"loci/engine/memory"
	"loci/storage"
)

// Actors is the part of a running server that a desk needs: to stop a tenant
// before it is erased, and to check one while it is being written to.
type Actors interface {
	Drop(ctx context.Context, t memory.TenantID) error
	CheckTenant(ctx context.Context, t memory.TenantID) (*engine.Report, error)
}

// Desk carries out operations on an open store.
type Desk struct {
	store  *storage.Store
	kit    engine.Kit
	actors Actors // nil when no server runs
	owned  bool   // Close closes the store
}

var _ Office = (*Desk)(nil)

// New makes the desk of a running server. The store stays the server's.
func New(store *storage.Store, kit engine.Kit, actors Actors) *Desk {
	return &Desk{store: store, kit: kit, actors: actors}
}

// Close lets the store go if the desk opened it.
func (d *Desk) Close() error {
	if !d.owned {
		return nil
	}
	return d.store.Close()
}
