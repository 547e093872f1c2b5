package main

import (
	"cmp"
	"math"
	"slices"

	"loci/engine/embed/minilm/reference"
)

// damping keeps the covariance of few samples invertible, as a share of its
// mean diagonal.
const damping = 0.01

// statistics says what the inputs of a layer look like.
type statistics struct {
	mean  []float64
	order []int // inputs by falling variance
	// With H the covariance in that order, H = UDUᵀ and U upper triangular with
	// ones on its diagonal, columns[k] is column k of U above the diagonal.
	// It says how much of each input before it shows in the k-th input, and
	// weight[k], which is D, how much of it is new.
	columns [][]float64
	weight  []float64
}

// observe takes the inputs of all texts, a row a token.
func observe(inputs [][]float64, cols int) *statistics {
	samples, weights := transpose(inputs, cols), tokenWeights(inputs, cols)
	s := &statistics{mean: make([]float64, cols), order: make([]int, cols)}
	for i, row := range samples {
		s.mean[i] = centre(row, weights)
		s.order[i] = i
	}
	variance := make([]float64, cols)
	for i, row := range samples {
		variance[i] = reference.Dot(row, row)
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(variance[b], variance[a]) })
	s.columns, s.weight = factor(covariance(samples, s.order))
	return s
}

func transpose(inputs [][]float64, cols int) [][]float64 {
	samples := make([][]float64, cols)
	for i := range samples {
		for _, x := range inputs {
			for at := i; at < len(x); at += cols {
				samples[i] = append(samples[i], x[at])
			}
		}
	}
	return samples
}

// tokenWeights lets a text of n tokens weigh as much as √n texts of one: less
// than its tokens, since a vector is their mean, and more than a single one.
// The weights sum to one.
func tokenWeights(inputs [][]float64, cols int) (weights []float64) {
	total := 0.0
	for _, x := range inputs {
		n := len(x) / cols
		weights = append(weights, slices.Repeat([]float64{1 / math.Sqrt(float64(n))}, n)...)
		total += math.Sqrt(float64(n))
	}
	for i := range weights {
		weights[i] /= total
	}
	return weights
}

// centre takes the mean out of a row, gives it, and weighs what is left so that
// the product of two rows is their covariance.
func centre(row, weights []float64) (mean float64) {
	mean = reference.Dot(row, weights)
	for i := range row {
		row[i] = float64((row[i] - mean) * math.Sqrt(weights[i]))
	}
	return mean
}

// covariance fills the upper triangle, damped.
func covariance(samples [][]float64, order []int) [][]float64 {
	n := len(order)
	h := make([][]float64, n)
	sideBySide(n, func(i int) {
		h[i] = make([]float64, n)
		for j := i; j < n; j++ {
			h[i][j] = reference.Dot(samples[order[i]], samples[order[j]])
		}
	})
	trace := 0.0
	for i := range h {
		trace += h[i][i]
	}
	for i := range h {
		h[i][i] += float64(damping*trace) / float64(n)
	}
	return h
}

// factor gives the columns of U and D from H = UDUᵀ, from the last to the first:
// U(i,j)·D(j) = H(i,j) − Σ U(i,k)·D(k)·U(j,k) over k > j.
func factor(h [][]float64) (columns [][]float64, d []float64) {
	n := len(h)
	columns, d = make([][]float64, n), make([]float64, n)
	u := h                       // U takes the place of H
	scaled := make([]float64, n) // row j of UD
	for j := n - 1; j >= 0; j-- {
		for k := j + 1; k < n; k++ {
			scaled[k] = float64(u[j][k] * d[k])
		}
		columns[j] = make([]float64, j)
		for i := j; i >= 0; i-- {
			v := u[i][j] - reference.Dot(u[i][j+1:], scaled[j+1:])
			if i == j {
				d[j] = v
				continue
			}
			u[i][j] = v / d[j]
			columns[j][i] = u[i][j]
		}
	}
	return columns, d
}
