package reference

import "math"

// Apply gives Wx + B for every row x of a batch.
func (l *Linear) Apply(x []float64) []float64 {
	n := len(x) / l.Cols
	y := make([]float64, n*l.Rows)
	for t := range n {
		row := x[t*l.Cols : (t+1)*l.Cols]
		for r := range l.Rows {
			y[t*l.Rows+r] = Dot(l.Row(r), row) + l.B[r]
		}
	}
	return y
}

// Dot adds in four sums side by side and in a fixed order (I1).
func Dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += float64(a[i] * b[i])
		s1 += float64(a[i+1] * b[i+1])
		s2 += float64(a[i+2] * b[i+2])
		s3 += float64(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float64(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// attendHead fills the columns from..from+HeadWidth of out.
func attendHead(q, k, v, out []float64, from int) {
	n := len(q) / Hidden
	scores := make([]float64, n)
	part := func(m []float64, t int) []float64 { return m[t*Hidden+from : t*Hidden+from+HeadWidth] }
	for t := range n {
		for u := range n {
			scores[u] = Dot(part(q, t), part(k, u)) / math.Sqrt(HeadWidth)
		}
		softmax(scores)
		for u, weight := range scores {
			addScaled(part(out, t), part(v, u), weight)
		}
	}
}

func softmax(x []float64) {
	top, total := x[0], 0.0
	for _, v := range x {
		top = max(top, v)
	}
	for i, v := range x {
		x[i] = exp(v - top)
		total += x[i]
	}
	for i := range x {
		x[i] /= total
	}
}

func (n Norm) apply(x []float64) []float64 {
	y := make([]float64, len(x))
	for at := 0; at < len(x); at += Hidden {
		row := x[at : at+Hidden]
		mean, variance := 0.0, 0.0
		for _, v := range row {
			mean += v / Hidden
		}
		for _, v := range row {
			variance += float64((v-mean)*(v-mean)) / Hidden
		}
		scale := 1 / math.Sqrt(variance+epsilon)
		for i, v := range row {
			y[at+i] = float64(float64((v-mean)*scale)*n.W[i]) + n.B[i]
		}
	}
	return y
}

// Pool is the mean of the rows, scaled to unit length.
func Pool(x []float64) []float64 {
	v := make([]float64, Hidden)
	for at := 0; at < len(x); at += Hidden {
		addScaled(v, x[at:at+Hidden], float64(Hidden)/float64(len(x)))
	}
	length := math.Sqrt(Dot(v, v))
	for i := range v {
		v[i] /= length
	}
	return v
}

func addScaled(to, from []float64, by float64) {
	for i := range to {
		to[i] += float64(from[i] * by)
	}
}

func sum(a, b []float64) []float64 {
	c := make([]float64, len(a))
	for i := range a {
		c[i] = a[i] + b[i]
	}
	return c
}

// gelu is the exact form, x·Φ(x).
func gelu(x float64) float64 { return x / 2 * (1 + erf(x/math.Sqrt2)) }

// exp takes out the whole powers of two and sums the series of what is left, at
// most ln 2 / 2; the error is below 1e-15 (I1).
func exp(x float64) float64 {
	if x < -700 {
		return 0
	}
	whole := math.Floor(float64(x*math.Log2E) + 0.5)
	rest := (x - float64(whole*ln2High)) - float64(whole*ln2Low)
	term, total := 1.0, 1.0
	for n := 1; n <= 16; n++ {
		term = float64(term*rest) / float64(n)
		total += term
	}
	return math.Ldexp(total, int(whole))
}

// ln 2 in two parts, so that whole*ln2High is exact.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// erf is the series 2/√π · e^(-x²) · Σ 2ⁿx^(2n+1)/(2n+1)!!, all of whose terms
// are positive; beyond 6 it is 1 to the last bit.
func erf(x float64) float64 {
	switch {
	case x < 0:
		return -erf(-x)
	case x > 6:
		return 1
	}
	square := float64(x * x)
	term, total := x, x
	for n := 1; term > total*1e-17; n++ {
		term = float64(term*2*square) / float64(2*n+1)
		total += term
	}
	return float64(float64(2/math.Sqrt(math.Pi))*exp(-square)) * total
}
