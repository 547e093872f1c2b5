package main

import (
	"fmt"
	"math"

	"loci/engine/embed/minilm/reference"
)

// addModel writes a rounded model and folds what can be folded, so that the
// forward pass has less to do.
func addModel(w *writer, r *rounded) {
	w.rows("word", r.word)
	w.rows("position", r.position)
	w.floats("type0", r.model.Type0)
	addNorm(w, "embed.ln", r.model.Norm)
	for l := range r.layers {
		addLayer(w, fmt.Sprintf("%d.", l), &r.model.Layers[l], &r.layers[l])
	}
}

func addNorm(w *writer, name string, n reference.Norm) {
	w.floats(name+".w", n.W)
	w.floats(name+".b", n.B)
}

// addLayer folds 1/√32 into the queries; drops the bias of the keys, because it
// moves all scores of a query alike and softmax does not see it; and adds the
// bias of the values, which passes through attention unchanged because its
// weights sum to one, to the bias of the output.
func addLayer(w *writer, name string, l *reference.Layer, r *roundedLayer) {
	scale(r.query.scale, 1/math.Sqrt(reference.HeadWidth))
	scale(l.Query.B, 1/math.Sqrt(reference.HeadWidth))
	for i := range l.Out.B {
		l.Out.B[i] += reference.Dot(l.Out.Row(i), l.Value.B)
	}
	w.rows(name+"qkv", stack(r.query, r.key, r.value))
	w.floats(name+"qkv.b", append(l.Query.B, make([]float64, 2*reference.Hidden)...))
	w.rows(name+"o", r.out)
	w.floats(name+"o.b", l.Out.B)
	addNorm(w, name+"ln1", l.Norm1)
	w.rows(name+"up", r.up)
	w.floats(name+"up.b", l.Up.B)
	w.rows(name+"down", r.down)
	w.floats(name+"down.b", l.Down.B)
	addNorm(w, name+"ln2", l.Norm2)
}

func scale(v []float64, by float64) {
	for i := range v {
		v[i] *= by
	}
}

// stack puts matrices of the same width on top of each other.
func stack(parts ...codes) (all codes) {
	for _, p := range parts {
		all.rows, all.cols = all.rows+p.rows, p.cols
		all.v, all.scale = append(all.v, p.v...), append(all.scale, p.scale...)
	}
	return all
}
