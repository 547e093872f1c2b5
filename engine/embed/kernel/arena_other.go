//go:build !linux

package kernel

// newArena gives n bytes that begin on a cache line.
func newArena(n int) (*arena, error) { return &arena{bytes: aligned[byte](n)}, nil }
