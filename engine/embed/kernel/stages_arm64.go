package kernel

import "golang.org/x/sys/cpu"

// machinePaths: every arm64 system Go runs on has ASIMD; it is asked all the same.
func machinePaths() []Path {
	if cpu.ARM64.HasASIMD {
		return []Path{NEON}
	}
	return nil
}

func newStages(p Path, s Shape) stages {
	return &floats{ops: *plainOps(p), shape: s}
}

func plainOps(p Path) *ops {
	if p == NEON {
		return &neonOps
	}
	return &portableOps
}

// neonOps has assembly for the products, which are nearly all the arithmetic of a
// pass; in the rest the compiler fuses multiplications and additions on arm64.
// It was run under qemu only, so its speed is not known.
var neonOps = ops{
	block: 4, mul: mulNEON, widen: widenNEON, store: storePortable,
	add: addPortable, gelu: geluPortable, norm: normPortable, softmax: softmaxPortable,
}

//go:noescape
func mulNEON(rows, k int, a *float32, lda int, panel *float32, c *float32, ldc int)

//go:noescape
func widenNEON(n int, dst *float32, src *int8)

// tileWork is the scratch of a path that only amd64 has.
type tileWork struct{}
