// Package engine is one tenant: a storage partition with the indexes that
// find things in it again, kept in step.
//
// A [Partition] has one writer, the tenant's actor, and any number of readers.
// The writer turns waiting writes into one storage batch ([Partition.Stage]),
// has it committed, and then publishes a new [View] ([Partition.Publish]). A
// reader pins the current view with one atomic load and never waits.
//
// Every version of every record is a row with a number of its own, its doc.
// Rows, postings, vectors and edges are append-only; a row says from which
// commit time on it counts, and until when. A view is a commit time and a row
// count, so it stays what it was while the writer goes on, and the same rule
// answers knownAt: it is a view of an earlier time.
//
// Invariants:
//
//	I1  A row is visible in a view at time t iff from ≤ t < until and it has not
//	    been erased. Commit times of one tenant rise strictly.
//	I2  What is staged has a commit time later than every published view:
//	    readers cannot see it before Publish, and Publish comes after the fsync.
//	I3  A write is refused before it stages anything, or staged whole.
//	I4  Indexes hold nothing that storage does not: [Open] rebuilds them, and
//	    [Partition.Check] proves that both agree.
//	I5  After a failed commit or a panic while staging the partition is thrown
//	    away and opened again.
//	I6  With equal state and equal request an answer is equal, bit for bit,
//	    tookMs apart: ties are broken by id, sums run in a fixed order, and age
//	    is measured from the newest memory, not from the clock.
//	I7  Vectors of two embedders never meet: each is stored under its
//	    generation, and a view searches one.
package engine
