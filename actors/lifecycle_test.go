package actors

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"loci/engine/memory"
)

// bubble runs a test in a bubble of fake time, with a system over a world.
func bubble(t *testing.T, o Options, test func(t *testing.T, w *world, s *System)) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		s := w.system(t, o)
		test(t, w, s)
		closeSystem(t, s)
		w.mustBeKept(t)
	})
}

// mustRefuse holds an error against the code it should have, and the least
// time to come back.
func mustRefuse(t *testing.T, err error, code memory.Code, after time.Duration) {
	t.Helper()
	if e := memory.AsError(err); err == nil || e.Code != code || e.RetryAfter < after {
		t.Fatalf("got %v, want %s with a pause of %v", err, code, after)
	}
}

// Writes that wait for a commit share the next one.
func TestWaitingWritesShareOneCommit(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, w *world, s *System) {
		who, turn := someone(), make(chan struct{})
		w.onAppend = func(context.Context, memory.TenantID) error { turn <- struct{}{}; return nil }
		var all sync.WaitGroup
		start := func(word string) {
			all.Go(func() {
				if _, err := say(t.Context(), s, who, word); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		start("first")
		var want []string
		for i := range 200 {
			want = append(want, fmt.Sprint(i))
			start(want[i])
		}
		<-turn
		<-turn
		all.Wait()
		if diff := cmp.Diff(append([]string{"first"}, want...), w.stored(who.Tenant)); diff != "" {
			t.Errorf("order of writes: %s", diff)
		}
		if got := s.Stats(); w.appends() != 2 || got.Commits != 2 || got.Writes != 201 || got.WritesPerCommit() != 100.5 {
			t.Errorf("%d appends, %+v; want 2 commits of 201 writes", w.appends(), got)
		}
	})
}

// A group that changes nothing costs no commit; it is answered all the same.
func TestEmptyChangeIsNotCommitted(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, w *world, s *System) {
		mustSay(t, s, someone(), "")
		if got := s.Stats(); w.appends() != 0 || got.Commits != 0 || got.Groups != 1 {
			t.Errorf("%d appends, %+v; want none", w.appends(), got)
		}
	})
}

// A write that the engine refuses is refused alone.
func TestRefusedWriteLeavesItsGroupAlone(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, w *world, s *System) {
		who, no := someone(), memory.Refuse(memory.Conflict, "no")
		w.onStage = func(_ memory.TenantID, writes []write) {
			for _, n := range writes {
				if n.(*note).word == "bad" {
					n.Fail(no)
				}
			}
		}
		mustSay(t, s, who, "good")
		_, err := say(t.Context(), s, who, "bad")
		mustRefuse(t, err, memory.Conflict, 0)
		mustSay(t, s, who, "better")
		if diff := cmp.Diff([]string{"good", "better"}, mustHear(t, s, w, who)); diff != "" {
			t.Error(diff)
		}
	})
}

// Large batches are committed apart: nobody waits for a commit of 4,096.
func TestGroupsAreBounded(t *testing.T) {
	for _, c := range []struct {
		places []int64
		want   int
	}{
		{[]int64{1}, 1}, {[]int64{5000}, 1}, {[]int64{5000, 1}, 1},
		{[]int64{1000, 24}, 2}, {[]int64{1000, 24, 1}, 2}, {[]int64{1, 1, 1}, 3},
	} {
		var waiting []*storing
		for _, places := range c.places {
			waiting = append(waiting, &storing{letter: letter[struct{}]{places: places}})
		}
		if got := groupOf(waiting); got != c.want {
			t.Errorf("groupOf %v: got %d, want %d", c.places, got, c.want)
		}
	}
}

// A write whose caller has gone when its turn comes is dropped whole; one that
// has begun is carried out.
func TestWriteThatNobodyWaitsForIsDropped(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, w *world, s *System) {
		who, other, turn := someone(), someone(), make(chan struct{})
		w.onAppend = func(_ context.Context, id memory.TenantID) error {
			if id == who.Tenant {
				<-turn
			}
			return nil
		}
		brief, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var begun, waiting error
		var all sync.WaitGroup
		all.Go(func() { _, begun = say(brief, s, who, "begun") })
		synctest.Wait()
		all.Go(func() { _, waiting = say(brief, s, who, "waiting") })
		all.Wait()
		mustRefuse(t, begun, memory.Overloaded, 1)
		mustRefuse(t, waiting, memory.Overloaded, 1)
		if !errors.Is(waiting, context.DeadlineExceeded) {
			t.Errorf("got %v, want the deadline as the cause", waiting)
		}
		mustSay(t, s, other, "fine")
		close(turn)
		mustSay(t, s, who, "after")
		if diff := cmp.Diff([]string{"begun", "after"}, mustHear(t, s, w, who)); diff != "" {
			t.Error(diff)
		}
		if got := s.Stats().Dropped; got != 1 {
			t.Errorf("dropped %d, want 1", got)
		}
	})
}

