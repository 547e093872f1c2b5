package main

import (
	_ "embed"
	"strings"

	"loci/engine/embed/minilm/reference"
	"loci/engine/embed/wordpiece"
)

// calibration.txt holds short texts of many kinds and languages, one a line. No
// golden text is among them.
//
//go:embed calibration.txt
var calibrationTexts string

// calibrationIDs are the texts as tokens, made-up lists of tokens, so that no
// script goes unseen, runs of one character or token, whose errors are all the
// same and do not cancel out in the mean, and texts as long as they get, so that
// every position is seen.
func calibrationIDs(vocab string) [][]int32 {
	tokenizer, draw := wordpiece.New(vocab), &lottery{1}
	lines := strings.Split(calibrationTexts, "\n")
	var list [][]int32
	for _, text := range lines {
		list = append(list, tokenizer.Encode(text, nil, 0))
	}
	for n := range 40 {
		list = append(list, enclose(1+n%24, draw.token))
	}
	for c := '!'; c <= '~'; c++ {
		list = append(list, tokenizer.Encode(strings.Repeat(string(c), 30), nil, 0))
	}
	for n := 4; n <= 256; n *= 2 {
		word := draw.token()
		list = append(list, enclose(min(n, 254), func() int32 { return word }))
	}
	for part := range 4 {
		list = append(list, tokenizer.Encode(strings.Join(lines[part*len(lines)/5:], " "), nil, 0))
	}
	return list
}

// enclose makes a list of n tokens between [CLS] and [SEP].
func enclose(n int, token func() int32) []int32 {
	ids := []int32{101}
	for range n {
		ids = append(ids, token())
	}
	return append(ids, 102)
}

// lottery draws numbers, the same on every run: the generator of Knuth's MMIX.
type lottery struct{ state uint64 }

// token draws from the vocabulary in use, behind the unused and special tokens.
func (l *lottery) token() int32 {
	const first = 999
	l.state = l.state*6364136223846793005 + 1442695040888963407
	return first + int32(l.state>>33)%(reference.Vocab-first)
}

// rounded is the model in codes; the biases and norms are in the model itself.
type rounded struct {
	model          *reference.Model
	word, position codes
	layers         [reference.Layers]roundedLayer
}

type roundedLayer struct{ query, key, value, out, up, down codes }

// roundModel rounds from the bottom to the top. Each matrix is fitted to the
// inputs that reach it through what was rounded before, so that errors do not
// pile up unseen. It changes m into what was rounded.
func roundModel(m *reference.Model, texts [][]int32) *rounded {
	r := &rounded{model: m}
	r.word = nearest(m.Word, reference.Vocab, reference.Hidden, m.Norm.W)
	r.position = nearest(m.Position, reference.Positions, reference.Hidden, m.Norm.W)
	m.Word, m.Position = r.word.values(), r.position.values()
	states := through(len(texts), func(i int) []float64 { return m.Start(texts[i]) })
	for l := range m.Layers {
		r.layers[l], states = roundLayer(&m.Layers[l], states)
	}
	return r
}

// roundLayer gives the states behind the layer as well.
func roundLayer(l *reference.Layer, states [][]float64) (r roundedLayer, after [][]float64) {
	s := observe(states, reference.Hidden)
	r.query, r.key, r.value = fitted(&l.Query, s), fitted(&l.Key, s), fitted(&l.Value, s)
	attended := through(len(states), func(i int) []float64 { return l.Attend(states[i]) })
	r.out = fitted(&l.Out, observe(attended, reference.Hidden))
	middle := through(len(states), func(i int) []float64 { return l.Join(states[i], attended[i]) })
	r.up = fitted(&l.Up, observe(middle, reference.Hidden))
	wide := through(len(states), func(i int) []float64 { return l.Widen(middle[i]) })
	r.down = fitted(&l.Down, observe(wide, reference.Inner))
	return r, through(len(states), func(i int) []float64 { return l.Close(middle[i], wide[i]) })
}

func through(n int, f func(i int) []float64) [][]float64 {
	after := make([][]float64, n)
	sideBySide(n, func(i int) { after[i] = f(i) })
	return after
}
