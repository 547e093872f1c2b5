package actors

import (
	"sync/atomic"
	"time"

	"loci/engine/memory"
)

// Events is what a system reports beside its answers. Any may be nil. They are
// called on actors' and callers' goroutines and must be quick.
type Events struct {
	// Activated is told of every tenant loaded, and how long it took.
	Activated func(t memory.TenantID, took time.Duration)
	// Passivated is told of every tenant that left memory.
	Passivated func(t memory.TenantID)
	// Failed is told when a tenant could not be opened or written. It rests
	// for the given time.
	Failed func(t memory.TenantID, err error, rests time.Duration)
	// Reembedded is told of every tenant that has been given vectors of another
	// embedder, how many records that were, and how long it took.
	Reembedded func(t memory.TenantID, records int, took time.Duration)
	// Panicked is told of every panic that was caught.
	Panicked func(t memory.TenantID, value any, stack []byte)
}

func (e *Events) activated(t memory.TenantID, took time.Duration) {
	if e.Activated != nil {
		e.Activated(t, took)
	}
}

func (e *Events) passivated(t memory.TenantID) {
	if e.Passivated != nil {
		e.Passivated(t)
	}
}

func (e *Events) failed(t memory.TenantID, err error, rests time.Duration) {
	if e.Failed != nil {
		e.Failed(t, err, rests)
	}
}

func (e *Events) reembedded(t memory.TenantID, records int, took time.Duration) {
	if e.Reembedded != nil {
		e.Reembedded(t, records, took)
	}
}

func (e *Events) panicked(t memory.TenantID, c *crash) {
	if e.Panicked != nil {
		e.Panicked(t, c.value, c.stack)
	}
}

// Stats are numbers for metrics. Those of the first group are of now, all
// others count from the start.
type Stats struct {
	Live         int   // tenants in memory
	Queued       int64 // places taken in all mailboxes
	LongestQueue int64 // places taken in the fullest mailbox
	ReadsRunning int64
	ReadsWaiting int64

	RefusedTenant  uint64 // a tenant's queue was full
	RefusedNode    uint64 // all queues together were full
	RefusedReads   uint64 // too many reads were waiting
	RefusedResting uint64 // the tenant was being recovered, or the store refuses writes
	RefusedClosing uint64 // the system was closing, or the tenant being dropped
	Dropped        uint64 // messages that nobody waited for any more

	Activations  uint64
	Passivations uint64
	Restarts     uint64 // activations after a failure, and of worn partitions
	OpenErrors   uint64
	Panics       uint64

	Reembedded   uint64 // records given a vector of another embedder
	Commits      uint64 // batches made durable
	CommitErrors uint64
	Writes       uint64 // writes in those batches
	Groups       uint64 // groups staged, also those with nothing to commit
}

// WritesPerCommit is the mean size of a group commit.
func (s Stats) WritesPerCommit() float64 {
	if s.Commits == 0 {
		return 0
	}
	return float64(s.Writes) / float64(s.Commits)
}

// counters are the counting half of Stats.
type counters struct {
	refusedTenant, refusedNode, refusedReads, refusedResting, refusedClosing, dropped atomic.Uint64
	activations, passivations, restarts, openErrors, panics                           atomic.Uint64
	reembedded, commits, commitErrors, writes, groups                                 atomic.Uint64
}

// Stats reads the numbers. They are read one by one, not at one instant.
func (s *System) Stats() Stats {
	c := &s.count
	stats := Stats{
		Queued: s.queued.Load(), ReadsRunning: s.slots.running(), ReadsWaiting: s.slots.waiting.Load(),
		RefusedTenant: c.refusedTenant.Load(), RefusedNode: c.refusedNode.Load(), RefusedReads: c.refusedReads.Load(),
		RefusedResting: c.refusedResting.Load(), RefusedClosing: c.refusedClosing.Load(), Dropped: c.dropped.Load(),
		Activations: c.activations.Load(), Passivations: c.passivations.Load(), Restarts: c.restarts.Load(),
		OpenErrors: c.openErrors.Load(), Panics: c.panics.Load(),
		Reembedded: c.reembedded.Load(),
		Commits:    c.commits.Load(), CommitErrors: c.commitErrors.Load(), Writes: c.writes.Load(), Groups: c.groups.Load(),
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, t := range s.mu.tenants {
		if !t.gone {
			stats.Live++
			stats.LongestQueue = max(stats.LongestQueue, t.gate.places())
		}
	}
	return stats
}

// Live is how many tenants are in memory.
func (s *System) Live() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.mu.live
}
