package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loci/engine/embed/kernel"
)

var shape = kernel.Shape{Hidden: 128, Inner: 256, MaxTokens: 160}

// layer is a small layer with made-up weights.
type layer struct {
	weights    []kernel.Weights // qkv, out, up, down
	gain, bias []float32
}

func newLayer(r *rand.Rand) layer {
	matrix := func(rows, cols int) kernel.Weights {
		w := kernel.Weights{
			Codes: make([]int8, rows*cols), Scales: make([]float32, rows),
			Bias: floats(r, rows, 0.1), Rows: rows, Cols: cols,
		}
		for i := range w.Codes {
			w.Codes[i] = int8(r.IntN(255) - 127)
		}
		for i := range w.Scales {
			w.Scales[i] = float32(0.5+r.Float64()) / float32(127*math.Sqrt(float64(cols)))
		}
		return w
	}
	h := shape.Hidden
	return layer{
		weights: []kernel.Weights{matrix(3*h, h), matrix(h, h), matrix(shape.Inner, h), matrix(h, shape.Inner)},
		gain:    floats(r, h, 1), bias: floats(r, h, 0.2),
	}
}

func floats(r *rand.Rand, n int, size float64) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(size * r.NormFloat64())
	}
	return v
}

// run takes texts through a whole layer on a path and gives the states.
func run(t *testing.T, p kernel.Path, l layer, x []float32, lengths []int) []float32 {
	t.Helper()
	e, err := kernel.New(p, shape)
	if err != nil {
		t.Fatal(err)
	}
	m, err := e.Pack(l.weights)
	if err != nil {
		t.Fatal(err)
	}
	w := e.NewWork()
	if err := w.Begin(len(x) / shape.Hidden); err != nil {
		t.Fatal(err)
	}
	copy(w.X, x)
	e.Normalize(w, l.gain, l.bias)
	e.Attend(w, m[0], m[1], lengths)
	e.Normalize(w, l.gain, l.bias)
	e.Feed(w, m[2], m[3])
	e.Normalize(w, l.gain, l.bias)
	return slices.Clone(w.X[:len(x)])
}

var batches = [][]int{
	{1}, {2}, {7}, {15}, {16}, {17}, {31}, {32}, {33}, {48}, {49}, {128}, {160},
	{1, 1, 1}, {5, 40, 3}, {16, 16}, {17, 15, 33, 1}, {64, 64}, {12, 12, 12, 12, 12, 12, 12, 12, 12, 12},
}

func sum(v []int) (n int) {
	for _, x := range v {
		n += x
	}
	return n
}

// TestEveryPathAgrees holds each path against the portable one. bf16 has eight
// bits of mantissa, so a layer's error is some thousandths of its size.
func TestEveryPathAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	l := newLayer(r)
	for _, lengths := range batches {
		x := floats(r, sum(lengths)*shape.Hidden, 2)
		want := run(t, kernel.Portable, l, x, lengths)
		for _, p := range kernel.Available() {
			bound := 1e-3
			if p == kernel.AMX {
				bound = 2e-2
			}
			t.Run(fmt.Sprintf("%v/%v", p, lengths), func(t *testing.T) {
				if e := distance(run(t, p, l, x, lengths), want); !(e < bound) {
					t.Errorf("relative error %.2g, bound %.2g", e, bound)
				}
			})
		}
	}
}

// distance is the length of a−b relative to that of b, at worst over the rows.
func distance(a, b []float32) (worst float64) {
	for at := 0; at < len(a); at += shape.Hidden {
		var d, n float64
		for i := at; i < at+shape.Hidden; i++ {
			d += float64(a[i]-b[i]) * float64(a[i]-b[i])
			n += float64(b[i]) * float64(b[i])
		}
		if e := math.Sqrt(d / n); !(e <= worst) {
			worst = e
		}
	}
	return worst
}

// TestNeighboursDoNotMatter holds I4, bit for bit.
func TestNeighboursDoNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	l := newLayer(r)
	lengths := []int{5, 33, 17, 1, 40}
	x := floats(r, sum(lengths)*shape.Hidden, 2)
	for _, p := range kernel.Available() {
		t.Run(p.String(), func(t *testing.T) {
			together := run(t, p, l, x, lengths)
			at := 0
			for _, n := range lengths {
				alone := run(t, p, l, x[at:at+n*shape.Hidden], []int{n})
				if d := cmp.Diff(alone, together[at:at+n*shape.Hidden]); d != "" {
					t.Errorf("text of %d: %s", n, d)
				}
				at += n * shape.Hidden
			}
		})
	}
}

