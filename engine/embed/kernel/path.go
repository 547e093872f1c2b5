package kernel

import (
	"fmt"
	"slices"
)

// Path names one implementation of the kernels.
type Path uint8

// Auto is the best path that this machine can run.
const (
	Auto Path = iota
	Portable
	NEON
	AVX2
	AVX512
	AMX
)

var pathNames = [...]string{"auto", "portable", "neon", "avx2", "avx512", "amx"}

func (p Path) String() string {
	if int(p) < len(pathNames) {
		return pathNames[p]
	}
	return fmt.Sprintf("path(%d)", uint8(p))
}

// Available lists the paths this machine can run, the best first. The last is
// always Portable.
func Available() []Path { return append(machinePaths(), Portable) }

func resolve(p Path) (Path, error) {
	paths := Available()
	if p == Auto {
		return paths[0], nil
	}
	if !slices.Contains(paths, p) {
		return 0, fmt.Errorf("kernel path %v: not on this machine (it has %v)", p, paths)
	}
	return p, nil
}
