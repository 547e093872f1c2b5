package actors

import "sync/atomic"

// gate counts who is inside a tenant: messages, by the places they take, and
// reads. All of it is one word, so that "shut if nobody is inside" is one step
// and nobody can slip in between (I1).
//
//	bit 62      shut: nobody enters any more
//	bits 31–61  reads on their callers' goroutines
//	bits 0–30   places taken by messages
type gate struct {
	word  atomic.Int64
	empty chan struct{} // closed when the gate is shut and the last one left
}

const (
	onePlace = int64(1)
	oneRead  = int64(1) << 31
	shutBit  = int64(1) << 62
)

type verdict int

const (
	entered verdict = iota
	full
	shut
)

func newGate() gate { return gate{empty: make(chan struct{})} }

// enterMessage takes places for a message, up to limit in all. Every entered
// must be followed by leave(places).
func (g *gate) enterMessage(places, limit int64) verdict {
	for {
		word := g.word.Load()
		switch {
		case word&shutBit != 0:
			return shut
		case word&(oneRead-1)+places > limit:
			return full
		case g.word.CompareAndSwap(word, word+places):
			return entered
		}
	}
}

// enterRead lets a read in. Every entered must be followed by leave(oneRead).
func (g *gate) enterRead() verdict {
	for {
		word := g.word.Load()
		switch {
		case word&shutBit != 0:
			return shut
		case g.word.CompareAndSwap(word, word+oneRead):
			return entered
		}
	}
}

// leave gives back what enter took. The word becomes exactly shutBit once, as
// nobody enters a shut gate: empty is closed once.
func (g *gate) leave(units int64) {
	if g.word.Add(-units) == shutBit {
		close(g.empty)
	}
}

// shut lets nobody in any more. It may be called twice.
func (g *gate) shut() {
	for {
		word := g.word.Load()
		if word&shutBit != 0 {
			return
		}
		if g.word.CompareAndSwap(word, word|shutBit) {
			if word == 0 {
				close(g.empty)
			}
			return
		}
	}
}

// shutIfEmpty shuts the gate only if nobody is inside.
func (g *gate) shutIfEmpty() bool {
	if !g.word.CompareAndSwap(0, shutBit) {
		return false
	}
	close(g.empty)
	return true
}

func (g *gate) idle() bool    { return g.word.Load() == 0 }
func (g *gate) places() int64 { return g.word.Load() & (oneRead - 1) }
func (g *gate) reads() int64  { return g.word.Load() &^ shutBit >> 31 }
