package minilm_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loci/engine/embed/kernel"
	"loci/engine/embed/minilm"
)

func newVectors(n int) [][]float32 {
	all := make([]float32, n*minilm.Dim)
	vectors := make([][]float32, n)
	for i := range vectors {
		vectors[i] = all[i*minilm.Dim : (i+1)*minilm.Dim]
	}
	return vectors
}

// load gives a model for a path; models are kept, since each packs its weights.
func load(t testing.TB, p kernel.Path) *minilm.Model {
	t.Helper()
	loaded.Lock()
	defer loaded.Unlock()
	if m := loaded.models[p]; m != nil {
		return m
	}
	f, err := minilm.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	m, err := minilm.Load(f, minilm.Options{Path: p})
	if err != nil {
		t.Fatal(err)
	}
	loaded.models[p] = m
	return m
}

var loaded = struct {
	sync.Mutex
	models map[kernel.Path]*minilm.Model
}{models: map[kernel.Path]*minilm.Model{}}

// everyPath runs a test on each path this machine has, the best first.
func everyPath(t *testing.T, f func(t *testing.T, m *minilm.Model)) {
	for _, p := range kernel.Available() {
		t.Run(p.String(), func(t *testing.T) { f(t, load(t, p)) })
	}
}

// some takes part of the goldens for a path that would take minutes over all:
// of the slow paths short texts only, and few where the race detector watches
// every number that the compiler's own code touches.
func some(t testing.TB, m *minilm.Model) (texts [][]int32, want [][]float32) {
	step, longest := 1, minilm.MaxTokens
	switch m.Path() {
	case kernel.AVX2:
		step = 4
	case kernel.NEON, kernel.Portable:
		step, longest = 50, 24
	}
	if testing.Short() {
		step *= 4
	}
	if raceEnabled && m.Path() == kernel.Portable {
		step, longest = 250, 16
	}
	for i, g := range goldens(t) {
		if i%step == 0 && len(g.ids) <= longest {
			texts, want = append(texts, g.ids), append(want, g.vector)
		}
	}
	return texts, want
}

func TestVectorsMatchTheReference(t *testing.T) {
	everyPath(t, func(t *testing.T, m *minilm.Model) {
		texts, want := some(t, m)
		got := newVectors(len(texts))
		if err := m.Embed(texts, got); err != nil {
			t.Fatal(err)
		}
		worst, sum := 2.0, 0.0
		for i := range got {
			c := cosine(got[i], want[i])
			if !(c >= 0.999) {
				t.Errorf("text %d (%d tokens): cosine %.6f", i, len(texts[i]), c)
			}
			worst, sum = min(worst, c), sum+c
		}
		t.Logf("%d texts: cosine at least %.6f, mean %.6f", len(got), worst, sum/float64(len(got)))
	})
}

func TestATextDoesNotSeeItsNeighbours(t *testing.T) {
	everyPath(t, func(t *testing.T, m *minilm.Model) {
		texts, _ := some(t, m)
		texts = texts[:min(11, len(texts))]
		if m.Path() == kernel.Portable {
			texts = texts[:min(3, len(texts))]
		}
		alone, together := newVectors(len(texts)), newVectors(len(texts))
		for i := range texts {
			if err := m.Embed(texts[i:i+1], alone[i:i+1]); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.Embed(texts, together); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(alone, together); d != "" {
			t.Error(d)
		}
	})
}

func TestLengthsFromOneTokenToTooMany(t *testing.T) {
	long := make([]int32, 300)
	for i := range long {
		long[i] = int32(1000 + 37*i%20000)
	}
	everyPath(t, func(t *testing.T, m *minilm.Model) {
		lengths := []int{1, 2, 15, 16, 17, 31, 32, 33, 48, 127, 128, 129, 255, 256}
		if m.Path() == kernel.Portable || m.Path() == kernel.NEON {
			lengths = []int{1, 17}
		}
		base := load(t, slices.MinFunc(kernel.Available(), simplestFast))
		for _, n := range lengths {
			got, want := newVectors(1), newVectors(1)
			if err := errors.Join(m.Embed([][]int32{long[:n]}, got), base.Embed([][]int32{long[:n]}, want)); err != nil {
				t.Fatal(err)
			}
			if c := cosine(got[0], want[0]); !(c > 0.9995) {
				t.Errorf("%d tokens: cosine %.6f with %v", n, c, base.Path())
			}
		}
	})
}

// simplestFast orders paths by how plain they are, the portable one last because
// it is slow.
func simplestFast(a, b kernel.Path) int {
	rank := func(p kernel.Path) int {
		if p == kernel.Portable {
			return 99
		}
		return int(p)
	}
	return rank(a) - rank(b)
}

func TestALongTextIsReadUpToTheBound(t *testing.T) {
	long := make([]int32, minilm.MaxTokens+50)
	for i := range long {
		long[i] = int32(2000 + i)
	}
	m := load(t, kernel.Auto)
	got := newVectors(2)
	if err := m.Embed([][]int32{long, long[:minilm.MaxTokens]}, got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(got[0], got[1]); d != "" {
		t.Error(d)
	}
}

func TestWhatIsNoTextIsRefused(t *testing.T) {
	m := load(t, kernel.Auto)
	for name, c := range map[string]struct {
		texts [][]int32
		dst   [][]float32
	}{
		"no tokens":        {[][]int32{{}}, newVectors(1)},
		"id below zero":    {[][]int32{{-1}}, newVectors(1)},
		"id beyond":        {[][]int32{{30522}}, newVectors(1)},
		"too few vectors":  {[][]int32{{101}, {102}}, newVectors(1)},
		"a vector of five": {[][]int32{{101}}, [][]float32{make([]float32, 5)}},
	} {
		t.Run(name, func(t *testing.T) {
			if err := m.Embed(c.texts, c.dst); !errors.Is(err, minilm.ErrTokens) {
				t.Errorf("got %v, want ErrTokens", err)
			}
		})
	}
}

func TestEmbedAllocatesNothing(t *testing.T) {
	m := load(t, kernel.Auto)
	texts, _ := some(t, m)
	texts = texts[:min(8, len(texts))]
	dst := newVectors(len(texts))
	got := testing.AllocsPerRun(20, func() {
		if err := m.Embed(texts, dst); err != nil {
			t.Fatal(err)
		}
	})
	if got >= 1 && !raceEnabled {
		t.Errorf("%v allocations for %d texts", got, len(texts))
	}
}

func ExampleModel_Embed() {
	f, _ := minilm.Builtin()
	m, _ := minilm.Load(f, minilm.Options{})
	dst := [][]float32{make([]float32, minilm.Dim), make([]float32, minilm.Dim)}
	_ = m.Embed([][]int32{{101, 7592, 102}, {101, 7632, 102}}, dst) // hello, hi
	fmt.Println(cosine(dst[0], dst[1]) > 0.7)
	// Output: true
}
