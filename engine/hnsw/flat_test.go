package hnsw_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"loci/engine/hnsw"
	"loci/engine/topk"
)

func TestDotAgreesWithTheDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 7, 8, 9, 16, 255, 256, 384} {
		a, b := vector(random, n), vector(random, n)
		var want float64
		for i := range a {
			want += float64(a[i]) * float64(b[i])
		}
		if got := hnsw.Dot(a, b); math.Abs(float64(got)-want) > 1e-4 {
			t.Errorf("dot of %d floats: got %v, want %v", n, got, want)
		}
		if hnsw.Dot(a, b) != hnsw.Dot(b, a) {
			t.Errorf("dot of %d floats depends on the order of its arguments", n)
		}
	}
}

func TestSearchRanksBySimilarityThenDocument(t *testing.T) {
	f := hnsw.NewFlat(2)
	f.Add(3, []float32{1, 0})
	f.Add(5, []float32{0, 1})
	f.Add(9, []float32{1, 0})
	f.Add(12, []float32{float32(math.NaN()), 0})
	even := func(doc uint32) bool { return doc%2 == 0 }
	odd := func(doc uint32) bool { return doc%2 == 1 }
	for _, test := range []struct {
		name   string
		limit  uint32
		accept func(uint32) bool
		k      int
		want   []topk.Scored
	}{
		{"all, not a number left out", 100, nil, 10, []topk.Scored{{Doc: 3, Score: 1}, {Doc: 9, Score: 1}, {Doc: 5, Score: 0}}},
		{"ties go to the smaller document", 100, odd, 1, []topk.Scored{{Doc: 3, Score: 1}}},
		{"limit hides", 9, nil, 10, []topk.Scored{{Doc: 3, Score: 1}, {Doc: 5, Score: 0}}},
		{"nothing accepted", 100, even, 10, []topk.Scored{}},
		{"nothing asked for", 100, nil, 0, []topk.Scored{}},
		{"nothing below the limit", 0, nil, 3, []topk.Scored{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := f.Search([]float32{1, 0}, test.limit, test.accept, test.k)
			if diff := gocmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestVectorIsACopyOfWhatWasAdded(t *testing.T) {
	f := hnsw.NewFlat(3)
	given := []float32{1, 2, 3}
	f.Add(7, given)
	given[0] = 100
	if diff := gocmp.Diff([]float32{1, 2, 3}, f.Vector(7)); diff != "" {
		t.Error(diff)
	}
	if f.Vector(6) != nil || f.Vector(8) != nil {
		t.Error("a document that was never added has a vector")
	}
	if f.Len() != 1 || f.Dim() != 3 {
		t.Errorf("got %d vectors of %d, want 1 of 3", f.Len(), f.Dim())
	}
}

func TestMisuseIsNamed(t *testing.T) {
	f := hnsw.NewFlat(2)
	f.Add(4, []float32{1, 1})
	for _, test := range []struct {
		want string
		call func()
	}{
		{"not above 4", func() { f.Add(4, []float32{1, 1}) }},
		{"vector has 3 dimensions, index has 2", func() { f.Add(5, []float32{1, 1, 1}) }},
		{"vector has 1 dimensions, index has 2", func() { f.Search([]float32{1}, 9, nil, 1) }},
		{"dimension 0 is not positive", func() { hnsw.NewFlat(0) }},
	} {
		if got := panicOf(test.call); !strings.Contains(got, test.want) {
			t.Errorf("got panic %q, want one with %q", got, test.want)
		}
	}
	if f.Len() != 1 {
		t.Errorf("a refused vector was kept: %d vectors", f.Len())
	}
}

// TestSearchAgreesWithSorting holds the index against sorting all vectors.
func TestSearchAgreesWithSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.SampledFrom([]int{1, 3, 8, 256, 3000, 9000}).Draw(t, "dim")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		f, kept, doc := hnsw.NewFlat(dim), map[uint32][]float32{}, uint32(0)
		for range rapid.IntRange(0, 80).Draw(t, "vectors") {
			doc += 1 + uint32(random.IntN(1000))
			kept[doc] = vector(random, dim)
			f.Add(doc, kept[doc])
		}
		q, limit := vector(random, dim), uint32(random.IntN(int(doc)+2))
		accept := func(doc uint32) bool { return doc%3 != 0 }
		k := rapid.IntRange(1, 20).Draw(t, "k")
		if diff := gocmp.Diff(sorted(kept, q, limit, accept, k), f.Search(q, limit, accept, k)); diff != "" {
			t.Fatal(diff)
		}
		for doc, v := range kept {
			if !slices.Equal(v, f.Vector(doc)) {
				t.Fatalf("document %d has another vector", doc)
			}
		}
	})
}

// TestReadersBesideAWriter proves that a reader's answer does not change while
// the index grows under it.
func TestReadersBesideAWriter(t *testing.T) {
	const dim, docs = 64, 2000
	random := rand.New(rand.NewPCG(3, 4))
	vectors := make([][]float32, docs)
	for i := range vectors {
		vectors[i] = vector(random, dim)
	}
	f := hnsw.NewFlat(dim)
	var published atomic.Uint32
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for limit := uint32(0); limit < docs; {
				limit = published.Load()
				first := f.Search(vectors[0], limit, nil, 5)
				if diff := gocmp.Diff(first, f.Search(vectors[0], limit, nil, 5)); diff != "" {
					t.Errorf("below %d the answer changed: %s", limit, diff)
					return
				}
				if len(first) != min(5, int(limit)) {
					t.Errorf("below %d: %d found", limit, len(first))
					return
				}
			}
		})
	}
	for doc, v := range vectors {
		f.Add(uint32(doc), v)
		published.Store(uint32(doc) + 1)
	}
	readers.Wait()
}

func BenchmarkDot256(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	x, y := vector(random, 256), vector(random, 256)
	for b.Loop() {
		hnsw.Dot(x, y)
	}
}

func BenchmarkSearch10k(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	f := hnsw.NewFlat(256)
	for doc := range uint32(10_000) {
		f.Add(doc, vector(random, 256))
	}
	q := vector(random, 256)
	b.ReportAllocs()
	for b.Loop() {
		f.Search(q, 10_000, nil, 20)
	}
}

func BenchmarkAdd(b *testing.B) {
	v := vector(rand.New(rand.NewPCG(1, 2)), 256)
	f := hnsw.NewFlat(256)
	b.ReportAllocs()
	for doc := uint32(0); b.Loop(); doc++ {
		if doc == 100_000 {
			f, doc = hnsw.NewFlat(256), 0 // keeps the memory of the benchmark in bounds
		}
		f.Add(doc, v)
	}
}

func vector(random *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = random.Float32() - 0.5
	}
	return v
}

func sorted(kept map[uint32][]float32, q []float32, limit uint32, accept func(uint32) bool, k int) []topk.Scored {
	all := []topk.Scored{}
	for doc, v := range kept {
		if doc < limit && accept(doc) {
			all = append(all, topk.Scored{Doc: doc, Score: float64(hnsw.Dot(q, v))})
		}
	}
	slices.SortFunc(all, func(a, b topk.Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc))
	})
	return all[:min(k, len(all))]
}

func panicOf(call func()) (message string) {
	defer func() {
		if p := recover(); p != nil {
			message, _ = p.(string)
		}
	}()
	call()
	return ""
}