// TestLargeScores: scores of some hundreds neither overflow nor vanish.
func TestLargeScores(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	l := newLayer(r)
	for i := range l.weights[0].Scales[:2*shape.Hidden] { // queries and keys
		l.weights[0].Scales[i] *= 12
	}
	x := floats(r, 40*shape.Hidden, 2)
	for _, p := range kernel.Available() {
		for _, v := range run(t, p, l, x, []int{40}) {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				t.Fatalf("%v: %v", p, v)
			}
		}
	}
}

func TestWhatDoesNotFitIsRefused(t *testing.T) {
	for _, s := range []kernel.Shape{{}, {Hidden: 100, Inner: 256, MaxTokens: 8}, {Hidden: 128, Inner: 100, MaxTokens: 8}, {Hidden: 128, Inner: 128}, {Hidden: 128, Inner: 128, MaxTokens: 513}} {
		if _, err := kernel.New(kernel.Auto, s); err == nil {
			t.Errorf("shape %+v is taken", s)
		}
	}
	if _, err := kernel.New(kernel.Path(99), shape); err == nil {
		t.Error("path 99 is taken")
	}
	e, err := kernel.New(kernel.Auto, shape)
	if err != nil {
		t.Fatal(err)
	}
	good := kernel.Weights{Codes: make([]int8, 32*64), Scales: make([]float32, 32), Bias: make([]float32, 32), Rows: 32, Cols: 64}
	for name, spoil := range map[string]func(w *kernel.Weights){
		"odd rows":       func(w *kernel.Weights) { w.Rows = 31 },
		"odd cols":       func(w *kernel.Weights) { w.Cols = 63 },
		"few codes":      func(w *kernel.Weights) { w.Codes = w.Codes[1:] },
		"few scales":     func(w *kernel.Weights) { w.Scales = w.Scales[1:] },
		"few biases":     func(w *kernel.Weights) { w.Bias = w.Bias[1:] },
		"nothing at all": func(w *kernel.Weights) { *w = kernel.Weights{} },
	} {
		w := good
		spoil(&w)
		if _, err := e.Pack([]kernel.Weights{good, w}); err == nil {
			t.Errorf("%s: packed", name)
		}
	}
	for _, n := range []int{-1, 0, shape.MaxTokens + 1} {
		if e.NewWork().Begin(n) == nil {
			t.Errorf("a pass of %d tokens begins", n)
		}
	}
}

func TestPaths(t *testing.T) {
	paths := kernel.Available()
	if paths[len(paths)-1] != kernel.Portable {
		t.Errorf("%v does not end with portable", paths)
	}
	e, err := kernel.New(kernel.Auto, shape)
	if err != nil || e.Path() != paths[0] {
		t.Errorf("auto is %v, %v; want %v", e.Path(), err, paths[0])
	}
	if got := fmt.Sprint(kernel.AMX, kernel.Auto, kernel.Path(77)); got != "amx auto path(77)" {
		t.Errorf("names: %s", got)
	}
}

func TestProject(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const outputs, tokens = 64, 37
	x, rows := floats(r, tokens*shape.Hidden, 1), floats(r, outputs*shape.Hidden, 1)
	var want []float32
	for i := range tokens {
		for o := range outputs {
			var s float64
			for k := range shape.Hidden {
				s += float64(x[i*shape.Hidden+k]) * float64(rows[o*shape.Hidden+k])
			}
			want = append(want, float32(s))
		}
	}
	for _, p := range kernel.Available() {
		e, err := kernel.New(p, shape)
		if err != nil {
			t.Fatal(err)
		}
		m, err := e.NewProjection(rows, outputs)
		if err != nil {
			t.Fatal(err)
		}
		w := e.NewWork()
		copy(w.X, x)
		if err := w.Begin(tokens); err != nil {
			t.Fatal(err)
		}
		for i, v := range e.Project(w, m) {
			if math.Abs(float64(v-want[i])) > 1e-3 {
				t.Fatalf("%v: number %d is %v, want %v", p, i, v, want[i])
			}
		}
		if _, err := e.NewProjection(rows[1:], outputs); err == nil {
			t.Error("a matrix with a number missing is packed")
		}
	}
}
