package actors

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"loci/engine"
	"loci/engine/memory"
)

// A thousand writers in flight while Close runs: each is either acknowledged
// and found after reopening, or refused and not there.
func TestCloseFinishesOrRefusesEverything(t *testing.T) {
	for _, patience := range []time.Duration{time.Minute, 0} {
		t.Run(fmt.Sprint(patience), func(t *testing.T) { closeUnderFire(t, patience) })
	}
}

func closeUnderFire(t *testing.T, patience time.Duration) {
	const writers = 1000
	fs := vfs.NewMem()
	store := openStore(t, fs, "store")
	s := systemOver(t, store, Options{})
	tenants := []memory.Caller{someone(), someone()}
	acknowledged := make([][]*memory.LearnResult, writers)
	started := make(chan struct{}, writers)
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() { acknowledged[i] = learnUntilRefused(t, s, tenants[i%2], i, started) })
	}
	for range writers / 4 {
		<-started
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Errorf("close: %v", err)
	}
	all.Wait()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	mustHoldExactly(t, fs, tenants, acknowledged)
}

// learnUntilRefused learns until the system closes, and gives what was acknowledged.
func learnUntilRefused(t *testing.T, s *System, who memory.Caller, writer int, started chan<- struct{}) (done []*memory.LearnResult) {
	for n := 0; ; n++ {
		learned, err := s.Learn(t.Context(), who, fact(writer, n))
		if err != nil {
			if memory.CodeOf(err) != memory.Overloaded {
				t.Errorf("writer %d: %v", writer, err)
			}
			return done
		}
		done = append(done, learned)
		if n == 0 {
			started <- struct{}{}
		}
	}
}

// mustHoldExactly opens the store again: each acknowledged memory is found by
// its id, nothing else is there, and the indexes agree with storage.
func mustHoldExactly(t *testing.T, fs vfs.FS, tenants []memory.Caller, acknowledged [][]*memory.LearnResult) {
	t.Helper()
	store := openStore(t, fs, "store")
	s := systemOver(t, store, Options{})
	count := map[memory.TenantID]int{}
	for i, list := range acknowledged {
		who := tenants[i%len(tenants)]
		count[who.Tenant] += len(list)
		for n, learned := range list {
			m, err := s.Get(t.Context(), who, learned.ID)
			if err != nil || m.Content != fact(i, n).Content {
				t.Errorf("acknowledged %s is not there: %v", learned.ID, err)
			}
		}
	}
	for _, who := range tenants {
		report, err := s.CheckTenant(t.Context(), who.Tenant)
		if err != nil {
			t.Fatal(err)
		}
		if report.Records != count[who.Tenant] || len(report.Problems) > 0 {
			t.Errorf("%d records, want the %d acknowledged; problems %q", report.Records, count[who.Tenant], report.Problems)
		}
	}
	closeSystem(t, s)
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}

// The hard end: the commit that has begun is waited for, what waits behind it
// is refused at once, and nobody new gets in. Close may be called again.
func TestCloseWithAStuckCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, who := newWorld(), someone()
		stuck := make(chan struct{})
		w.onAppend = func(context.Context, memory.TenantID) error { <-stuck; return nil }
		s := w.system(t, Options{Grace: time.Second})
		outcomes := make(chan error, 11)
		for range 11 {
			go func() {
				_, err := say(t.Context(), s, who, "x")
				outcomes <- err
			}()
			synctest.Wait()
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("close over a stuck commit: %v", err)
		}
		for range 10 {
			mustRefuse(t, <-outcomes, memory.Overloaded, time.Second)
		}
		_, err := say(t.Context(), s, who, "late")
		mustRefuse(t, err, memory.Overloaded, time.Second)
		_, err = hear(t.Context(), s, w, who)
		mustRefuse(t, err, memory.Overloaded, time.Second)
		close(stuck)
		if err := <-outcomes; err != nil {
			t.Errorf("the write that had begun: %v", err)
		}
		closeSystem(t, s)
		closeSystem(t, s)
		if diff := cmp.Diff([]string{"x"}, w.stored(who.Tenant)); diff != "" || s.Live() != 0 {
			t.Errorf("%d live, stored: %s", s.Live(), diff)
		}
		w.mustBeKept(t)
	})
}

