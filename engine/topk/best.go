package topk

import "slices"

// Scored is one document found and how well it fits.
type Scored struct {
	Doc   uint32
	Score float64
}

// Best keeps the k best offers: a heap with the worst of them at its root.
type Best struct {
	k    int
	heap []Scored
}

// New keeps the k best; most is how many offers there may be, for the room it takes.
func New(k, most int) *Best {
	return &Best{k: k, heap: make([]Scored, 0, max(0, min(k, most)))}
}

// Offer takes the document if it belongs to the best. A score that is not a
// number belongs nowhere.
func (b *Best) Offer(doc uint32, score float64) {
	offered := Scored{doc, score}
	switch {
	case score != score || b.k <= 0:
	case len(b.heap) < b.k:
		b.heap = append(b.heap, offered)
		b.rise(len(b.heap) - 1)
	case better(offered, b.heap[0]) < 0:
		b.heap[0] = offered
		b.sink()
	}
}

// Sorted returns what was kept, best first, and gives the memory away.
func (b *Best) Sorted() []Scored {
	slices.SortFunc(b.heap, better)
	return b.heap
}

func (b *Best) rise(at int) {
	for at > 0 {
		up := (at - 1) / 2
		if better(b.heap[at], b.heap[up]) < 0 {
			return
		}
		b.heap[at], b.heap[up] = b.heap[up], b.heap[at]
		at = up
	}
}

func (b *Best) sink() {
	for at := 0; ; {
		worst := 2*at + 1
		if worst >= len(b.heap) {
			return
		}
		if r := worst + 1; r < len(b.heap) && better(b.heap[worst], b.heap[r]) < 0 {
			worst = r
		}
		if better(b.heap[worst], b.heap[at]) < 0 {
			return
		}
		b.heap[at], b.heap[worst] = b.heap[worst], b.heap[at]
		at = worst
	}
}

// better is negative when x ranks before y (I1). Documents are distinct, so it
// is never zero between two of them.
func better(x, y Scored) int {
	switch {
	case x.Score > y.Score:
		return -1
	case x.Score < y.Score:
		return 1
	case x.Doc < y.Doc:
		return -1
	case x.Doc > y.Doc:
		return 1
	}
	return 0
}

// Wants reports whether an offer would be taken.
func (b *Best) Wants(doc uint32, score float64) bool {
	return len(b.heap) < b.k || better(Scored{doc, score}, b.heap[0]) < 0
}
