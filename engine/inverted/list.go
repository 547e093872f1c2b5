package inverted

import (
	"math"
	"sort"

	"loci/engine/grow"
)

// posting says that a document holds a term. It carries the document's length,
// which would else be a random access for each posting scored: eight bytes in a
// row instead of six and a cache miss.
type posting struct {
	doc    uint32
	freq   uint16
	length uint16 // longLength: too long to fit, ask the index
}

const longLength = math.MaxUint16

// list is one term's postings, ascending by document (I1).
type list struct {
	term     string
	postings grow.Slice[posting]
	pending  int // the writer's count of the term in the document being added
}

// below returns the postings of documents under limit.
func (l *list) below(limit uint32) []posting {
	postings := l.postings.View()
	n := len(postings)
	if n == 0 || postings[n-1].doc < limit {
		return postings // the usual case: nothing is newer than the reader
	}
	return postings[:seek(postings, limit)]
}

// frequency counts the live documents among postings; nil means all live (I5).
func frequency(postings []posting, live func(doc uint32) bool) int {
	if live == nil {
		return len(postings)
	}
	n := 0
	for i := range postings {
		if live(postings[i].doc) {
			n++
		}
	}
	return n
}

// seek is the number of postings under doc.
func seek(postings []posting, doc uint32) int {
	return sort.Search(len(postings), func(i int) bool { return postings[i].doc >= doc })
}
