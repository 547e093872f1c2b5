package kernel

import (
	"runtime"
	"syscall"
)

// newArena takes memory from the system, with huge pages where it gives them:
// weights of 21 MB are 5,300 small pages to fault in at the start, or 11 huge
// ones. Measured in a virtual machine: 10 ms against 3 to 6, but 25 the first
// time, when the host had yet to back the memory. A query is as fast on either.
func newArena(n int) (*arena, error) {
	const slack = 16 << 10 // the kernels prefetch up to this far past the end
	b, err := syscall.Mmap(-1, 0, n+slack, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	_ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) // a wish; small pages work too
	a := &arena{bytes: b[:n:n]}
	runtime.AddCleanup(a, func(b []byte) { _ = syscall.Munmap(b) }, b)
	return a, nil
}
