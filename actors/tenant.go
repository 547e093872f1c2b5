package actors

import (
	"context"
	"sync/atomic"
	"time"

	"loci/engine"
	"loci/engine/memory"
)

// tenant is one tenant in memory, and its actor's behaviour. It is made when
// the tenant is first used and never used again after its gate was shut: a
// tenant that comes back gets a new one (I1).
type tenant struct {
	id   memory.TenantID
	sys  *System
	box  *mailbox
	gate gate

	view    atomic.Pointer[engine.View] // what readers see; nil until it was opened once
	used    atomic.Int64                // when it was last used, by the system's clock
	rests   atomic.Int64                // until when it takes no writes, after a failure
	dropped atomic.Bool                 // being deleted: refuse what is left

	gone bool    // a tombstone: the tenant was dropped
	of   *tenant // of a tombstone: who is, or was, still inside

	// Only the actor touches what follows.
	part     partition // nil before the first use and after a failure (I5)
	failures int       // in a row
	cause    error     // of the last failure
	renewed  time.Duration
	storings []*storing // scratch of a batch
	writes   []write    // scratch of a group
}

var _ behaviour = (*tenant)(nil)

func newTenant(s *System, id memory.TenantID) *tenant {
	t := &tenant{id: id, sys: s, gate: newGate()}
	t.box = s.host.mailbox(id, t)
	t.touch()
	return t
}

// tombstone stands in the map for a tenant that was dropped.
func tombstone(id memory.TenantID, of *tenant) *tenant {
	t := &tenant{id: id, gate: newGate(), gone: true, of: of}
	t.gate.shut()
	return t
}

// behind is whose requests may still be running.
func (t *tenant) behind() *tenant {
	if t.of != nil {
		return t.of
	}
	return t
}

func (t *tenant) touch()                { t.used.Store(int64(t.sys.clock())) }
func (t *tenant) usedAt() time.Duration { return time.Duration(t.used.Load()) }

// left reports whether the gate is shut and empty.
func (t *tenant) left() bool {
	select {
	case <-t.gate.empty:
		return true
	default:
		return false
	}
}

// drained waits for that.
func (t *tenant) drained(ctx context.Context) bool {
	select {
	case <-t.gate.empty:
		return true
	case <-ctx.Done():
		return t.left()
	}
}

// receive works on a batch: reads that wait for a view first, as they wait for
// no fsync; then all writes, in the order they came; then checks.
func (t *tenant) receive(batch []message) {
	if err := t.ended(); err != nil {
		t.sys.count.refusedClosing.Add(uint64(len(batch)))
		refuseAll(batch, err)
		return
	}
	for _, m := range batch {
		if w, ok := m.(*waking); ok && t.taken(w) {
			w.answer(t.awake())
		}
	}
	t.storeAll(batch)
	for _, m := range batch {
		if c, ok := m.(*checking); ok && t.taken(c) {
			c.answer(t.check(c.ctx))
		}
	}
	t.renew()
}

// ended says why nothing that is still in the mailbox will be begun.
func (t *tenant) ended() error {
	switch {
	case t.dropped.Load():
		return errDropped()
	case t.sys.life.Err() != nil:
		return errClosing()
	}
	return nil
}

func (t *tenant) taken(m message) bool {
	if m.take() {
		return true
	}
	t.sys.count.dropped.Add(1)
	return false
}

// awake gives a view to a read: that of the open partition, or the last good
// one, which is as good as any while nothing can be written.
func (t *tenant) awake() (*engine.View, error) {
	if v := t.view.Load(); v != nil {
		return v, nil
	}
	if err := t.ready(); err != nil {
		return nil, err
	}
	return t.view.Load(), nil
}

func (t *tenant) check(ctx context.Context) (*engine.Report, error) {
	if err := t.ready(); err != nil {
		return nil, err
	}
	return t.part.Check(ctx)
}

// crashed throws the partition away and answers whoever still waits. Events
// come last: it may have been one of them that panicked.
func (t *tenant) crashed(batch []message, c *crash) {
	t.sys.count.panics.Add(1)
	rest := t.throwAway(c)
	refuseAll(batch, errCrashed(c))
	t.sys.options.Events.panicked(t.id, c)
	t.sys.options.Events.failed(t.id, c, rest)
}

// finished lets the batch go. It is the last thing the actor does: afterwards
// the tenant may belong to another actor (I1).
func (t *tenant) finished(batch []message) {
	clear(t.storings)
	clear(t.writes)
	places := int64(0)
	for _, m := range batch {
		places += m.room()
	}
	t.touch()
	t.sys.queued.Add(-places)
	t.gate.leave(places)
}

func refuseAll(batch []message, err error) {
	for _, m := range batch {
		m.refuse(err)
	}
}
