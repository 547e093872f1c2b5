package actors

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"loci/engine"
	"loci/engine/memory"
)

// Trap: after MaxRestarts (3) hollywood calls a nil func, and the process dies.
// Here a tenant may panic as often as it likes, in every place it can, and
// comes back by itself; its neighbour notices nothing.
func TestPanicsHurtNobodyElse(t *testing.T) {
	places := map[string]func(w *world, boom func(memory.TenantID)){
		"open": func(w *world, boom func(memory.TenantID)) {
			w.onOpen = func(_ context.Context, t memory.TenantID) error { boom(t); return nil }
		},
		"stage": func(w *world, boom func(memory.TenantID)) {
			w.onStage = func(t memory.TenantID, _ []write) { boom(t) }
		},
		"append": func(w *world, boom func(memory.TenantID)) {
			w.onAppend = func(_ context.Context, t memory.TenantID) error { boom(t); return nil }
		},
		"publish": func(w *world, boom func(memory.TenantID)) {
			w.onPublish = func(t memory.TenantID) { boom(t) }
		},
	}
	for place, script := range places {
		t.Run(place, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { panicsIn(t, script) }) })
	}
}

const manyPanics = 40 // hollywood dies at the fourth

func panicsIn(t *testing.T, script func(w *world, boom func(memory.TenantID))) {
	w, ill, well := newWorld(), someone(), someone()
	var left atomic.Int64
	left.Store(manyPanics)
	script(w, func(id memory.TenantID) {
		if id == ill.Tenant && left.Add(-1) >= 0 {
			panic("tenant is ill")
		}
	})
	var told atomic.Int64
	s := w.system(t, Options{Events: Events{Panicked: func(id memory.TenantID, value any, stack []byte) {
		if id != ill.Tenant || value != "tenant is ill" || len(stack) == 0 {
			t.Errorf("event: panic %v of tenant %s", value, id)
		}
		told.Add(1)
	}}})
	defer closeSystem(t, s)

	for i := range manyPanics {
		_, err := say(t.Context(), s, ill, "lost")
		if memory.CodeOf(err) != memory.Internal {
			t.Fatalf("panic %d: got %v, want internal", i, err)
		}
		mustSay(t, s, well, "fine")
		time.Sleep(longestRest) // the longest it may rest
	}
	mustSay(t, s, ill, "back")
	if got := mustHear(t, s, w, ill); got[len(got)-1] != "back" {
		t.Errorf("after the panics the tenant shows %q", got)
	}
	if got := len(mustHear(t, s, w, well)); got != manyPanics {
		t.Errorf("the neighbour shows %d words, want %d", got, manyPanics)
	}
	if told.Load() != manyPanics || s.Stats().Panics != manyPanics {
		t.Errorf("told of %d panics, counted %d, want %d", told.Load(), s.Stats().Panics, manyPanics)
	}
}

// An event that panics is a bug of whoever listens: callers are still answered.
func TestPanicOfAnEvent(t *testing.T) {
	boom := Events{
		Activated: func(memory.TenantID, time.Duration) { panic("activated") },
		Failed:    func(memory.TenantID, error, time.Duration) { panic("failed") },
		Panicked:  func(memory.TenantID, any, []byte) { panic("panicked") },
	}
	bubble(t, Options{Events: boom}, func(t *testing.T, w *world, s *System) {
		for range 10 {
			for _, who := range []memory.Caller{someone(), someone()} {
				_, err := say(t.Context(), s, who, "x")
				mustRefuse(t, err, memory.Internal, 0)
			}
		}
	})
}

// A panic on the caller's own goroutine, while a write is prepared or a read
// runs, is an answer too, and leaves nothing held.
func TestPanicOfTheCallersOwnWork(t *testing.T) {
	w, who, other := newWorld(), someone(), someone()
	s := w.system(t, Options{Reads: 1})
	defer closeSystem(t, s)
	for range 100 {
		_, err := carry(t.Context(), s, who, onePlace, func(*engine.View) (*note, error) { panic("while preparing") })
		if memory.CodeOf(err) != memory.Internal {
			t.Fatalf("prepare: got %v, want internal", err)
		}
		_, err = read(t.Context(), s, who, func(*engine.View) (int, error) { panic("while reading") })
		if memory.CodeOf(err) != memory.Internal {
			t.Fatalf("read: got %v, want internal", err)
		}
	}
	mustSay(t, s, who, "a")
	mustSay(t, s, other, "b")
	closeSystem(t, s)
	if got := s.Stats(); got.Panics != 200 || got.Queued != 0 || got.ReadsRunning != 0 {
		t.Errorf("after 200 panics: %+v", got)
	}
}

// Trap: hollywood's inbox has no bound. A million writes to a stuck tenant are
// refused, not queued; its neighbour works on.
func TestMillionSendsToAStuckTenant(t *testing.T) { synctest.Test(t, millionSends) }