// Close waits for reads that run, refuses reads that wait for a slot at its
// hard end, and ends a load that is under way.
func TestCloseAndReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, who, loading := newWorld(), someone(), someone()
		w.onOpen = func(ctx context.Context, id memory.TenantID) error {
			if id == loading.Tenant {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}
		s := w.system(t, Options{Reads: 1})
		var running, waiting, asleep error
		var all sync.WaitGroup
		all.Go(func() {
			_, running = read(t.Context(), s, who, func(*engine.View) (int, error) {
				time.Sleep(3 * time.Second)
				return 0, nil
			})
		})
		synctest.Wait()
		all.Go(func() { _, waiting = hear(t.Context(), s, w, who) })
		all.Go(func() { _, asleep = hear(t.Context(), s, w, loading) })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Errorf("close: %v", err)
		}
		all.Wait()
		if running != nil {
			t.Errorf("the read that ran: %v", running)
		}
		mustRefuse(t, waiting, memory.Overloaded, time.Second)
		mustRefuse(t, asleep, memory.Overloaded, 1)
	})
}

// Reads beyond the slots wait; beyond the queue they are refused.
func TestReadsAreBounded(t *testing.T) {
	bubble(t, Options{Reads: 2, ReadQueue: 3}, func(t *testing.T, w *world, s *System) {
		who, other, turn := someone(), someone(), make(chan struct{})
		mustHear(t, s, w, who)
		mustHear(t, s, w, other)
		var all sync.WaitGroup
		for i := range 5 {
			all.Go(func() {
				_, err := read(t.Context(), s, []memory.Caller{who, other}[i%2], func(*engine.View) (int, error) {
					<-turn
					return 0, nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if got := s.Stats(); got.ReadsRunning != 2 || got.ReadsWaiting != 3 {
			t.Errorf("%d run, %d wait; want 2 and 3", got.ReadsRunning, got.ReadsWaiting)
		}
		_, err := hear(t.Context(), s, w, who)
		mustRefuse(t, err, memory.Overloaded, time.Second)
		close(turn)
		all.Wait()
		mustHear(t, s, w, who)
		if got := s.Stats(); got.RefusedReads != 1 || got.ReadsRunning != 0 || got.ReadsWaiting != 0 {
			t.Errorf("%+v; want one refused and none left", got)
		}
	})
}

// Drop refuses what comes and what waits, and returns when nothing runs; the
// neighbour works on.
func TestDrop(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, w *world, s *System) {
		who, other, stuck := someone(), someone(), make(chan struct{})
		mustSay(t, s, other, "a")
		w.onAppend = func(_ context.Context, id memory.TenantID) error {
			if id == who.Tenant {
				<-stuck
			}
			return nil
		}
		var begun, waiting error
		var all sync.WaitGroup
		all.Go(func() { _, begun = say(t.Context(), s, who, "begun") })
		synctest.Wait()
		all.Go(func() { _, waiting = say(t.Context(), s, who, "waiting") })
		synctest.Wait()
		brief, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.Drop(brief, who.Tenant); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("drop while a commit runs: %v", err)
		}
		_, err := say(t.Context(), s, who, "late")
		mustRefuse(t, err, memory.NotFound, 0)
		mustSay(t, s, other, "b")
		close(stuck)
		for range 2 {
			if err := s.Drop(t.Context(), who.Tenant); err != nil {
				t.Errorf("drop: %v", err)
			}
		}
		all.Wait()
		if begun != nil {
			t.Errorf("the write that had begun: %v", begun)
		}
		mustRefuse(t, waiting, memory.NotFound, 0)
		_, err = hear(t.Context(), s, w, who)
		mustRefuse(t, err, memory.NotFound, 0)
		if err := s.Drop(t.Context(), memory.NewTenantID()); err != nil {
			t.Errorf("drop of a tenant that sleeps: %v", err)
		}
		if diff := cmp.Diff([]string{"a", "b"}, mustHear(t, s, w, other)); diff != "" || s.Live() != 1 {
			t.Errorf("%d live; neighbour: %s", s.Live(), diff)
		}
	})
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []Options{{Queue: -1}, {QueueAll: -1}, {MaxLive: -1}, {Reads: -1}, {ReadQueue: -1}, {OpenAtOnce: -1}, {Grace: -1}, {Queue: maxBound + 1}} {
		if _, err := newSystem(ground{}, o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
	if _, err := New(nil, Options{}); err == nil {
		t.Error("no kit was taken")
	}
	if _, err := New(nil, Options{Kit: engine.Kit{Embedder: realKit().Embedder}}); err == nil {
		t.Error("no analyzer was taken")
	}
}
