package inverted

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"loci/engine/grow"
)

// Index is an inverted index. See the package comment for who may call what.
type Index struct {
	table   table
	lengths grow.Slice[length]
	touched []*list // the writer's scratch: lists of the document being added
}

// length is how many terms a document has, repetitions counted.
type length struct{ doc, terms uint32 }

// New makes an empty index.
func New() *Index {
	x := new(Index)
	x.table.init()
	return x
}

// Add indexes the terms of doc, in any order, with repetitions. Only the writer
// calls it, with ascending documents (I1). The index keeps the strings of terms
// that are new to it, so they should not be cut from a large text.
func (x *Index) Add(doc uint32, terms []string) {
	x.mustAscend(doc)
	for _, term := range terms {
		x.count(term)
	}
	short := uint16(min(len(terms), longLength))
	// The length comes first: whoever sees a posting finds its length (I2).
	x.lengths.Push(length{doc, uint32(len(terms))})
	for _, l := range x.touched {
		l.postings.Push(posting{doc, uint16(min(l.pending, math.MaxUint16)), short})
		l.pending = 0
	}
	clear(x.touched)
	x.touched = x.touched[:0]
}

// DocLen is the number of terms of doc, 0 if it was never added.
func (x *Index) DocLen(doc uint32) int {
	lengths := x.lengths.View()
	i := sort.Search(len(lengths), func(i int) bool { return lengths[i].doc >= doc })
	if i == len(lengths) || lengths[i].doc != doc {
		return 0
	}
	return int(lengths[i].terms)
}

// DF counts the live documents below limit that hold term; a nil live means
// that all are.
func (x *Index) DF(term string, limit uint32, live func(doc uint32) bool) int {
	l := x.table.find(term)
	if l == nil {
		return 0
	}
	return frequency(l.below(limit), live)
}

// Each yields every term that a document below limit holds, in sorted order,
// with those documents and how often each holds it, until yield returns false.
// The slices are valid during the call only.
func (x *Index) Each(limit uint32, yield func(term string, docs []uint32, freqs []uint16) bool) {
	lists := x.table.all()
	slices.SortFunc(lists, func(a, b *list) int { return strings.Compare(a.term, b.term) })
	var docs []uint32
	var freqs []uint16
	for _, l := range lists {
		docs, freqs = docs[:0], freqs[:0]
		for _, p := range l.below(limit) {
			docs, freqs = append(docs, p.doc), append(freqs, p.freq)
		}
		if len(docs) > 0 && !yield(l.term, docs, freqs) {
			return
		}
	}
}

// count notes one occurrence of a term. The count lives in the list itself,
// which the writer has in its hand anyway; no second map is needed.
func (x *Index) count(term string) {
	l := x.table.insert(term)
	if l.pending == 0 {
		x.touched = append(x.touched, l)
	}
	l.pending++
}

func (x *Index) mustAscend(doc uint32) {
	lengths := x.lengths.View()
	if n := len(lengths); n > 0 && lengths[n-1].doc >= doc {
		panic(fmt.Sprintf("add document %d to inverted index: not above %d", doc, lengths[n-1].doc))
	}
}
