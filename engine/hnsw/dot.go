package hnsw

// Dot is the inner product of a and b, which have the same length. Eight sums
// run side by side, so that an addition need not wait for the one before it;
// they are joined in a fixed order (I3).
func Dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for len(a) >= 8 {
		x, y := (*[8]float32)(a), (*[8]float32)(b)
		// The conversions forbid the compiler to fuse (language spec, "Floating-point operators").
		s0 += float32(x[0] * y[0])
		s1 += float32(x[1] * y[1])
		s2 += float32(x[2] * y[2])
		s3 += float32(x[3] * y[3])
		s4 += float32(x[4] * y[4])
		s5 += float32(x[5] * y[5])
		s6 += float32(x[6] * y[6])
		s7 += float32(x[7] * y[7])
		a, b = a[8:], b[8:]
	}
	for i, x := range a {
		s0 += float32(x * b[i])
	}
	return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
}
