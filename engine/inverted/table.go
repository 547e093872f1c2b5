package inverted

import (
	"hash/maphash"
	"sync/atomic"
)

// table maps terms to their lists for one writer and many readers: open
// addressing over atomic pointers, never more than half full. A plain map would
// need a lock, and sync.Map allocates for each key that it is asked for, which
// is what an index does most.
type table struct {
	seed  maphash.Seed
	terms int
	slots atomic.Pointer[[]atomic.Pointer[list]] // a power of two; replaced when half full
}

func (t *table) init() {
	t.seed = maphash.MakeSeed()
	slots := make([]atomic.Pointer[list], 64)
	t.slots.Store(&slots)
}

// find returns the list of a term, or nil.
func (t *table) find(term string) *list {
	slots := *t.slots.Load()
	return slots[t.slot(slots, term)].Load()
}

// insert finds the list of a term or makes it. Only the writer calls it.
func (t *table) insert(term string) *list {
	slots := *t.slots.Load()
	at := t.slot(slots, term)
	if found := slots[at].Load(); found != nil {
		return found
	}
	made := &list{term: term}
	slots[at].Store(made)
	if t.terms++; 2*t.terms > len(slots) {
		t.grow(slots)
	}
	return made
}

// slot is where the term is, or the free slot where it would be.
func (t *table) slot(slots []atomic.Pointer[list], term string) int {
	mask := len(slots) - 1
	at := int(maphash.String(t.seed, term)) & mask
	for {
		if l := slots[at].Load(); l == nil || l.term == term {
			return at
		}
		at = (at + 1) & mask
	}
}

// grow copies the pointers into twice the slots; readers keep the old ones.
func (t *table) grow(old []atomic.Pointer[list]) {
	slots := make([]atomic.Pointer[list], 2*len(old))
	for i := range old {
		if l := old[i].Load(); l != nil {
			slots[t.slot(slots, l.term)].Store(l)
		}
	}
	t.slots.Store(&slots)
}

// all returns every list, in no order.
func (t *table) all() []*list {
	slots := *t.slots.Load()
	var lists []*list
	for i := range slots {
		if l := slots[i].Load(); l != nil {
			lists = append(lists, l)
		}
	}
	return lists
}
