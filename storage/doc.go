// Package storage keeps the memories of many tenants durably in one Pebble
// store per node, and documents every key it writes (keys.go).
//
// A [Store] is the node. A [Partition] is one tenant's share of it: it reads
// through a [Snapshot] and writes through a [Batch], and has no means to name
// a key of another tenant. The [Control] partition holds what belongs to the
// node and to no tenant's memory: tenants and their API keys.
//
// Record bodies are opaque here: the engine encodes them, storage compresses
// them (pack.go) and gives them back.
//
// Invariants that the code cites:
//
//	I1  Every tenant key is built by Partition.key from the partition's own
//	    prefix and typed parts; every tenant iterator is bounded by it.
//	I2  [Store.Commit] returns nil only after the batch is on disk (fsync).
//	    An error means "unknown": after a restart the batch is there whole or
//	    not at all.
//	I3  A batch holds keys of exactly one tenant.
//	I4  After the first failed write to the log or the manifest nothing more
//	    reaches either: to the disk it looks like a power cut at that moment,
//	    from which Pebble recovers. The store refuses writes ([ErrBroken]) and
//	    goes on reading (guard.go, broken.go).
//	I5  Control state in memory changes only after the change is on disk.
//	I6  An answer and its sweep key are written and deleted together.
//
// Caveats:
//
//   - Pebble shows a batch to readers before its fsync is done, and goes on
//     showing it if the fsync fails. Who wants "visible means durable" must
//     publish only after Commit returned nil, as the engine does.
//   - Commits of one tenant are ordered by their caller; storage orders only
//     what is committed one after the other.
//   - [Store.Erase] also empties the snapshots that are open at that moment.
package storage
