package kernel

import "golang.org/x/sys/cpu"

// machinePaths asks the processor and, for AMX, the kernel of the system.
func machinePaths() []Path {
	var paths []Path
	x := cpu.X86
	if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasFMA {
		if x.HasAVX512BF16 && x.HasAMXTile && x.HasAMXBF16 && tilesAllowed() {
			paths = append(paths, AMX)
		}
		paths = append(paths, AVX512)
	}
	if x.HasAVX2 && x.HasFMA {
		paths = append(paths, AVX2)
	}
	return paths
}

func newStages(p Path, s Shape) stages {
	if p == AMX {
		return newTiles(s)
	}
	f := &floats{ops: *plainOps(p), shape: s}
	if p == AVX512 && cpu.X86.HasAVX512VNNI {
		f.whole = &vnniOps
	}
	return f
}

// plainOps are the float kernels that go with a path.
func plainOps(p Path) *ops {
	switch p {
	case AMX, AVX512:
		return &avx512Ops
	case AVX2:
		return &avx2Ops
	default:
		return &portableOps
	}
}
