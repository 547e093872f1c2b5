package main

import (
	"fmt"

	"loci/engine/embed/minilm/reference"
)

// reader gathers the first error, so that the list of tensors reads as a list.
type reader struct {
	t   *tensors
	err error
}

func (r *reader) get(name string, rows, cols int) []float64 {
	var v []float64
	if r.err == nil {
		v, r.err = r.t.get(name, rows, cols)
	}
	if r.err != nil {
		return make([]float64, rows*cols)
	}
	return v
}

func (r *reader) linear(name string, rows, cols int) reference.Linear {
	return reference.Linear{Rows: rows, Cols: cols, W: r.get(name+".weight", rows, cols), B: r.get(name+".bias", 1, rows)}
}

func (r *reader) norm(name string) reference.Norm {
	return reference.Norm{W: r.get(name+".weight", 1, reference.Hidden), B: r.get(name+".bias", 1, reference.Hidden)}
}

// readModel reads what sentence embeddings need: not the pooler, and only the
// first of the two token types, since there is one text at a time.
func readModel(t *tensors) (*reference.Model, error) {
	r := &reader{t: t}
	m := &reference.Model{
		Word:     r.get("embeddings.word_embeddings.weight", reference.Vocab, reference.Hidden),
		Position: r.get("embeddings.position_embeddings.weight", reference.Positions, reference.Hidden),
		Type0:    r.get("embeddings.token_type_embeddings.weight", 2, reference.Hidden)[:reference.Hidden],
		Norm:     r.norm("embeddings.LayerNorm"),
	}
	for l := range m.Layers {
		m.Layers[l] = r.layer(fmt.Sprintf("encoder.layer.%d.", l))
	}
	if r.err != nil {
		return nil, fmt.Errorf("read model: %w", r.err)
	}
	return m, nil
}

func (r *reader) layer(name string) reference.Layer {
	const hidden, inner = reference.Hidden, reference.Inner
	return reference.Layer{
		Query: r.linear(name+"attention.self.query", hidden, hidden),
		Key:   r.linear(name+"attention.self.key", hidden, hidden),
		Value: r.linear(name+"attention.self.value", hidden, hidden),
		Out:   r.linear(name+"attention.output.dense", hidden, hidden),
		Norm1: r.norm(name + "attention.output.LayerNorm"),
		Up:    r.linear(name+"intermediate.dense", inner, hidden),
		Down:  r.linear(name+"output.dense", hidden, inner),
		Norm2: r.norm(name + "output.LayerNorm"),
	}
}
