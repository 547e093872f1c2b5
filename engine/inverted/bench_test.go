package inverted_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"loci/engine/inverted"
)

// zipf makes documents of 30 terms whose frequencies fall as in real text.
func zipf(docs int) [][]string {
	random := rand.New(rand.NewPCG(1, 2))
	law := rand.NewZipf(random, 1.1, 4, 50_000)
	terms := make([]string, 50_001)
	for i := range terms {
		terms[i] = fmt.Sprint("term", i)
	}
	texts := make([][]string, docs)
	for i := range texts {
		for range 30 {
			texts[i] = append(texts[i], terms[law.Uint64()])
		}
	}
	return texts
}

func BenchmarkAdd30Terms(b *testing.B) {
	texts := zipf(20_000)
	x := inverted.New()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%1_000_000 == 0 {
			x = inverted.New() // keeps the memory of the benchmark in bounds
		}
		x.Add(uint32(i%1_000_000), texts[i%len(texts)])
	}
}

func BenchmarkSearch100k(b *testing.B) {
	const docs = 100_000
	x := inverted.New()
	for doc, terms := range zipf(docs) {
		x.Add(uint32(doc), terms)
	}
	live := func(doc uint32) bool { return doc%100 != 7 }
	for _, test := range []struct {
		name  string
		terms []string
	}{
		{"rare", []string{"term900", "term4000", "term20000"}},
		{"common", []string{"term0", "term1", "term900", "term4000"}},
	} {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.Search(inverted.Query{Terms: test.terms, Limit: docs, Docs: docs, Length: 30 * docs, Live: live, Accept: live, K: 50})
			}
		})
	}
}
