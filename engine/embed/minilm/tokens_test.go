package minilm_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loci/engine/embed/kernel"
	"loci/engine/embed/minilm"
)

// ids gives the tokens of words that are in the vocabulary as they stand.
func ids(t testing.TB, text string) []int32 {
	t.Helper()
	known := map[string]int32{}
	for id, w := range strings.Split(builtin(t).Vocab(), "\n") {
		known[w] = int32(id)
	}
	list := []int32{101}
	for w := range strings.FieldsSeq(text) {
		id, ok := known[w]
		if !ok {
			t.Fatalf("%q is not one token", w)
		}
		list = append(list, id)
	}
	return append(list, 102)
}

// maxSim sums, over the tokens of a without its two marks, the largest dot
// product with a token of b.
func maxSim(a, b minilm.TokenVectors) (sum float64) {
	for i := 1; i < a.Len()-1; i++ {
		best := int32(math.MinInt32)
		for j := 1; j < b.Len()-1; j++ {
			var s int32
			for k := range minilm.TokenDim {
				s += int32(a.Codes[i*minilm.TokenDim+k]) * int32(b.Codes[j*minilm.TokenDim+k])
			}
			best = max(best, s)
		}
		sum += float64(best) * float64(a.Scale) * float64(b.Scale)
	}
	return sum
}

func TestTokenVectorsFindTheParaphrase(t *testing.T) {
	query := "who repairs broken cars"
	texts := []string{
		query, "the mechanic fixed my old automobile yesterday", "we ate soup and bread in the garden",
		"the election results were announced on monday", "she plays the violin in an orchestra",
	}
	batch := make([][]int32, len(texts))
	for i, s := range texts {
		batch[i] = ids(t, s)
	}
	everyPath(t, func(t *testing.T, m *minilm.Model) {
		tokens := make([]minilm.TokenVectors, len(texts))
		if err := m.EmbedTokens(batch, newVectors(len(texts)), tokens); err != nil {
			t.Fatal(err)
		}
		right := maxSim(tokens[0], tokens[1])
		for i := 2; i < len(texts); i++ {
			if other := maxSim(tokens[0], tokens[i]); other >= right {
				t.Errorf("%q: %.3f, the paraphrase has %.3f", texts[i], other, right)
			}
		}
	})
}

// TestBothFromOnePass: asking for token vectors does not change the text's own,
// and a token's vector does not depend on the texts around it.
func TestBothFromOnePass(t *testing.T) {
	m := load(t, kernel.Auto)
	texts, _ := some(t, m)
	texts = texts[:min(20, len(texts))]
	n := len(texts)
	plain, with := newVectors(n), newVectors(n)
	tokens, alone := make([]minilm.TokenVectors, n), make([]minilm.TokenVectors, n)
	if err := m.Embed(texts, plain); err != nil {
		t.Fatal(err)
	}
	if err := m.EmbedTokens(texts, with, tokens); err != nil {
		t.Fatal(err)
	}
	for i := range texts {
		if err := m.EmbedTokens(texts[i:i+1], newVectors(1), alone[i:i+1]); err != nil {
			t.Fatal(err)
		}
		if tokens[i].Len() != len(texts[i]) {
			t.Errorf("text %d: %d token vectors for %d tokens", i, tokens[i].Len(), len(texts[i]))
		}
	}
	if d := cmp.Diff(plain, with); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(alone, tokens); d != "" {
		t.Error(d)
	}
}

// TestTokenVectorsKeepTheStates compares dot products of token vectors with the
// cosines of the states they stand for. 64 of 384 directions are no copy: 0.943
// was measured.
func TestTokenVectorsKeepTheStates(t *testing.T) {
	m := load(t, kernel.Auto)
	text := ids(t, "the mechanic fixed my old automobile yesterday and she plays the violin")
	states, err := m.States(text)
	if err != nil {
		t.Fatal(err)
	}
	tokens := make([]minilm.TokenVectors, 1)
	if err := m.EmbedTokens([][]int32{text}, newVectors(1), tokens); err != nil {
		t.Fatal(err)
	}
	var full, short []float32
	for i := range text {
		for j := range i {
			full = append(full, float32(cosine(states[i*minilm.Dim:][:minilm.Dim], states[j*minilm.Dim:][:minilm.Dim])))
			short = append(short, float32(dot(tokens[0], i, j)))
		}
	}
	if c := correlation(full, short); c < 0.9 {
		t.Errorf("correlation %.3f", c)
	}
}

func dot(v minilm.TokenVectors, i, j int) (s float64) {
	for k := range minilm.TokenDim {
		s += float64(v.Codes[i*minilm.TokenDim+k]) * float64(v.Codes[j*minilm.TokenDim+k])
	}
	return s * float64(v.Scale) * float64(v.Scale)
}

func correlation(a, b []float32) float64 {
	centre := func(v []float32) []float32 {
		var sum float64
		for _, x := range v {
			sum += float64(x)
		}
		c := make([]float32, len(v))
		for i, x := range v {
			c[i] = x - float32(sum/float64(len(v)))
		}
		return c
	}
	return cosine(centre(a), centre(b))
}

func TestStatic(t *testing.T) {
	s, err := minilm.LoadStatic()
	if err != nil {
		t.Fatal(err)
	}
	embed := func(text string, weight func(int32) float32) []float32 {
		v := make([]float32, minilm.StaticDim)
		if err := s.Embed(ids(t, text), weight, v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	query := embed("repair broken cars", nil)
	near, far := embed("the mechanic fixed my old automobile", nil), embed("we ate soup in the garden", nil)
	if a, b := cosine(query, near), cosine(query, far); a <= b {
		t.Errorf("the paraphrase has %.3f, another text %.3f", a, b)
	}
	if n := cosine(near, near); math.Abs(n-1) > 1e-6 {
		t.Errorf("not a unit vector: %v", n)
	}
	only := func(id int32) func(int32) float32 {
		return func(other int32) float32 {
			if other == id {
				return 1
			}
			return 0
		}
	}
	garden := ids(t, "garden")[1]
	if c := cosine(embed("we ate soup in the garden", only(garden)), embed("garden", nil)); c < 0.9999 {
		t.Errorf("a weight of zero still counts: %.4f", c)
	}
	if d := cmp.Diff(make([]float32, minilm.StaticDim), embed("", nil)); d != "" {
		t.Errorf("the empty text: %s", d)
	}
	for _, bad := range [][]int32{{-1}, {30522}} {
		if err := s.Embed(bad, nil, make([]float32, minilm.StaticDim)); err == nil {
			t.Errorf("%v is embedded", bad)
		}
	}
	if err := s.Embed(nil, nil, make([]float32, 3)); err == nil {
		t.Error("a vector of three is filled")
	}
}
