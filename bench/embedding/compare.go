package embedding

import (
	"context"
	"fmt"
	"math"
)

// compare holds the vectors of the sides against each other (I3).
func (r *run) compare(context.Context) error {
	var sample [][]int32
	for _, tokens := range []int{12, 32, 200} {
		sample = append(sample, r.texts[tokens][:20]...)
	}
	vectors := map[string][][]float32{}
	for _, s := range r.sides {
		if vectors[s.name] != nil {
			continue
		}
		a, err := s.ask(request{Op: "vectors", Texts: sample})
		if err != nil {
			return err
		}
		vectors[s.name] = a.Vectors
	}
	for _, pair := range [][2]string{{Ours, F32}, {Int8, F32}, {Ours, Int8}} {
		a, b := vectors[pair[0]], vectors[pair[1]]
		if a == nil || b == nil {
			continue
		}
		c := compareVectors(pair[0], pair[1], a, b)
		if pair == [2]string{Ours, F32} && !(c.Min >= 0.99) {
			return fmt.Errorf("the sides compute different things: cosine %.4f between %s and %s", c.Min, c.A, c.B)
		}
		r.report.Cosines = append(r.report.Cosines, c)
	}
	return nil
}

func compareVectors(nameA, nameB string, a, b [][]float32) Cosine {
	c := Cosine{A: nameA, B: nameB, Texts: len(a), Min: 1}
	for i := range a {
		cos := cosine(a[i], b[i])
		c.Mean += cos / float64(len(a))
		c.Min = min(c.Min, cos)
	}
	return c
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}
