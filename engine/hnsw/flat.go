package hnsw

import (
	"fmt"
	"slices"

	"loci/engine/grow"
	"loci/engine/topk"
)

// chunkFloats is about how many floats a chunk holds: 32 KB, 32 rows of 256.
// Small enough for a tenant with three memories, large enough that a million
// rows are a table of some ten thousand chunks.
const chunkFloats = 8192

// Flat scans all its vectors. See the package comment for who may call what.
type Flat struct {
	dim    int
	shift  uint // a chunk holds 1<<shift rows
	chunks grow.Slice[[]float32]
	docs   grow.Slice[uint32] // row → document; published last (I2)
}

// NewFlat makes an empty index for vectors of dim floats.
func NewFlat(dim int) *Flat {
	if dim <= 0 {
		panic(fmt.Sprintf("new flat index: dimension %d is not positive", dim))
	}
	f := &Flat{dim: dim}
	for dim<<(f.shift+1) <= chunkFloats {
		f.shift++
	}
	return f
}

// Add copies the vector of doc into the index. Only the writer calls it, with
// ascending documents (I1).
func (f *Flat) Add(doc uint32, vector []float32) {
	f.mustFit("add", vector)
	rows := f.docs.View()
	if n := len(rows); n > 0 && rows[n-1] >= doc {
		panic(fmt.Sprintf("add document %d to flat index: not above %d", doc, rows[n-1]))
	}
	row := len(rows)
	if row>>f.shift == len(f.chunks.View()) {
		f.chunks.Push(make([]float32, f.dim<<f.shift))
	}
	copy(f.row(f.chunks.View(), row), vector)
	f.docs.Push(doc)
}

// Search returns the k documents below limit, accepted by accept (nil accepts
// all), whose vectors have the highest inner product with q, best first (I4).
// accept is asked before the product is computed, once for each document.
func (f *Flat) Search(q []float32, limit uint32, accept func(doc uint32) bool, k int) []topk.Scored {
	f.mustFit("search", q)
	docs := below(f.docs.View(), limit)
	chunks := f.chunks.View()
	best := topk.New(k, len(docs))
	for row, doc := range docs {
		if accept == nil || accept(doc) {
			best.Offer(doc, float64(Dot(q, f.row(chunks, row))))
		}
	}
	return best.Sorted()
}

// Vector returns the vector of doc, or nil. It is the index's own memory: read
// it, never write it.
func (f *Flat) Vector(doc uint32) []float32 {
	row, found := slices.BinarySearch(f.docs.View(), doc)
	if !found {
		return nil
	}
	return f.row(f.chunks.View(), row)
}

// Len counts the vectors.
func (f *Flat) Len() int { return len(f.docs.View()) }

// Dim is the length of every vector.
func (f *Flat) Dim() int { return f.dim }

func (f *Flat) row(chunks [][]float32, row int) []float32 {
	at := (row & (1<<f.shift - 1)) * f.dim
	return chunks[row>>f.shift][at : at+f.dim : at+f.dim]
}

func (f *Flat) mustFit(operation string, vector []float32) {
	if len(vector) != f.dim {
		panic(fmt.Sprintf("%s flat index: vector has %d dimensions, index has %d", operation, len(vector), f.dim))
	}
}

// below cuts ascending documents at limit.
func below(docs []uint32, limit uint32) []uint32 {
	n, _ := slices.BinarySearch(docs, limit)
	return docs[:n]
}
