package main

import (
	"math"
	"slices"
)

// moments gathers Σ vvᵀ and Σ v of vectors of one width.
type moments struct {
	width int
	count float64
	sum   []float64
	cross []float64 // upper triangle of width × width
}

func newMoments(width int) *moments {
	return &moments{width: width, sum: make([]float64, width), cross: make([]float64, width*width)}
}

func (m *moments) add(v []float32) {
	m.count++
	for i, x := range v {
		m.sum[i] += float64(x)
		row := m.cross[i*m.width : (i+1)*m.width]
		for j := i; j < m.width; j++ {
			row[j] += float64(x) * float64(v[j])
		}
	}
}

func (m *moments) mean() []float64 {
	mean := make([]float64, m.width)
	for i, s := range m.sum {
		mean[i] = s / m.count
	}
	return mean
}

// matrix is the mean of (v−centre)(v−centre)ᵀ for the centre zero or the mean.
func (m *moments) matrix(centre bool) []float64 {
	a, mean := make([]float64, m.width*m.width), m.mean()
	for i := range m.width {
		for j := i; j < m.width; j++ {
			v := m.cross[i*m.width+j] / m.count
			if centre {
				v -= mean[i] * mean[j]
			}
			a[i*m.width+j], a[j*m.width+i] = v, v
		}
	}
	return a
}

// directions gives the eigenvectors of a symmetric matrix with the n largest
// eigenvalues, as rows, and the share of the trace that those have. The sign of
// each is such that its largest number is positive.
func directions(a []float64, width, n int) (rows [][]float64, share float64) {
	values, vectors := jacobi(a, width)
	order := make([]int, width)
	var all float64
	for i := range order {
		order[i], all = i, all+values[i]
	}
	slices.SortFunc(order, func(i, j int) int {
		if values[i] > values[j] {
			return -1
		}
		return 1
	})
	for _, c := range order[:n] {
		row, top := make([]float64, width), 0.0
		for i := range row {
			row[i] = vectors[i*width+c]
			if math.Abs(row[i]) > math.Abs(top) {
				top = row[i]
			}
		}
		for i := range row {
			row[i] *= math.Copysign(1, top)
		}
		rows, share = append(rows, row), share+values[c]/all
	}
	return rows, share
}

// jacobi turns a to a diagonal by rotations; the columns of vectors are the
// eigenvectors. Plain and slow: 384 wide takes some seconds.
func jacobi(a []float64, n int) (values, vectors []float64) {
	vectors, values = make([]float64, n*n), make([]float64, n)
	for i := range n {
		vectors[i*n+i] = 1
	}
	for range 30 {
		var off, diagonal float64
		for p := range n {
			diagonal += a[p*n+p] * a[p*n+p]
			for q := p + 1; q < n; q++ {
				off += a[p*n+q] * a[p*n+q]
			}
		}
		if off < 1e-22*diagonal {
			break
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				rotate(a, vectors, n, p, q)
			}
		}
	}
	for i := range values {
		values[i] = a[i*n+i]
	}
	return values, vectors
}

// rotate makes a[p][q] zero.
func rotate(a, vectors []float64, n, p, q int) {
	if math.Abs(a[p*n+q]) < 1e-300 {
		return
	}
	theta := (a[q*n+q] - a[p*n+p]) / (2 * a[p*n+q])
	t := 1 / (math.Abs(theta) + math.Sqrt(theta*theta+1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(t*t+1)
	s := t * c
	for k := range n {
		x, y := a[k*n+p], a[k*n+q]
		a[k*n+p], a[k*n+q] = c*x-s*y, s*x+c*y
	}
	for k := range n {
		x, y := a[p*n+k], a[q*n+k]
		a[p*n+k], a[q*n+k] = c*x-s*y, s*x+c*y
		x, y = vectors[k*n+p], vectors[k*n+q]
		vectors[k*n+p], vectors[k*n+q] = c*x-s*y, s*x+c*y
	}
}
