//go:build !linux

package kernel

// tilesAllowed: only Linux tells how to ask.
func tilesAllowed() bool { return false }
