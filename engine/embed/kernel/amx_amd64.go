package kernel

import "unsafe"

// tileConfig is the operand of LDTILECFG: palette 1, eight tiles of 16 rows of
// 64 bytes.
type tileConfig struct {
	palette  byte
	_        [15]byte
	rowBytes [8]uint16
	_        [16]byte
	rows     [8]byte
	_        [8]byte
}

var fullTiles = tileConfig{
	palette:  1,
	rowBytes: [8]uint16{64, 64, 64, 64, 64, 64, 64, 64},
	rows:     [8]byte{16, 16, 16, 16, 16, 16, 16, 16},
}

//go:noescape
func amxMul(a, b, c unsafe.Pointer, rowStride, blockStride, stepStride, ldc uintptr, blocks, panels, steps int, cfg *tileConfig)

//go:noescape
func storeTiles(rows, first int, c, scale, bias *float32, out *uint16, blockStride int)

//go:noescape
func geluTiles(rows, first int, c, scale, bias *float32, out *uint16, blockStride int)

//go:noescape
func normTiles(rows, width int, x, gain, bias *float32, out *uint16)

//go:noescape
func softmaxTiles(rows, n int, s *float32, lds int, p *uint16, ldp int)

//go:noescape
func pairTiles(steps int, v, dst *uint16)

//go:noescape
func turnTiles(tiles int, k, dst *uint16)

//go:noescape
func widenTiles(steps int, codes *int8, dst *uint16)
