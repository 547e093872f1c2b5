package topk_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"loci/engine/topk"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestBestIsASortCutShort holds Best against sorting everything.
func TestBestIsASortCutShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOf(rapid.Float64Range(0, 3).Filter(func(f float64) bool { return f == math.Floor(f*4)/4 || f > 2 })).Draw(t, "scores")
		k := rapid.IntRange(0, 12).Draw(t, "k")
		best := topk.New(k, len(scores))
		all := []topk.Scored{}
		for _, at := range rapid.Permutation(indexes(len(scores))).Draw(t, "order") {
			offered := topk.Scored{Doc: uint32(at), Score: scores[at]}
			all = append(all, offered)
			if k > 0 && !best.Wants(offered.Doc, offered.Score) && slices.Contains(top(all, k), offered) {
				t.Fatalf("does not want %v", offered)
			}
			best.Offer(offered.Doc, offered.Score)
		}
		if got, want := best.Sorted(), top(all, k); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func indexes(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func top(all []topk.Scored, k int) []topk.Scored {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b topk.Scored) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc)) })
	return all[:min(k, len(all))]
}

func TestNotANumberBelongsNowhere(t *testing.T) {
	best := topk.New(2, 2)
	best.Offer(1, math.NaN())
	best.Offer(2, 1)
	if got := best.Sorted(); len(got) != 1 || got[0].Doc != 2 {
		t.Fatal(got)
	}
}
