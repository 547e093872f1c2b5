//go:build !amd64 && !arm64

package kernel

func machinePaths() []Path { return nil }

func newStages(_ Path, s Shape) stages {
	return &floats{ops: portableOps, shape: s}
}

func plainOps(Path) *ops { return &portableOps }

// tileWork is the scratch of a path that only amd64 has.
type tileWork struct{}
