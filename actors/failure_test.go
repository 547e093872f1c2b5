package actors

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"loci/engine/memory"
)

// A commit that fails: its writes are told, the partition is thrown away, reads
// go on with the last good view, and after a rest the tenant is back.
func TestFailedAppend(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, w *world, s *System) {
		who, other, full := someone(), someone(), errors.New("disk is full")
		mustSay(t, s, who, "kept")
		w.onAppend = func(_ context.Context, id memory.TenantID) error {
			if id == who.Tenant {
				return full
			}
			return nil
		}
		_, err := say(t.Context(), s, who, "lost")
		mustRefuse(t, err, memory.Internal, 0)
		if !errors.Is(err, full) {
			t.Errorf("got %v, want the cause kept", err)
		}
		_, err = say(t.Context(), s, who, "too early")
		mustRefuse(t, err, memory.Overloaded, shortestRest)
		if diff := cmp.Diff([]string{"kept"}, mustHear(t, s, w, who)); diff != "" {
			t.Errorf("the last good view: %s", diff)
		}
		mustSay(t, s, other, "fine")

		w.onAppend = nil
		time.Sleep(shortestRest)
		mustSay(t, s, who, "back")
		if diff := cmp.Diff([]string{"kept", "back"}, mustHear(t, s, w, who)); diff != "" {
			t.Error(diff)
		}
		if got := s.Stats(); got.CommitErrors != 1 || got.Restarts != 1 {
			t.Errorf("%+v; want one failed commit and one restart", got)
		}
	})
}

// What waits behind a failed commit is refused at once, not one by one after a
// rest each.
func TestWhatWaitsBehindAFailureIsRefused(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, w *world, s *System) {
		who, fail := someone(), make(chan struct{})
		w.onAppend = func(context.Context, memory.TenantID) error { <-fail; return errors.New("no") }
		codes := make(chan memory.Code, 11)
		for range 11 {
			go func() {
				_, err := say(t.Context(), s, who, "x")
				codes <- memory.CodeOf(err)
			}()
			synctest.Wait()
		}
		began := time.Now()
		close(fail)
		got := map[memory.Code]int{}
		for range 11 {
			got[<-codes]++
		}
		want := map[memory.Code]int{memory.Internal: 1, memory.Overloaded: 10}
		if diff := cmp.Diff(want, got); diff != "" || time.Since(began) != 0 {
			t.Errorf("after %v: %s", time.Since(began), diff)
		}
	})
}

// Failures in a row make the rests longer; a stored write ends the row.
func TestRowOfFailuresEnds(t *testing.T) {
	bubble(t, Options{Idle: -1}, func(t *testing.T, w *world, s *System) {
		who, bad := someone(), true
		w.onAppend = func(context.Context, memory.TenantID) error {
			if bad {
				return errors.New("no")
			}
			return nil
		}
		fails := func(n int) {
			t.Helper()
			_, err := say(t.Context(), s, who, "x")
			mustRefuse(t, err, memory.Internal, 0)
			_, err = say(t.Context(), s, who, "x")
			if got := memory.AsError(err).RetryAfter; got != restAfter(n) {
				t.Fatalf("failure %d: rests %v, want %v", n, got, restAfter(n))
			}
			time.Sleep(restAfter(n))
		}
		for n := range 10 {
			fails(n + 1)
		}
		bad = false
		mustSay(t, s, who, "good")
		bad = true
		fails(1)
	})
}

// A store that refuses writes: writes are refused, reads go on, also of tenants
// that must be loaded first. When it is well again, so are they.
func TestSickStoreIsStillRead(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, w *world, s *System) {
		live, asleep := someone(), someone()
		w.mu.durable[asleep.Tenant] = []string{"old"}
		mustSay(t, s, live, "a")
		sick := errors.New("the log cannot be written")
		w.sick.Store(&sick)
		for range 100 {
			_, err := say(t.Context(), s, live, "b")
			mustRefuse(t, err, memory.Overloaded, time.Second)
			if !errors.Is(err, sick) {
				t.Fatalf("got %v, want the cause kept", err)
			}
		}
		if diff := cmp.Diff([]string{"a"}, mustHear(t, s, w, live)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"old"}, mustHear(t, s, w, asleep)); diff != "" {
			t.Error(diff)
		}
		w.sick.Store(nil)
		mustSay(t, s, live, "c")
		mustSay(t, s, asleep, "new")
	})
}

// A check that panics or fails hurts nobody but itself.
func TestCheckOfATenant(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, w *world, s *System) {
		who, other := someone(), someone()
		mustSay(t, s, who, "a", "b")
		mustSay(t, s, other, "c")
		report, err := s.CheckTenant(t.Context(), who.Tenant)
		if err != nil || report.Records != 2 {
			t.Fatalf("got %+v, %v; want 2 records", report, err)
		}
		w.onCheck = func(context.Context, memory.TenantID) error { panic("check") }
		_, err = s.CheckTenant(t.Context(), who.Tenant)
		mustRefuse(t, err, memory.Internal, 0)
		if diff := cmp.Diff([]string{"a", "b"}, mustHear(t, s, w, who)); diff != "" {
			t.Error(diff)
		}
		time.Sleep(shortestRest)
		mustSay(t, s, who, "d")
		_, err = s.CheckTenant(t.Context(), memory.TenantID{})
		mustRefuse(t, err, memory.Unauthenticated, 0)
	})
}
