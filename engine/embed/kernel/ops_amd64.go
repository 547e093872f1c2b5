package kernel

var avx512Ops = ops{
	block: 8, mul: mulAVX512, widen: widenAVX512, store: storeAVX512,
	add: addAVX512, gelu: geluAVX512, norm: normAVX512, softmax: softmaxAVX512,
}

var vnniOps = wholeOps{quantize: quantizeAVX512, mul: mulVNNI, widen: widenWhole}

var avx2Ops = ops{
	block: 6, mul: mulAVX2, widen: widenAVX2, store: storeAVX2,
	add: addAVX2, gelu: geluAVX2, norm: normAVX2, softmax: softmaxAVX2,
}

//go:noescape
func mulAVX512(rows, k int, a *float32, lda int, panel *float32, c *float32, ldc int)

//go:noescape
func mulVNNI(rows, k int, a *int16, steps *float32, panel *int16, c *float32)

//go:noescape
func widenAVX512(n int, dst *float32, src *int8)

//go:noescape
func widenWhole(n int, dst *int16, src *int8)

//go:noescape
func quantizeAVX512(rows, width int, limit float32, x *float32, ldx int, codes *int16, steps *float32)

//go:noescape
func storeAVX512(rows int, c, scale, bias, out *float32, ldo int)

//go:noescape
func addAVX512(rows int, c, scale, bias, out *float32, ldo int)

//go:noescape
func geluAVX512(rows int, c, scale, bias, out *float32, ldo int)

//go:noescape
func normAVX512(rows, width int, x, gain, bias *float32)

//go:noescape
func softmaxAVX512(rows, n int, s *float32, lds int)

//go:noescape
func mulAVX2(rows, k int, a *float32, lda int, panel *float32, c *float32, ldc int)

//go:noescape
func widenAVX2(n int, dst *float32, src *int8)

//go:noescape
func storeAVX2(rows int, c, scale, bias, out *float32, ldo int)

//go:noescape
func addAVX2(rows int, c, scale, bias, out *float32, ldo int)

//go:noescape
func geluAVX2(rows int, c, scale, bias, out *float32, ldo int)

//go:noescape
func normAVX2(rows, width int, x, gain, bias *float32)

//go:noescape
func softmaxAVX2(rows, n int, s *float32, lds int)
