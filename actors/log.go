package actors

import (
	"context"

	"loci/storage"
)

// Log makes a tenant's batch durable. Its local form is the store's commit with
// fsync; a replicated form brings the batch to a majority first. Append is
// called by the tenants' actors: one call at a time for a tenant, many tenants
// at once. The batch is the caller's again when Append returns. An error means
// that the batch may or may not be found stored later.
type Log interface {
	Append(ctx context.Context, b *storage.Batch) error
}

// localLog is the log of a single node: the fsync of its own store. Commits of
// many tenants share one fsync in Pebble's commit pipeline.
type localLog struct{ store *storage.Store }

// Append commits. An fsync cannot be called off, so the context is not looked at.
func (l localLog) Append(_ context.Context, b *storage.Batch) error { return l.store.Commit(b) }
