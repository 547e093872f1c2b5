package minilm_test

import (
	"flag"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"loci/engine/embed/kernel"
	"loci/engine/embed/minilm"
)

var stress = flag.Duration("minilm.stress", 500*time.Millisecond, "how long each path embeds under a busy garbage collector")

// TestUnderGarbageCollection embeds on more goroutines than there are cores
// while the collector runs without a pause and others are preempted by signal:
// tile and vector registers must survive all of it, so every vector is compared
// bit for bit. The long form is -minilm.stress=10m.
func TestUnderGarbageCollection(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	paths := kernel.Available()
	for _, p := range paths[:max(1, len(paths)-1)] { // portable code is the compiler's own
		t.Run(p.String(), func(t *testing.T) { embedUnderStress(t, load(t, p)) })
	}
}

func embedUnderStress(t *testing.T, m *minilm.Model) {
	texts, _ := some(t, m)
	texts = texts[:min(24, len(texts))]
	want := newVectors(len(texts))
	if err := m.Embed(texts, want); err != nil {
		t.Fatal(err)
	}
	var stop atomic.Bool
	var passes atomic.Int64
	var workers sync.WaitGroup
	for i := range 2*runtime.GOMAXPROCS(0) + 1 {
		workers.Go(func() {
			got := newVectors(len(texts))
			for n := i; !stop.Load(); n++ {
				from := n % len(texts)
				if err := m.Embed(texts[from:], got[from:]); err != nil {
					t.Error(err)
					return
				}
				for j := from; j < len(texts); j++ {
					if !slices.Equal(got[j], want[j]) {
						t.Errorf("text %d came out otherwise", j)
						return
					}
				}
				passes.Add(1)
			}
		})
	}
	for end := time.Now().Add(*stress); time.Now().Before(end); {
		litter()
		runtime.GC()
	}
	stop.Store(true)
	workers.Wait()
	t.Logf("%d batches", passes.Load())
}

// litter leaves garbage of many sizes behind.
func litter() {
	var keep [][]byte
	for i := range 200 {
		keep = append(keep, make([]byte, 1<<(i%16)))
	}
	runtime.KeepAlive(keep)
}