func millionSends(t *testing.T) {
	const room, sends = 256, 1_000_000
	w, stuck, well := newWorld(), someone(), someone()
	release := make(chan struct{})
	w.onAppend = func(_ context.Context, id memory.TenantID) error {
		if id == stuck.Tenant {
			<-release
		}
		return nil
	}
	s := w.system(t, Options{Queue: room})
	defer closeSystem(t, s)

	if _, err := hear(t.Context(), s, w, stuck); err != nil { // awake, so that each write takes one place
		t.Fatal(err)
	}
	synctest.Wait()
	var waiting sync.WaitGroup
	for i := range room {
		waiting.Go(func() {
			if _, err := say(t.Context(), s, stuck, fmt.Sprint(i)); err != nil {
				t.Errorf("an admitted write: %v", err)
			}
		})
	}
	synctest.Wait()
	for range sends {
		_, err := say(t.Context(), s, stuck, "too many")
		if e := memory.AsError(err); e.Code != memory.Overloaded || e.RetryAfter <= 0 {
			t.Fatalf("got %v, want overloaded with a time to come back", err)
		}
	}
	mustSay(t, s, well, "fine")
	synctest.Wait() // a place is given back a moment after the answer
	if got := s.Stats(); got.RefusedTenant != sends || got.Queued != room || got.LongestQueue != room {
		t.Errorf("refused %d, queued %d, longest %d; want %d, %d, %d",
			got.RefusedTenant, got.Queued, got.LongestQueue, sends, room, room)
	}
	close(release)
	waiting.Wait()
	if got := len(w.stored(stuck.Tenant)); got != room {
		t.Errorf("%d writes were stored, want the %d admitted ones", got, room)
	}
}

// The node's own bound holds over all tenants together.
func TestNodeQueueIsBounded(t *testing.T) { synctest.Test(t, nodeQueue) }

func nodeQueue(t *testing.T) {
	const room = 8
	w := newWorld()
	release := make(chan struct{})
	w.onAppend = func(context.Context, memory.TenantID) error { <-release; return nil }
	s := w.system(t, Options{QueueAll: room})
	defer closeSystem(t, s)
	var awake []memory.Caller
	for range room {
		awake = append(awake, someone())
		if _, err := hear(t.Context(), s, w, awake[len(awake)-1]); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Wait() // a place is given back a moment after the answer
	var waiting sync.WaitGroup
	for _, who := range awake {
		waiting.Go(func() {
			if _, err := say(t.Context(), s, who, "in"); err != nil {
				t.Errorf("an admitted write: %v", err)
			}
		})
	}
	synctest.Wait()
	if _, err := say(t.Context(), s, someone(), "out"); memory.CodeOf(err) != memory.Overloaded {
		t.Errorf("got %v, want overloaded", err)
	}
	if got := s.Stats().RefusedNode; got != 1 {
		t.Errorf("refused %d, want 1", got)
	}
	close(release)
	waiting.Wait()
	mustSay(t, s, someone(), "in again")
}

// Trap: a second Respond blocks a hollywood actor, and a late one may reach a
// stranger. Here it does neither, even when the channel has a new owner.
func TestSecondReplyNeitherBlocksNorStrays(t *testing.T) {
	var pool channels[int]
	first := pool.write(t.Context(), 1)
	first.answer(1, nil)
	first.answer(2, nil)
	first.refuse(errors.New("a third"))
	if got, err := pool.await(&first, nil); got != 1 || err != nil {
		t.Fatalf("got %d, %v; want the first answer", got, err)
	}
	second := letter[int]{ctx: t.Context(), reply: first.reply} // as the pool would give it
	first.answer(4, nil)
	select {
	case a := <-second.reply:
		t.Fatalf("the next owner of the channel got %v", a)
	default:
	}
}

// Trap: a pooled channel whose caller left before the answer came would give
// that answer to the next caller.
func TestChannelLeftBehindIsNotUsedAgain(t *testing.T) {
	var pool channels[int]
	ctx, cancel := context.WithCancel(t.Context())
	late := pool.write(ctx, 1)
	late.take()
	cancel()
	if _, err := pool.await(&late, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want canceled", err)
	}
	late.answer(1, nil)
	for range 1000 {
		if ch := pool.get(); ch == late.reply || len(ch) > 0 {
			t.Fatal("a channel that may still be answered was handed out")
		}
	}
}

// Trap: hollywood drops the second of two actors with one id, and sends its
// messages to the first.
func TestTwoMailboxesOfOneName(t *testing.T) {
	h, err := newHost()
	if err != nil {
		t.Fatal(err)
	}
	id := memory.NewTenantID()
	var got [2]*counting
	for i := range got {
		got[i] = &counting{done: make(chan int, 1)}
		box := h.mailbox(id, got[i])
		box.open()
		defer box.stop()
		box.Send(nil, "a stray message of hollywood's", nil)
		box.send(&storing{letter: letter[struct{}]{ctx: t.Context(), places: int64(i + 1)}})
	}
	if diff := cmp.Diff([]int{1, 2}, []int{<-got[0].done, <-got[1].done}); diff != "" {
		t.Error(diff)
	}
}

// counting tells the places of the first message it gets.
type counting struct{ done chan int }

func (c *counting) receive(batch []message) {
	for _, m := range batch {
		c.done <- int(m.room())
	}
}
func (*counting) crashed([]message, *crash) {}
func (*counting) finished([]message)        {}
