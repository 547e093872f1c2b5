package embed

import (
	"fmt"
	"sync"

	"loci/engine/embed/minilm"
	"loci/engine/embed/wordpiece"
)

// What the built-in model is called, and the length of its vectors.
const (
	MiniLMID  = "minilm-l6-v2/int8"
	MiniLMDim = minilm.Dim
)

// MiniLM is the model inside the binary as a [Model]: all-MiniLM-L6-v2 behind
// its own tokenizer. It is safe for concurrent use.
type MiniLM struct {
	model   *minilm.Model
	words   *wordpiece.Tokenizer
	scratch sync.Pool // *tokens
}

var _ Model = (*MiniLM)(nil)

// tokens is the ids of a batch, kept between batches.
type tokens struct{ lists [][]int32 }

// NewMiniLM loads the model.
func NewMiniLM() (*MiniLM, error) {
	file, err := minilm.Builtin()
	if err != nil {
		return nil, fmt.Errorf("load the built-in model: %w", err)
	}
	model, err := minilm.Load(file, minilm.Options{})
	if err != nil {
		return nil, fmt.Errorf("load the built-in model: %w", err)
	}
	m := &MiniLM{model: model, words: wordpiece.New(file.Vocab())}
	m.scratch.New = func() any { return &tokens{} }
	return m, nil
}

// ID names the model and the rounding of its weights.
func (m *MiniLM) ID() string { return MiniLMID }

// Dim is the length of its vectors.
func (m *MiniLM) Dim() int { return MiniLMDim }

// Path names the kernel in use, for logs.
func (m *MiniLM) Path() string { return m.model.Path().String() }

// Tokens is how many tokens the model reads of a text.
func (m *MiniLM) Tokens(text string) int { return min(m.words.Count(text), minilm.MaxTokens) }

// EmbedBatch writes the vector of each text into dst.
func (m *MiniLM) EmbedBatch(texts []string, dst [][]float32) error {
	s := m.scratch.Get().(*tokens)
	defer m.scratch.Put(s)
	for len(s.lists) < len(texts) {
		s.lists = append(s.lists, nil)
	}
	for i, text := range texts {
		s.lists[i] = m.words.Encode(text, s.lists[i][:0], minilm.MaxTokens)
	}
	return m.model.Embed(s.lists[:len(texts)], dst)
}
