package kernel

import (
	"fmt"
	"unsafe"
)

// Work is the scratch of one pass; it belongs to one goroutine at a time.
type Work struct {
	// X is the state of each token, row after row: the caller writes the
	// embeddings here before the first stage and reads the result after the last.
	X []float32

	shape Shape
	rows  int

	sums      []float32 // the panel at hand: rows × 32
	projected []float32 // grown by the first Project

	// float paths
	weights []float32 // the panel of weights at hand, widened
	heads   []float32 // query, key and value heads: 3·heads × rows × 32
	turned  []float32 // one head's keys of one text, columns for rows
	scores  []float32 // one head's scores of one text
	mixed   []float32 // rows × hidden, what attention gives the output matrix
	inner   []float32 // rows × inner
	codes   []int16   // activations of one matrix, int16 path only
	widened []int16   // the panel of weights at hand, int16 path only
	steps   []float32 // scale of each row of codes

	// bf16 path, all in tiles of 16 rows × 32
	tiles tileWork
}

// Begin sets the number of tokens of the pass that follows.
func (w *Work) Begin(tokens int) error {
	if tokens <= 0 || tokens > w.shape.MaxTokens {
		return fmt.Errorf("begin pass: %d tokens, not in 1..%d", tokens, w.shape.MaxTokens)
	}
	w.rows = tokens
	return nil
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// aligned makes a slice that begins on a cache line.
func aligned[T any](n int) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	b := make([]T, n+64/size)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b)))&63) / size
	return b[skip : skip+n : skip+n]
}
