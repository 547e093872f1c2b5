package actors

import (
	"context"
	"errors"
	"runtime/debug"

	"loci/engine"
	"loci/engine/memory"
)

// carryTries is how often a write is prepared: its view grows stale only by
// another change of the same memory, or by a switch of embedders.
const carryTries = 5

// carry brings one write through, and prepares it again if what it was
// prepared on has changed. The write that comes back without error is durable
// and visible.
func carry[W write](ctx context.Context, s *System, who memory.Caller, places int64, prepare func(*engine.View) (W, error)) (what W, err error) {
	for range carryTries {
		if what, err = carryOnce(ctx, s, who, places, prepare); !errors.Is(err, engine.ErrStale) {
			return what, err
		}
	}
	return what, memory.Refuse(memory.Conflict, "this is being changed by others: read it and try again")
}

// carryOnce takes a place first, so that a full queue refuses before anything
// is embedded; then the write is prepared, here, on the caller's goroutine;
// then the tenant's actor has it.
func carryOnce[W write](ctx context.Context, s *System, who memory.Caller, places int64, prepare func(*engine.View) (W, error)) (what W, err error) {
	t, places, err := s.admitAwake(ctx, who.Tenant, places)
	if err != nil {
		return what, err
	}
	if what, err = prepared(ctx, s, t, prepare); err != nil {
		s.release(t, places)
		return what, err
	}
	m := &storing{letter: s.stores.write(ctx, places), what: what}
	t.box.send(m) // the places are the actor's from here on (I2)
	_, err = s.stores.await(&m.letter, s.life.Done())
	return what, err
}

// admitAwake is admit to a tenant that has a view. One that sleeps is woken
// first, without a place in hand: who waits for it takes one place, not two.
// Who has woken it is admitted as from inside: the place it waited in is given
// back only a moment after the answer.
func (s *System) admitAwake(ctx context.Context, id memory.TenantID, places int64) (*tenant, int64, error) {
	for width := int64(1); ; width = inside {
		t, taken, err := s.admit(id, places, width)
		if err != nil || t.view.Load() != nil {
			return t, taken, err
		}
		s.release(t, taken)
		if err := s.wake(ctx, id); err != nil {
			return nil, 0, err
		}
	}
}

func (s *System) wake(ctx context.Context, id memory.TenantID) error {
	t, err := s.enterRead(id)
	if err != nil {
		return err
	}
	defer t.gate.leave(oneRead)
	_, err = s.view(ctx, t)
	return err
}

// admit takes places in the node's queue and in the tenant's. Both are wider
// for who is inside already: it would otherwise wait for a place that it holds
// itself.
func (s *System) admit(id memory.TenantID, places, width int64) (*tenant, int64, error) {
	room, roomAll := int64(s.options.Queue), int64(s.options.QueueAll)
	places = min(places, room, roomAll)
	if s.queued.Add(places) > roomAll*width {
		s.queued.Add(-places)
		s.count.refusedNode.Add(1)
		return nil, 0, errNodeFull()
	}
	t, err := s.enterMessage(id, places, room*width)
	if err == nil {
		if err = t.resting(nil); err == nil {
			return t, places, nil
		}
		t.gate.leave(places)
	}
	s.queued.Add(-places)
	return nil, 0, err
}

// inside is the width for who is inside a tenant already.
const inside = 2

func (s *System) release(t *tenant, places int64) {
	s.queued.Add(-places)
	t.gate.leave(places)
}

func prepared[W write](ctx context.Context, s *System, t *tenant, prepare func(*engine.View) (W, error)) (what W, err error) {
	defer s.caught(t.id, &err)
	what, err = prepare(t.view.Load())
	return what, readable(ctx, err)
}

// view gives the tenant's newest view, and wakes the tenant if it sleeps. The
// caller is inside the tenant's gate, so the tenant stays.
func (s *System) view(ctx context.Context, t *tenant) (*engine.View, error) {
	if v := t.view.Load(); v != nil {
		return v, nil
	}
	_, places, err := s.admit(t.id, onePlace, inside)
	if err != nil {
		return nil, err
	}
	m := &waking{s.wakes.write(ctx, places)}
	t.box.send(m)
	return s.wakes.await(&m.letter, s.life.Done())
}

// caught turns a panic on a caller's goroutine into an answer. It is deferred
// as it stands.
func (s *System) caught(id memory.TenantID, err *error) {
	value := recover()
	if value == nil {
		return
	}
	c := &crash{value, debug.Stack()}
	*err = errCrashed(c)
	s.count.panics.Add(1)
	s.options.Events.panicked(id, c)
}
