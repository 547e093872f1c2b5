package actors

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"loci/engine"
	"loci/engine/memory"
	"loci/storage"
)

// BenchmarkLearn is durable learns by many writers of one tenant and of eight,
// on disk: writes a second, how many share one commit, and what share of the
// time an actor spends waiting for its fsync. The rest is what staging the next
// group during an fsync could win at most.
func BenchmarkLearn(b *testing.B) {
	for _, tenants := range []int{1, 8} {
		for _, writers := range []int{1, 64, 256} {
			b.Run(fmt.Sprintf("tenants=%d/writers=%d", tenants, writers), func(b *testing.B) {
				benchLearn(b, tenants, writers)
			})
		}
	}
}

// timedLog measures how long appends take.
type timedLog struct {
	Log
	nanos atomic.Int64
}

func (l *timedLog) Append(ctx context.Context, batch *storage.Batch) error {
	defer func(began time.Time) { l.nanos.Add(int64(time.Since(began))) }(time.Now())
	return l.Log.Append(ctx, batch)
}

func benchLearn(b *testing.B, tenants, writers int) {
	store, err := storage.Open(b.TempDir(), storage.Options{})
	if err != nil {
		b.Fatal(err)
	}
	log := &timedLog{Log: localLog{store}}
	s := systemOver(b, store, Options{Log: log})
	callers := make([]memory.Caller, tenants)
	for i := range callers {
		callers[i] = someone()
		if _, err := s.Learn(context.Background(), callers[i], fact(i, -1)); err != nil {
			b.Fatal(err)
		}
	}
	before := s.Stats()
	log.nanos.Store(0)
	b.ReportAllocs()
	b.ResetTimer()
	inParallel(b, writers, func(w, n int) error {
		_, err := s.Learn(context.Background(), callers[w%tenants], fact(w, n))
		return err
	})
	b.StopTimer()
	after := s.Stats()
	commits := float64(max(1, after.Commits-before.Commits))
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
	b.ReportMetric(float64(after.Writes-before.Writes)/commits, "writes/commit")
	b.ReportMetric(float64(log.nanos.Load())/commits/1000, "µs/append")
	b.ReportMetric(100*float64(log.nanos.Load())/float64(tenants)/float64(b.Elapsed()), "%appending")
	closeSystem(b, s)
	if err := store.Close(); err != nil {
		b.Error(err)
	}
}

// inParallel shares b.N calls among workers.
func inParallel(b *testing.B, workers int, call func(worker, n int) error) {
	var next atomic.Int64
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				if err := call(w, int(n)); err != nil {
					b.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// BenchmarkRoundTrip is a write that costs nothing: admission, mailbox, answer.
func BenchmarkRoundTrip(b *testing.B) {
	for _, writers := range []int{1, 64} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			open := func(context.Context, memory.TenantID) (partition, error) { return hollow{}, nil }
			s, err := newSystem(ground{open: open, health: func() error { return nil }}, Options{})
			if err != nil {
				b.Fatal(err)
			}
			who := someone()
			b.ReportAllocs()
			inParallel(b, writers, func(int, int) error {
				_, err := say(context.Background(), s, who, "")
				return err
			})
			closeSystem(b, s)
		})
	}
}

// hollow is a partition in which nothing happens.
type hollow struct{}

var hollowView engine.View

func (hollow) View() *engine.View                            { return &hollowView }
func (hollow) Stage([]write) change                          { return hollow{} }
func (hollow) Publish(change)                                {}
func (hollow) Worn() bool                                    { return false }
func (hollow) Spent() bool                                   { return false }
func (hollow) Check(context.Context) (*engine.Report, error) { return &engine.Report{}, nil }
func (hollow) Batch() *storage.Batch                         { return nil }
func (hollow) Empty() bool                                   { return true }

// BenchmarkRead is what the actors add to a read of a live tenant: gate, slot
// and view.
func BenchmarkRead(b *testing.B) {
	w, who := newWorld(), someone()
	s := w.system(b, Options{})
	mustHear(b, s, w, who)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := read(context.Background(), s, who, func(*engine.View) (int, error) { return 0, nil }); err != nil {
				b.Error(err)
			}
		}
	})
	closeSystem(b, s)
}

// BenchmarkIdleTenants is what a live tenant costs without its engine.
func BenchmarkIdleTenants(b *testing.B) {
	open := func(context.Context, memory.TenantID) (partition, error) { return hollow{}, nil }
	s, err := newSystem(ground{open: open, health: func() error { return nil }}, Options{MaxLive: maxBound, Idle: -1})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for range b.N {
		if _, err := say(context.Background(), s, someone(), ""); err != nil {
			b.Fatal(err)
		}
	}
	closeSystem(b, s)
}
