package inverted_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"loci/engine/inverted"
	"loci/engine/topk"
)

func all(uint32) bool { return true }

func build(c corpus) *inverted.Index {
	x := inverted.New()
	for _, doc := range slices.Sorted(maps.Keys(c)) {
		x.Add(doc, c[doc])
	}
	return x
}

func TestSearch(t *testing.T) {
	c := corpus{
		1:      {"red", "fish"},
		2:      {"blue", "fish"},
		5:      {"red", "red", "bird"},
		9:      {},
		5000:   {"red", "fish"},
		900000: {"blue", "whale", "fish", "red"},
	}
	x := build(c)
	not5 := func(doc uint32) bool { return doc != 5 }
	for _, test := range []struct {
		name  string
		view  view
		k     int
		terms []string
		docs  []uint32
	}{
		{"one term, ties by document", view{1 << 20, all, all}, 10, []string{"blue"}, []uint32{2, 900000}},
		{"two terms", view{1 << 20, all, all}, 10, []string{"red", "fish"}, []uint32{1, 5000, 900000, 5, 2}},
		{"repeated terms count once", view{1 << 20, all, all}, 10, []string{"red", "fish", "red"}, []uint32{1, 5000, 900000, 5, 2}},
		{"the best only", view{1 << 20, all, all}, 2, []string{"red", "fish"}, []uint32{1, 5000}},
		{"limit hides", view{5000, all, all}, 10, []string{"red"}, []uint32{5, 1}},
		{"accept hides, live counts", view{1 << 20, all, not5}, 10, []string{"bird"}, nil},
		{"dead are no answers", view{1 << 20, not5, not5}, 10, []string{"bird", "whale"}, []uint32{900000}},
		{"unknown and empty", view{1 << 20, all, all}, 10, []string{"green", ""}, nil},
		{"no terms", view{1 << 20, all, all}, 10, nil, nil},
		{"none asked for", view{1 << 20, all, all}, 0, []string{"red"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := x.Search(c.query(test.view, test.k, test.terms...))
			if want := c.search(test.view, test.k, test.terms...); !agree(want, got) {
				t.Errorf("scores: want %v, got %v", want, got)
			}
			if diff := cmp.Diff(test.docs, docsOf(got), cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNilFunctionsMeanAll(t *testing.T) {
	x := build(corpus{1: {"a"}, 2: {"a", "b"}})
	q := inverted.Query{Terms: []string{"a"}, Limit: 3, Docs: 2, Length: 3, K: 5}
	if diff := cmp.Diff([]uint32{1, 2}, docsOf(x.Search(q))); diff != "" {
		t.Error(diff)
	}
	q.Live = func(doc uint32) bool { return doc == 2 }
	if diff := cmp.Diff([]uint32{2}, docsOf(x.Search(q))); diff != "" {
		t.Errorf("without accept the live are accepted: %s", diff)
	}
	if got := x.DF("a", 3, nil); got != 2 {
		t.Errorf("got frequency %d, want 2", got)
	}
}

// TestLongDocuments goes beyond what a posting's sixteen bits can say.
func TestLongDocuments(t *testing.T) {
	c := corpus{
		1: append(slices.Repeat([]string{"x"}, 70_000), "rare"),
		2: append(slices.Repeat([]string{"y"}, 99), "rare"),
		3: append(slices.Repeat([]string{"z"}, 65_534), "rare"),
	}
	x, v := build(c), view{10, all, all}
	if got := x.DocLen(1); got != 70_001 {
		t.Errorf("got length %d, want 70001", got)
	}
	if want, got := c.search(v, 5, "rare"), x.Search(c.query(v, 5, "rare")); !agree(want, got) {
		t.Errorf("want %v, got %v", want, got)
	}
	x.Each(10, func(term string, _ []uint32, freqs []uint16) bool {
		if term == "x" && freqs[0] != math.MaxUint16 {
			t.Errorf("got frequency %d, want it held at %d", freqs[0], math.MaxUint16)
		}
		return true
	})
}

func TestEach(t *testing.T) {
	x := build(corpus{1: {"b", "a", "b"}, 4: {"a"}, 7: {"c", "a"}})
	got := map[string]string{}
	var order []string
	x.Each(7, func(term string, docs []uint32, freqs []uint16) bool {
		order = append(order, term)
		got[term] = fmt.Sprint(docs, freqs)
		return true
	})
	if diff := cmp.Diff(map[string]string{"a": "[1 4] [1 1]", "b": "[1] [2]"}, got); diff != "" {
		t.Error(diff)
	}
	if !slices.IsSorted(order) {
		t.Errorf("terms are out of order: %v", order)
	}
	calls := 0
	x.Each(8, func(string, []uint32, []uint16) bool { calls++; return false })
	if calls != 1 {
		t.Errorf("yield said stop, yet was called %d times", calls)
	}
}

func TestDescendingDocumentsAreNamed(t *testing.T) {
	x := build(corpus{4: {"a"}})
	defer func() {
		if p := fmt.Sprint(recover()); !strings.Contains(p, "add document 4 to inverted index: not above 4") {
			t.Errorf("got panic %q", p)
		}
	}()
	x.Add(4, []string{"b"})
}

// TestTwoTenantsDoNotMix searches two indexes that share the pool of scratch.
func TestTwoTenantsDoNotMix(t *testing.T) {
	mine, yours := corpus{1: {"secret", "plan"}, 3: {"plan"}}, corpus{2: {"secret", "recipe"}, 4: {"soup"}}
	x, y := build(mine), build(yours)
	v := view{10, all, all}
	var both sync.WaitGroup
	for _, tenant := range []struct {
		index  *inverted.Index
		corpus corpus
	}{{x, mine}, {y, yours}} {
		both.Go(func() {
			want := tenant.corpus.search(v, 5, "secret", "plan", "soup")
			for range 500 {
				got := tenant.index.Search(tenant.corpus.query(v, 5, "secret", "plan", "soup"))
				if !agree(want, got) || !slices.Equal(docsOf(want), docsOf(got)) {
					t.Errorf("want %v, got %v", want, got)
					return
				}
			}
		})
	}
	both.Wait()
}

// TestIndexAgreesWithTheOracle compares everything that a reader may ask with
// the naive index, on random documents, views and queries.
func TestIndexAgreesWithTheOracle(t *testing.T) {
	word := rapid.SampledFrom(strings.Fields("a b c d e f g h i j k l m n o p"))
	rapid.Check(t, func(t *rapid.T) {
		c, doc := corpus{}, uint32(0)
		for range rapid.IntRange(0, 40).Draw(t, "documents") {
			doc += rapid.SampledFrom([]uint32{1, 1, 2, 63, 64, 4095, 4096, 100_000}).Draw(t, "gap")
			c[doc] = rapid.SliceOfN(word, 0, 12).Draw(t, "terms")
		}
		x := build(c)
		dead, refused := rapid.Uint32Range(2, 9).Draw(t, "dead"), rapid.Uint32Range(2, 9).Draw(t, "refused")
		v := view{limit: rapid.Uint32Range(0, doc+2).Draw(t, "limit")}
		v.live = func(doc uint32) bool { return doc%dead != 0 }
		v.accept = func(doc uint32) bool { return v.live(doc) && doc%refused != 1 }
		terms, k := rapid.SliceOfN(word, 0, 6).Draw(t, "query"), rapid.IntRange(1, 12).Draw(t, "k")
		holdSearch(t, x, c, v, k, terms)
		holdStatistics(t, x, c, v)
	})
}

func holdSearch(t *rapid.T, x *inverted.Index, c corpus, v view, k int, terms []string) {
	want, got := c.search(v, k, terms...), x.Search(c.query(v, k, terms...))
	if !agree(want, got) {
		t.Fatalf("scores: want %v, got %v", want, got)
	}
	for i, s := range got {
		if score, hit := c.score(v, s.Doc, terms); !hit || math.Abs(score-s.Score) > 1e-9 || !v.accept(s.Doc) || s.Doc >= v.limit {
			t.Fatalf("document %d does not belong: %v, want %v", s.Doc, got, want)
		}
		if i > 0 && (got[i-1].Score < s.Score || got[i-1].Score == s.Score && got[i-1].Doc >= s.Doc) {
			t.Fatalf("out of order at %d: %v", i, got)
		}
	}
}

func holdStatistics(t *rapid.T, x *inverted.Index, c corpus, v view) {
	for doc, terms := range c {
		if got := x.DocLen(doc); got != len(terms) || x.DocLen(doc+50_000) != len(c[doc+50_000]) {
			t.Fatalf("length of %d: got %d, want %d", doc, got, len(terms))
		}
	}
	held := map[string]map[uint32]uint16{}
	x.Each(v.limit, func(term string, docs []uint32, freqs []uint16) bool {
		held[term] = map[uint32]uint16{}
		for i, doc := range docs {
			held[term][doc] = freqs[i]
		}
		if got, want := x.DF(term, v.limit, v.live), c.df(v, term); got != want {
			t.Fatalf("frequency of %q: got %d, want %d", term, got, want)
		}
		return true
	})
	if diff := cmp.Diff(c.postings(v.limit), held); diff != "" {
		t.Fatal(diff)
	}
}

func (c corpus) postings(limit uint32) map[string]map[uint32]uint16 {
	held := map[string]map[uint32]uint16{}
	for doc, terms := range c {
		for _, term := range terms {
			if doc >= limit {
				continue
			}
			if held[term] == nil {
				held[term] = map[uint32]uint16{}
			}
			held[term][doc]++
		}
	}
	return held
}

// TestReadersBesideAWriter proves that a reader's answer does not change while
// the index grows under it, and that it sees all that was published.
func TestReadersBesideAWriter(t *testing.T) {
	const docs = 3000
	x := inverted.New()
	var published atomic.Uint32
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for limit := uint32(0); limit < docs; {
				limit = published.Load()
				if problem := reread(x, limit); problem != "" {
					t.Errorf("below %d: %s", limit, problem)
					return
				}
			}
		})
	}
	for doc := range uint32(docs) {
		x.Add(doc, []string{"every", fmt.Sprint("w", doc%7), fmt.Sprint("only", doc), "every"})
		published.Store(doc + 1)
	}
	readers.Wait()
}

func reread(x *inverted.Index, limit uint32) string {
	q := inverted.Query{Terms: []string{"every", "w3", fmt.Sprint("only", limit/2)}, Limit: limit, Docs: int(limit), Length: 4 * int64(limit), K: 4}
	if diff := cmp.Diff(x.Search(q), x.Search(q)); diff != "" {
		return diff
	}
	if got := x.DF("every", limit, nil); got != int(limit) {
		return fmt.Sprintf("%d documents hold the word that all hold", got)
	}
	if limit > 0 && x.DocLen(limit-1) != 4 {
		return "a published document has no length"
	}
	return ""
}

func docsOf(scored []topk.Scored) (docs []uint32) {
	for _, s := range scored {
		docs = append(docs, s.Doc)
	}
	return docs
}
