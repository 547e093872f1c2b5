package actors

import (
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

// The gate against the plainest model of it.
func TestGateAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const limit = 5
		g := newGate()
		places, reads, isShut := int64(0), int64(0), false
		t.Repeat(map[string]func(*rapid.T){
			"message": func(t *rapid.T) {
				n := rapid.Int64Range(1, limit).Draw(t, "places")
				want := entered
				if isShut {
					want = shut
				} else if places+n > limit {
					want = full
				}
				if got := g.enterMessage(n, limit); got != want {
					t.Fatalf("enterMessage: got %v, want %v", got, want)
				}
				if want == entered {
					places += n
				}
			},
			"read": func(t *rapid.T) {
				if got := g.enterRead(); (got == entered) == isShut {
					t.Fatalf("enterRead: got %v, shut %v", got, isShut)
				}
				if !isShut {
					reads++
				}
			},
			"leave": func(*rapid.T) {
				if places > 0 {
					places--
					g.leave(onePlace)
				}
			},
			"leave read": func(*rapid.T) {
				if reads > 0 {
					reads--
					g.leave(oneRead)
				}
			},
			"shut": func(*rapid.T) { g.shut(); isShut = true },
			"shut if empty": func(t *rapid.T) {
				want := !isShut && places == 0 && reads == 0
				if got := g.shutIfEmpty(); got != want {
					t.Fatalf("shutIfEmpty: got %v, want %v", got, want)
				}
				isShut = isShut || want
			},
			"": func(t *rapid.T) {
				if g.places() != places || g.reads() != reads {
					t.Fatalf("inside: %d places, %d reads; want %d, %d", g.places(), g.reads(), places, reads)
				}
				select {
				case <-g.empty:
					if !isShut || places+reads > 0 {
						t.Fatal("empty was closed too early")
					}
				default:
					if isShut && places+reads == 0 {
						t.Fatal("empty was not closed")
					}
				}
			},
		})
	})
}

// Whoever enters a gate that is shut "if empty" at the same time is either in
// before, and the gate stays open, or is kept out.
func TestGateHasNoGap(t *testing.T) {
	for range 2000 {
		g := newGate()
		var inside, shutBy atomic.Int64
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if g.enterMessage(1, 100) == entered {
					inside.Add(1)
				}
			})
			all.Go(func() {
				if g.shutIfEmpty() {
					shutBy.Add(1)
				}
			})
		}
		all.Wait()
		if shutBy.Load()+min(inside.Load(), 1) != 1 {
			t.Fatalf("%d are inside a gate that was shut %d times while empty", inside.Load(), shutBy.Load())
		}
	}
}
