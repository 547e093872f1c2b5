package inverted_test

import (
	"cmp"
	"math"
	"slices"

	"loci/engine/inverted"
	"loci/engine/topk"
)

// corpus is the naive index that the real one is held against: documents as
// lists of terms, and BM25 as it is written in books.
type corpus map[uint32][]string

// view is what a reader sees of it.
type view struct {
	limit        uint32
	live, accept func(uint32) bool
}

func (c corpus) query(v view, k int, terms ...string) inverted.Query {
	docs, length := c.size(v)
	return inverted.Query{Terms: terms, Limit: v.limit, Docs: docs, Length: length, Live: v.live, Accept: v.accept, K: k}
}

func (c corpus) size(v view) (docs int, length int64) {
	for doc, terms := range c {
		if doc < v.limit && v.live(doc) {
			docs++
			length += int64(len(terms))
		}
	}
	return docs, length
}

func (c corpus) search(v view, k int, terms ...string) []topk.Scored {
	found := []topk.Scored{}
	for doc := range c {
		if score, hit := c.score(v, doc, terms); hit && doc < v.limit && v.accept(doc) {
			found = append(found, topk.Scored{Doc: doc, Score: score})
		}
	}
	slices.SortFunc(found, func(a, b topk.Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc))
	})
	return found[:min(k, len(found))]
}

func (c corpus) score(v view, doc uint32, terms []string) (score float64, hit bool) {
	docs, length := c.size(v)
	average := float64(length) / float64(docs)
	if docs == 0 || length == 0 {
		average = 1
	}
	for i, term := range terms {
		freq := float64(count(c[doc], term))
		if freq == 0 || slices.Contains(terms[:i], term) {
			continue
		}
		hit = true
		df := float64(c.df(v, term))
		idf := math.Log(1 + (float64(docs)-df+0.5)/(df+0.5))
		score += idf * freq * 2.2 / (freq + 1.2*(0.25+0.75*float64(len(c[doc]))/average))
	}
	return score, hit
}

func (c corpus) df(v view, term string) (n int) {
	for doc, terms := range c {
		if doc < v.limit && v.live(doc) && slices.Contains(terms, term) {
			n++
		}
	}
	return n
}

func count(terms []string, term string) (n int) {
	for _, t := range terms {
		if t == term {
			n++
		}
	}
	return n
}

// agree compares rankings whose scores may differ in the last digits: the same
// scores place by place, and each document with its own score.
func agree(want, got []topk.Scored) bool {
	return slices.EqualFunc(want, got, func(a, b topk.Scored) bool {
		return math.Abs(a.Score-b.Score) < 1e-9
	})
}
