package kernel

import (
	"math"
	"unsafe"
)

var portableOps = ops{
	block: 4, mul: mulPortable, widen: widenPortable, store: storePortable,
	add: addPortable, gelu: geluPortable, norm: normPortable, softmax: softmaxPortable,
}

func slice[T any](p *T, n int) []T { return unsafe.Slice(p, n) }

// mulPortable keeps four rows by four columns of sums in registers.
func mulPortable(rows, k int, a *float32, lda int, panelAt *float32, c *float32, ldc int) {
	as, ps := slice(a, (rows-1)*lda+k), slice(panelAt, k*panel)
	cs := slice(c, (rows-1)*ldc+panel)
	for r := 0; r < rows; r += 4 {
		a0, a1 := as[r*lda:][:k], as[(r+1)*lda:][:k]
		a2, a3 := as[(r+2)*lda:][:k], as[(r+3)*lda:][:k]
		for j := 0; j < panel; j += 2 {
			var s [8]float32
			s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7] = dot4x2(a0, a1, a2, a3, ps[j:])
			for i := range 4 {
				cs[(r+i)*ldc+j], cs[(r+i)*ldc+j+1] = s[2*i], s[2*i+1]
			}
		}
	}
}

// dot4x2 sums four rows with two columns of a panel.
func dot4x2(a0, a1, a2, a3, p []float32) (s00, s01, s10, s11, s20, s21, s30, s31 float32) {
	a1, a2, a3 = a1[:len(a0)], a2[:len(a0)], a3[:len(a0)]
	at := 0
	for i, x0 := range a0 {
		w := p[at : at+2 : at+2]
		w0, w1 := w[0], w[1]
		at += panel
		x1, x2, x3 := a1[i], a2[i], a3[i]
		s00 += x0 * w0
		s01 += x0 * w1
		s10 += x1 * w0
		s11 += x1 * w1
		s20 += x2 * w0
		s21 += x2 * w1
		s30 += x3 * w0
		s31 += x3 * w1
	}
	return
}

func widenPortable(n int, dst *float32, src *int8) {
	from, to := slice(src, n), slice(dst, n)
	for i, c := range from {
		to[i] = float32(c)
	}
}

func storePortable(rows int, c, scale, bias, out *float32, ldo int) {
	finishPortable(rows, c, scale, bias, out, ldo, func(to, v []float32) { copy(to, v) })
}

func addPortable(rows int, c, scale, bias, out *float32, ldo int) {
	finishPortable(rows, c, scale, bias, out, ldo, func(to, v []float32) {
		for j := range to {
			to[j] += v[j]
		}
	})
}

func geluPortable(rows int, c, scale, bias, out *float32, ldo int) {
	finishPortable(rows, c, scale, bias, out, ldo, func(to, v []float32) {
		for j := range to {
			to[j] = gelu(v[j])
		}
	})
}

// finishPortable scales each row in place and hands it on.
func finishPortable(rows int, c, scale, bias, out *float32, ldo int, put func(to, v []float32)) {
	s, b := slice(scale, panel), slice(bias, panel)
	cs, to := slice(c, rows*panel), slice(out, (rows-1)*ldo+panel)
	for r := range rows {
		row := cs[r*panel : (r+1)*panel]
		for j := range row {
			row[j] = row[j]*s[j] + b[j]
		}
		put(to[r*ldo:][:panel], row)
	}
}

// gelu is v·Φ(v), with Φ − ½ as an odd polynomial of degree 17 on ±4. The error
// of Φ stays under 6e-6 there, and under 4e-5 beyond, where Φ stays as it is at 4.
func gelu(v float32) float32 {
	x := min(max(v, -4), 4)
	y := x * x
	p := float32(8.057801648e-11)
	p = p*y - 6.999841394e-09
	p = p*y + 2.715198174e-07
	p = p*y - 6.293665160e-06
	p = p*y + 9.889756307e-05
	p = p*y - 1.133875255e-03
	p = p*y + 9.877365842e-03
	p = p*y - 6.641048764e-02
	p = p*y + 3.989227581e-01
	return v * (x*p + 0.5)
}

// normEpsilon is the model's own.
const normEpsilon = 1e-12

func normPortable(rows, width int, x, gain, bias *float32) {
	xs, g, b := slice(x, rows*width), slice(gain, width), slice(bias, width)
	for r := range rows {
		row := xs[r*width : (r+1)*width]
		var sum float32
		for _, v := range row {
			sum += v
		}
		mean := sum / float32(width)
		var square float32
		for _, v := range row {
			square += (v - mean) * (v - mean)
		}
		inv := 1 / float32(math.Sqrt(float64(square/float32(width)+normEpsilon)))
		for j, v := range row {
			row[j] = (v-mean)*inv*g[j] + b[j]
		}
	}
}

func softmaxPortable(rows, n int, s *float32, lds int) {
	all := slice(s, (rows-1)*lds+roundUp(n, panel))
	for r := range rows {
		row := all[r*lds:][:n]
		top := row[0]
		for _, v := range row {
			top = max(top, v)
		}
		var sum float32
		for j, v := range row {
			row[j] = exp(v - top)
			sum += row[j]
		}
		inv := 1 / sum
		for j := range row {
			row[j] *= inv
		}
		clear(all[r*lds+n : r*lds+roundUp(n, panel)])
	}
}

// exp is e^x for x ≤ 0: 2^n times a polynomial on ±ln2/2, error about 2e-7.
func exp(x float32) float32 {
	x = max(x, -87)
	n := float32(math.RoundToEven(float64(x * expLog2)))
	r := x - n*expHigh
	r -= n * expLow
	p := float32(1.0 / 720)
	p = p*r + 1.0/120
	p = p*r + 1.0/24
	p = p*r + 1.0/6
	p = p*r + 0.5
	p = p*r + 1
	p = p*r + 1
	return p * math.Float32frombits(uint32(int32(n)+127)<<23)
}

const (
	expLog2 = 1.44269504
	expHigh = 0.693359375
	expLow  = -2.12194440e-4
)