// While a tenant loads, its own requests wait, each with its own deadline.
// Others are not held up, also not by reads that wait for it.
func TestActivationIsWaitedFor(t *testing.T) {
	bubble(t, Options{Reads: 1}, func(t *testing.T, w *world, s *System) {
		slow, quick, loaded := someone(), someone(), make(chan struct{})
		w.onOpen = func(_ context.Context, id memory.TenantID) error {
			if id == slow.Tenant {
				<-loaded
			}
			return nil
		}
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if _, err := hear(t.Context(), s, w, slow); err != nil {
					t.Error(err)
				}
			})
			all.Go(func() {
				if _, err := say(t.Context(), s, slow, "patient"); err != nil {
					t.Error(err)
				}
			})
		}
		brief, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := hear(brief, s, w, slow)
		mustRefuse(t, err, memory.Overloaded, 1)
		mustSay(t, s, quick, "fine")
		mustHear(t, s, w, quick)
		close(loaded)
		all.Wait()
		if got := s.Stats(); got.Activations != 2 || got.Live != 2 {
			t.Errorf("activated %d, live %d; want 2 and 2", got.Activations, got.Live)
		}
	})
}

// Only so many tenants are loaded at the same time.
func TestActivationsAreBounded(t *testing.T) {
	bubble(t, Options{OpenAtOnce: 2}, func(t *testing.T, w *world, s *System) {
		var mu sync.Mutex
		loading, most := 0, 0
		w.onOpen = func(context.Context, memory.TenantID) error {
			mu.Lock()
			loading++
			most = max(most, loading)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			loading--
			mu.Unlock()
			return nil
		}
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { _, _ = say(t.Context(), s, someone(), "hello") })
		}
		began := time.Now()
		all.Wait()
		if took := time.Since(began); most != 2 || took != 5*time.Second {
			t.Errorf("%d loaded at once, all in %v; want 2 and 5s", most, took)
		}
	})
}

// A tenant that does not load rests, twice as long each time, and is tried
// again for ever.
func TestActivationThatFailsIsTriedAgain(t *testing.T) {
	bubble(t, Options{Idle: -1}, func(t *testing.T, w *world, s *System) {
		who, other, opens := someone(), someone(), 0
		broken := errors.New("disk is broken")
		w.onOpen = func(_ context.Context, id memory.TenantID) error {
			if id == who.Tenant && opens < 12 {
				opens++
				return broken
			}
			return nil
		}
		for n := 1; n <= 12; n++ {
			_, err := hear(t.Context(), s, w, who)
			mustRefuse(t, err, memory.Overloaded, restAfter(n))
			if !errors.Is(err, broken) {
				t.Fatalf("got %v, want the cause kept", err)
			}
			time.Sleep(restAfter(n) - 1)
			_, err = say(t.Context(), s, who, "too early")
			mustRefuse(t, err, memory.Overloaded, 1)
			if opens != n {
				t.Fatalf("opened %d times after %d failures", opens, n)
			}
			mustSay(t, s, other, "fine")
			time.Sleep(time.Nanosecond)
		}
		mustSay(t, s, who, "at last")
		if got := s.Stats(); got.OpenErrors != 12 || got.RefusedResting == 0 {
			t.Errorf("%+v; want 12 errors of opening", got)
		}
	})
}

func TestRests(t *testing.T) {
	var got []time.Duration
	for n := range 11 {
		got = append(got, restAfter(n+1)/time.Millisecond)
	}
	want := []time.Duration{50, 100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000, 10000}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A worn partition is opened anew between batches; not again and again.
func TestWornPartitionIsRenewed(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, w *world, s *System) {
		who := someone()
		mustSay(t, s, who, "a", "b")
		w.worn.Store(true)
		mustSay(t, s, who, "c", "d", "e")
		synctest.Wait()
		if got := s.Stats(); got.Activations != 2 || got.Restarts != 1 {
			t.Errorf("activated %d times, want once more", got.Activations)
		}
		time.Sleep(renewEvery)
		w.onOpen = func(context.Context, memory.TenantID) error { return errors.New("not now") }
		mustSay(t, s, who, "f") // a worn partition that cannot be renewed goes on
		synctest.Wait()
		w.worn.Store(false)
		mustSay(t, s, who, "g")
		if diff := cmp.Diff([]string{"a", "b", "c", "d", "e", "f", "g"}, mustHear(t, s, w, who)); diff != "" {
			t.Error(diff)
		}
	})
}
