package kernel

import "math"

// ops are the kernels of a float path. Pointers are to the first element, the
// counts are of elements; every row count may be rounded up to `block` (I1).
type ops struct {
	block int // rows that mul handles at once

	// mul: c[r][0:32] = Σk a[r][k]·panel[k][0:32]; panel is packed, rows is a
	// multiple of block.
	mul func(rows, k int, a *float32, lda int, panel *float32, c *float32, ldc int)
	// widen: n codes as floats; n is a multiple of 64.
	widen func(n int, dst *float32, src *int8)
	// store: out[r] = c[r]·scale + bias, 32 columns; c is packed.
	store func(rows int, c, scale, bias, out *float32, ldo int)
	// add: out[r] += c[r]·scale + bias.
	add func(rows int, c, scale, bias, out *float32, ldo int)
	// gelu: out[r] = gelu(c[r]·scale + bias).
	gelu func(rows int, c, scale, bias, out *float32, ldo int)
	// norm: layer norm of each row in place; width is a multiple of 32.
	norm func(rows, width int, x, gain, bias *float32)
	// softmax of the first n of each row in place; the rest of the row up to a
	// multiple of 32 becomes zero.
	softmax func(rows, n int, s *float32, lds int)

	// The int16 path multiplies whole numbers instead; nil elsewhere.
	whole *wholeOps
}

// wholeOps are the kernels of the int16 path.
type wholeOps struct {
	// quantize: rows of width floats as whole numbers up to ±limit, and the
	// step of each row.
	quantize func(rows, width int, limit float32, x *float32, ldx int, codes *int16, steps *float32)
	// mul: c[r][0:32] = steps[r]·Σk a[r][k]·panel[k][0:32]; the panel holds
	// pairs of k side by side, rows is a multiple of ops.block.
	mul func(rows, k int, a *int16, steps *float32, panel *int16, c *float32)
	// widen: n codes as int16; n is a multiple of 64.
	widen func(n int, dst *int16, src *int8)
}

// limit is the largest activation code for sums over k that cannot overflow an
// int32: limit·127·k < 2^31. 32,767 for 384 inputs, 11,008 for 1,536.
func limit(k int) float32 {
	return float32(min(math.MaxInt16, math.MaxInt32/(127*k)))
}
