package analysis_test

import (
	"strings"
	"testing"

	"loci/engine/analysis"
)

// prose is plain English with a little of everything that a memory holds.
var prose = strings.Repeat(`The deployment to the staging cluster failed on Tuesday because the
migration had not been applied; Alice's team rolled it back within ten minutes and wrote a short
report about what they learned. We decided to keep the older database for another quarter, since
moving the customer records would have cost more than the licences do. `, 40)

func BenchmarkTerms(b *testing.B) {
	a := analysis.New()
	dst := a.Terms(prose, nil)
	b.SetBytes(int64(len(prose)))
	b.ReportAllocs()
	for b.Loop() {
		dst = a.Terms(prose, dst[:0])
	}
}

func BenchmarkTermsParallel(b *testing.B) {
	a := analysis.New()
	b.SetBytes(int64(len(prose)))
	b.RunParallel(func(pb *testing.PB) {
		var dst []string
		for pb.Next() {
			dst = a.Terms(prose, dst[:0])
		}
	})
}

func BenchmarkGist(b *testing.B) {
	a := analysis.New()
	dst := a.Gist(prose, nil)
	b.SetBytes(int64(len(prose)))
	b.ReportAllocs()
	for b.Loop() {
		dst = a.Gist(prose, dst[:0])
	}
}

func BenchmarkNormal(b *testing.B) {
	b.SetBytes(int64(len(prose)))
	b.ReportAllocs()
	for b.Loop() {
		analysis.Normal(prose)
	}
}

func BenchmarkWords(b *testing.B) {
	dst := analysis.Words(prose, nil)
	b.SetBytes(int64(len(prose)))
	b.ReportAllocs()
	for b.Loop() {
		dst = analysis.Words(prose, dst[:0])
	}
}
