package actors

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"loci/engine"
	"loci/engine/memory"
)

// A tenant leaves memory after the idle time without any use, not before; a
// read is a use.
func TestIdleTenantIsPassivated(t *testing.T) {
	const idle = 10 * time.Minute
	var gone atomic.Int64
	events := Events{Passivated: func(memory.TenantID) { gone.Add(1) }}
	bubble(t, Options{Idle: idle, Events: events}, func(t *testing.T, w *world, s *System) {
		used, unused := someone(), someone()
		mustSay(t, s, used, "a")
		mustSay(t, s, unused, "b")
		for range 8 {
			time.Sleep(idle / 4)
			mustHear(t, s, w, used)
		}
		if s.Live() != 1 || gone.Load() != 1 || s.Stats().Passivations != 1 {
			t.Errorf("%d live, %d gone; want 1 and 1", s.Live(), gone.Load())
		}
		if diff := cmp.Diff([]string{"b"}, mustHear(t, s, w, unused)); diff != "" {
			t.Errorf("after it came back: %s", diff)
		}
		time.Sleep(2 * idle)
		synctest.Wait()
		if s.Live() != 0 {
			t.Errorf("%d live, want none", s.Live())
		}
	})
}

// A tenant in use stays, however long that takes.
func TestBusyTenantIsNotPassivated(t *testing.T) {
	bubble(t, Options{Idle: time.Second}, func(t *testing.T, w *world, s *System) {
		who := someone()
		_, err := read(t.Context(), s, who, func(*engine.View) (int, error) {
			time.Sleep(time.Hour)
			return 0, nil
		})
		if got := s.Stats(); err != nil || got.Live != 1 || got.Passivations != 0 {
			t.Errorf("%v, %+v; want it to stay", err, got)
		}
	})
}

// Above MaxLive the least recently used idle tenant goes.
func TestLeastRecentlyUsedGoes(t *testing.T) {
	var gone []memory.TenantID
	events := Events{Passivated: func(t memory.TenantID) { gone = append(gone, t) }}
	bubble(t, Options{MaxLive: 3, Idle: -1, Events: events}, func(t *testing.T, w *world, s *System) {
		who := []memory.Caller{someone(), someone(), someone(), someone(), someone()}
		say := func(i int) {
			mustSay(t, s, who[i], "x")
			time.Sleep(time.Second)
		}
		for _, i := range []int{0, 1, 2, 0, 3, 2, 4} {
			say(i)
		}
		if diff := cmp.Diff([]memory.TenantID{who[1].Tenant, who[0].Tenant}, gone); diff != "" {
			t.Error(diff)
		}
		if s.Live() != 3 {
			t.Errorf("%d live, want 3", s.Live())
		}
		say(0)
		say(1)
		if diff := cmp.Diff([]string{"x", "x", "x"}, mustHear(t, s, w, who[0])); diff != "" {
			t.Error(diff)
		}
	})
}

// MaxLive 1 and several busy tenants: everybody is served.
func TestMoreBusyTenantsThanMaxLive(t *testing.T) {
	w := newWorld()
	s := w.system(t, Options{MaxLive: 1, Idle: -1})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			who := someone()
			for range 100 {
				if _, err := say(t.Context(), s, who, "x"); err != nil {
					t.Error(err)
				}
			}
			if got := len(w.stored(who.Tenant)); got != 100 {
				t.Errorf("%d stored, want 100", got)
			}
		})
	}
	all.Wait()
	closeSystem(t, s)
	w.mustBeKept(t)
}

// Tenants that are passivated all the time, under fire: no message is lost, no
// write is stored twice, and no tenant ever has two owners.
func TestPassivationUnderFire(t *testing.T) {
	const writers, each = 8, 500
	w := newWorld()
	s := w.system(t, Options{Idle: 1})
	tenants := []memory.Caller{someone(), someone(), someone()}
	stop := make(chan struct{})
	var sweeping, all sync.WaitGroup
	sweeping.Go(func() { // as fast as it goes, beside the sweeper's own millisecond
		for {
			select {
			case <-stop:
				return
			default:
				s.sweep(s.clock())
				runtime.Gosched()
			}
		}
	})
	for i := range writers {
		all.Go(func() {
			for n := range each {
				who := tenants[(i+n)%len(tenants)]
				word := fmt.Sprintf("%d/%d", i, n)
				if _, err := say(t.Context(), s, who, word); err != nil {
					t.Errorf("say: %v", err)
				}
				if words, err := hear(t.Context(), s, w, who); err != nil || !slices.Contains(words, word) {
					t.Errorf("said %s, and it cannot be heard: %v", word, err)
				}
			}
		})
	}
	all.Wait()
	close(stop)
	sweeping.Wait()
	closeSystem(t, s)
	w.mustBeKept(t)
	var got []string
	for _, who := range tenants {
		got = append(got, w.stored(who.Tenant)...)
	}
	slices.Sort(got)
	if len(got) != writers*each || len(slices.Compact(got)) != writers*each {
		t.Errorf("%d words stored, %d of them distinct; want %d", len(got), len(slices.Compact(got)), writers*each)
	}
	t.Logf("%d passivations for %d writes", s.Stats().Passivations, writers*each)
}
