package grow

import "sync/atomic"

// Slice is an append-only slice for one writer and many readers. The writer
// fills an element beyond the published count and then publishes the count; a
// full array is copied into one of twice the size while readers keep the old.
type Slice[T any] struct {
	count atomic.Int64
	array atomic.Pointer[[]T] // len == cap; replaced before count passes it
}

// View returns what is published. The count is read first: the array read after
// it holds at least as many elements.
func (g *Slice[T]) View() []T {
	n := g.count.Load()
	if n == 0 {
		return nil
	}
	return (*g.array.Load())[:n:n]
}

// Push appends one element. Only the writer calls it.
func (g *Slice[T]) Push(value T) {
	n := int(g.count.Load())
	g.room(n)[n] = value
	g.count.Store(int64(n + 1))
}

func (g *Slice[T]) room(n int) []T {
	if old := g.array.Load(); old != nil {
		if n < len(*old) {
			return *old
		}
		grown := make([]T, 2*len(*old))
		copy(grown, *old)
		g.array.Store(&grown)
		return grown
	}
	first := make([]T, 2) // most lists stay that short: a term or a name used once or twice
	g.array.Store(&first)
	return first
}
