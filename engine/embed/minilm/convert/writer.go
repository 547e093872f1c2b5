package main

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
)

// The layout, as drawn in minilm/doc.go.
const (
	magic         = "LOCIMLM1"
	formatVersion = 1
	headerSize    = 64
	entrySize     = 64
	nameSize      = 32
	alignment     = 64

	kindRows   = 1
	kindFloats = 2
	kindBytes  = 3
)

// section waits for its place in the file.
type section struct {
	name             string
	kind, rows, cols uint32
	data, scales     []byte
}

// writer gathers sections and lays them out.
type writer struct{ sections []section }

func (w *writer) rows(name string, c codes) {
	s := section{name: name, kind: kindRows, rows: uint32(c.rows), cols: uint32(c.cols), data: make([]byte, len(c.v))}
	for i, x := range c.v {
		s.data[i] = byte(x)
	}
	s.scales = appendFloats(nil, c.scale)
	w.sections = append(w.sections, s)
}

func (w *writer) floats(name string, v []float64) {
	w.sections = append(w.sections, section{name: name, kind: kindFloats, rows: 1, cols: uint32(len(v)), data: appendFloats(nil, v)})
}

func appendFloats(b []byte, v []float64) []byte {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
	}
	return b
}

func (w *writer) bytes(name string, b []byte) {
	w.sections = append(w.sections, section{name: name, kind: kindBytes, rows: 1, cols: uint32(len(b)), data: b})
}

// finish lays the sections out behind their table: data, then scales, each on
// its own cache line, and the checksum over all that follows the header.
func (w *writer) finish() []byte {
	end := headerSize + len(w.sections)*entrySize
	out := make([]byte, end)
	for i, s := range w.sections {
		e := out[headerSize+i*entrySize:][:entrySize]
		copy(e[:nameSize], s.name)
		binary.LittleEndian.PutUint32(e[32:], s.kind)
		binary.LittleEndian.PutUint32(e[36:], s.rows)
		binary.LittleEndian.PutUint32(e[40:], s.cols)
		at := aligned(len(out))
		binary.LittleEndian.PutUint64(e[44:], uint64(at))
		scalesAt := aligned(at + len(s.data))
		if s.scales != nil {
			binary.LittleEndian.PutUint64(e[52:], uint64(scalesAt))
		}
		out = place(place(out, at, s.data), scalesAt, s.scales)
	}
	copy(out, magic)
	binary.LittleEndian.PutUint32(out[8:], formatVersion)
	binary.LittleEndian.PutUint32(out[12:], uint32(len(w.sections)))
	sum := sha256.Sum256(out[headerSize:])
	copy(out[16:], sum[:])
	return out
}

func aligned(n int) int { return (n + alignment - 1) &^ (alignment - 1) }

// place pads the file to an offset and appends; nothing is placed for nothing.
func place(out []byte, at int, b []byte) []byte {
	if len(b) == 0 {
		return out
	}
	return append(append(out, make([]byte, at-len(out))...), b...)
}
