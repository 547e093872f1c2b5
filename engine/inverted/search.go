package inverted

import (
	"math"
	"math/bits"
	"sync"

	"loci/engine/topk"
)

// The customary constants of BM25: how fast repetition stops to matter, and how
// much a long document is held back.
const (
	k1 = 1.2
	b  = 0.75
)

// Query is a search on a view of the index.
type Query struct {
	// Terms to look for; each distinct term counts once.
	Terms []string
	// Limit hides documents at or above it.
	Limit uint32
	// Docs and Length are the number of live documents and the sum of their
	// lengths: BM25's collection.
	Docs   int
	Length int64
	// Live says which documents count in document frequencies; nil: all.
	Live func(doc uint32) bool
	// Accept says which documents may be answers; nil: those that are live. It
	// is asked only about documents that would make the K best so far.
	Accept func(doc uint32) bool
	// K is how many documents to return; none if it is not positive.
	K int
}

// Search returns the K best documents by BM25, best first (I3, I4).
func (x *Index) Search(q Query) []topk.Scored {
	if q.K <= 0 {
		return nil
	}
	s := searches.Get().(*search)
	defer s.release()
	s.index, s.accept = x, q.accepting()
	s.open(q)
	best := topk.New(q.K, s.candidates())
	for s.next() {
		s.score()
		s.collect(best)
	}
	return best.Sorted()
}

func (q *Query) accepting() func(doc uint32) bool {
	if q.Accept != nil {
		return q.Accept
	}
	return q.Live
}

// windowDocs is how many document numbers are scored at a time. Their sums fill
// 32 KB and stay in the nearest cache, whatever the size of the index; this is
// also why a search needs no memory that grows with it.
const windowDocs = 4096

// search is the scratch of one search: a window of document numbers slides over
// all posting lists at once.
type search struct {
	index   *Index
	accept  func(doc uint32) bool
	flat    float64 // k1·(1−b)
	slope   float64 // k1·b/average length
	seen    map[*list]struct{}
	cursors []cursor
	base    uint64 // first document of the window
	hit     [windowDocs / 64]uint64
	sums    [windowDocs]float64
}

// cursor walks one term's postings.
type cursor struct {
	rest   []posting
	weight float64 // idf·(k1+1)
}

var searches = sync.Pool{New: func() any { return &search{seen: make(map[*list]struct{})} }}

func (s *search) release() {
	clear(s.seen)
	clear(s.cursors)
	s.cursors, s.index, s.accept = s.cursors[:0], nil, nil
	searches.Put(s)
}

// open sets a cursor at each distinct term that the index knows.
func (s *search) open(q Query) {
	average := 1.0
	if q.Docs > 0 && q.Length > 0 {
		average = float64(q.Length) / float64(q.Docs)
	}
	s.flat, s.slope = k1*(1-b), k1*b/average
	for _, term := range q.Terms {
		l := s.index.table.find(term)
		if _, again := s.seen[l]; again || l == nil {
			continue
		}
		s.seen[l] = struct{}{}
		s.point(l.below(q.Limit), q)
	}
}

func (s *search) point(postings []posting, q Query) {
	if df := frequency(postings, q.Live); len(postings) > 0 {
		s.cursors = append(s.cursors, cursor{postings, idf(q.Docs, df) * (k1 + 1)})
	}
}

// idf is how much a term tells that df of n documents hold.
func idf(n, df int) float64 {
	return math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}

// candidates is at least the number of documents that can be found.
func (s *search) candidates() int {
	n := 0
	for i := range s.cursors {
		n += len(s.cursors[i].rest)
	}
	return n
}

// next moves the window to the first document not yet scored.
func (s *search) next() bool {
	first, found := uint32(math.MaxUint32), false
	for i := range s.cursors {
		if rest := s.cursors[i].rest; len(rest) > 0 && rest[0].doc <= first {
			first, found = rest[0].doc, true
		}
	}
	s.base = uint64(first) &^ (windowDocs - 1)
	return found
}

// score adds up the window, term after term (I3).
func (s *search) score() {
	for i := range s.cursors {
		c := &s.cursors[i]
		n := 0
		for n < len(c.rest) && uint64(c.rest[n].doc) < s.base+windowDocs {
			s.add(c.rest[n], c.weight)
			n++
		}
		c.rest = c.rest[n:]
	}
}

func (s *search) add(p posting, weight float64) {
	at := p.doc % windowDocs
	freq := float64(p.freq)
	norm := s.flat + float64(s.length(p)*s.slope)
	s.hit[at/64] |= 1 << (at % 64)
	s.sums[at] += float64(weight * freq / (freq + norm))
}

func (s *search) length(p posting) float64 {
	if p.length == longLength {
		return float64(s.index.DocLen(p.doc))
	}
	return float64(p.length)
}

// collect offers the window's documents, in order, and empties it.
func (s *search) collect(best *topk.Best) {
	for word, hits := range s.hit {
		for ; hits != 0; hits &= hits - 1 {
			at := word*64 + bits.TrailingZeros64(hits)
			doc := uint32(s.base) + uint32(at)
			if best.Wants(doc, s.sums[at]) && (s.accept == nil || s.accept(doc)) {
				best.Offer(doc, s.sums[at])
			}
			s.sums[at] = 0
		}
		s.hit[word] = 0
	}
}
