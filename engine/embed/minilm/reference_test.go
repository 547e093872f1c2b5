package minilm_test

import (
	"math"
	"strconv"
	"testing"

	"loci/engine/embed/minilm"
	"loci/engine/embed/minilm/reference"
)

// TestWeightsGiveTheVectors runs the plain forward pass on the weight file: it
// must say what the original weights say, for a text of every kind. A few short
// ones will do here; the fast forward pass reads them all.
func TestWeightsGiveTheVectors(t *testing.T) {
	m := plainModel(builtin(t))
	seen := 0
	for i, g := range goldens(t) {
		if (i%70 != 3 && g.text != "") || len(g.ids) > 16 {
			continue
		}
		seen++
		v := m.Embed(g.ids)
		if c := cosine(narrow(v), g.vector); c < 0.999 {
			t.Errorf("%.60q: cosine %.5f", g.text, c)
		}
	}
	if seen < 4 {
		t.Errorf("only %d texts were short enough", seen)
	}
}

// plainModel reads the weight file into the reference. The folded parts fit its
// formulas as they are, except for the queries.
func plainModel(f *minilm.File) *reference.Model {
	m := &reference.Model{
		Word: values(f, "word"), Position: values(f, "position"),
		Type0: wide(f.Floats("type0")), Norm: plainNorm(f, "embed.ln"),
	}
	for l := range m.Layers {
		m.Layers[l] = plainLayer(f, strconv.Itoa(l)+".")
	}
	return m
}

func plainLayer(f *minilm.File, name string) reference.Layer {
	const h = reference.Hidden
	w, b := values(f, name+"qkv"), wide(f.Floats(name+"qkv.b"))
	part := func(n int) reference.Linear {
		return reference.Linear{Rows: h, Cols: h, W: w[n*h*h : (n+1)*h*h], B: b[n*h : (n+1)*h]}
	}
	l := reference.Layer{
		Query: part(0), Key: part(1), Value: part(2), Out: plainLinear(f, name+"o"), Norm1: plainNorm(f, name+"ln1"),
		Up: plainLinear(f, name+"up"), Down: plainLinear(f, name+"down"), Norm2: plainNorm(f, name+"ln2"),
	}
	for _, v := range [][]float64{l.Query.W, l.Query.B} {
		for i := range v {
			v[i] *= math.Sqrt(reference.HeadWidth)
		}
	}
	return l
}

func plainLinear(f *minilm.File, name string) reference.Linear {
	_, _, rows, cols := f.Rows(name)
	return reference.Linear{Rows: rows, Cols: cols, W: values(f, name), B: wide(f.Floats(name + ".b"))}
}

func plainNorm(f *minilm.File, name string) reference.Norm {
	return reference.Norm{W: wide(f.Floats(name + ".w")), B: wide(f.Floats(name + ".b"))}
}

func values(f *minilm.File, name string) []float64 {
	codes, scales, _, cols := f.Rows(name)
	v := make([]float64, len(codes))
	for i, c := range codes {
		v[i] = float64(c) * float64(scales[i/cols])
	}
	return v
}

func wide(v []float32) []float64 {
	w := make([]float64, len(v))
	for i, x := range v {
		w[i] = float64(x)
	}
	return w
}

func narrow(v []float64) []float32 {
	n := make([]float32, len(v))
	for i, x := range v {
		n[i] = float32(x)
	}
	return n
}
