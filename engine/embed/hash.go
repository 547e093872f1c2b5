package embed

import (
	"context"
	"fmt"
	"math"
	"sync"

	"loci/engine/memory"
)

// DefaultDim is the number of buckets if none is given.
const DefaultDim = 256

// Hash embeds by feature hashing. It is safe for concurrent use.
type Hash struct {
	dim     int
	id      string
	scratch sync.Pool // of *features
}

var _ memory.Embedder = (*Hash)(nil)

// NewHash makes an embedder with dim buckets; 0 means DefaultDim.
func NewHash(dim int) *Hash {
	if dim <= 0 {
		dim = DefaultDim
	}
	h := &Hash{dim: dim, id: fmt.Sprintf("hash-v1/%d", dim)}
	h.scratch.New = func() any { return &features{sums: make([]int64, dim)} }
	return h
}

// ID names the method, its version and the dimension (I3).
func (h *Hash) ID() string { return h.id }

// Dim is the length of every vector.
func (h *Hash) Dim() int { return h.dim }

// Embed returns a vector for each text. Questions and documents are treated
// alike. It stops between texts when ctx ends.
func (h *Hash) Embed(ctx context.Context, texts []string, _ memory.EmbedKind) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("embed text %d of %d: %w", i+1, len(texts), err)
		}
		vectors[i] = h.embed(text)
	}
	return vectors, nil
}

func (h *Hash) embed(text string) []float32 {
	f := h.scratch.Get().(*features)
	defer h.scratch.Put(f)
	f.read(text)
	f.fill()
	return unit(f.sums)
}

// unit scales the sums to unit length (I1, I2). If they are all zero – a blank
// text, or one whose features cancel out – the vector points along the first
// bucket.
func unit(sums []int64) []float32 {
	vector := make([]float32, len(sums))
	square := squares(sums)
	if square == 0 {
		vector[0] = 1
		return vector
	}
	scale := 1 / math.Sqrt(square)
	for i, n := range sums {
		vector[i] = float32(float64(n) * scale)
	}
	return vector
}

// squares adds up the squares, in four sums side by side and a fixed order.
func squares(sums []int64) float64 {
	var four [4]float64
	for i, n := range sums {
		x := float64(n)
		four[i%4] += float64(x * x) // the conversion forbids a fused multiply-add (I1)
	}
	return (four[0] + four[1]) + (four[2] + four[3])
}
