package minilm

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unsafe"
)

// The layout of a weight file, drawn in doc.go.
const (
	magic         = "LOCIMLM1"
	formatVersion = 1
	headerSize    = 64
	entrySize     = 64
	nameSize      = 32
	alignment     = 64 // of data in the file: one cache line, one 512-bit load
	maxSections   = 1024
)

// Kind says how the data of a section is to be read.
type Kind uint32

const (
	KindRows   Kind = 1 // int8 codes, row after row, and one float32 scale a row
	KindFloats Kind = 2 // float32
	KindBytes  Kind = 3 // raw bytes
)

// ErrFormat is at the root of every error of Open and Verify: the bytes are not
// a weight file of this format, or were damaged.
var ErrFormat = errors.New("not a good weight file")

// Section describes one entry of the table.
type Section struct {
	Name       string
	Kind       Kind
	Rows, Cols int
	data       []byte // codes, floats or bytes
	scales     []byte // of KindRows
}

// File gives the sections of a weight file. It is read-only and safe for
// concurrent use; what it returns points into the bytes it was opened on (I2).
type File struct {
	raw      []byte
	order    []string
	sections map[string]*Section
}

// Open reads the table of a weight file and checks that every section lies
// inside raw (I1). It keeps raw; nobody may change it afterwards. It does not
// read the data, so it takes microseconds and touches one page: see Verify.
func Open(raw []byte) (*File, error) {
	count, err := readHeader(raw)
	if err != nil {
		return nil, err
	}
	f := &File{raw: raw, sections: make(map[string]*Section, count)}
	for i := range count {
		at := headerSize + i*entrySize
		s, err := readEntry(raw, raw[at:at+entrySize])
		if err != nil {
			return nil, fmt.Errorf("open weights: section %d: %w", i, err)
		}
		if f.sections[s.Name] != nil {
			return nil, fmt.Errorf("open weights: section %q twice: %w", s.Name, ErrFormat)
		}
		f.sections[s.Name] = s
		f.order = append(f.order, s.Name)
	}
	return f, nil
}

// Verify reads the whole file and compares it with the checksum in its header.
// It takes some tens of milliseconds: for check commands, not for start-up.
func (f *File) Verify() error {
	sum := sha256.Sum256(f.raw[headerSize:])
	if !bytes.Equal(sum[:], f.raw[16:48]) {
		return fmt.Errorf("verify weights: sha256 is %x, header says %x: %w", sum, f.raw[16:48], ErrFormat)
	}
	return nil
}

// Names lists the sections in the order of the table.
func (f *File) Names() []string { return f.order }

// Section describes one section; ok is false if there is none of that name.
func (f *File) Section(name string) (s Section, ok bool) {
	if p := f.sections[name]; p != nil {
		return *p, true
	}
	return Section{}, false
}

// Rows gives a matrix of codes with one scale a row: the value at (r, c) is
// scales[r] * codes[r*cols+c]. All is zero if there is no such matrix.
func (f *File) Rows(name string) (codes []int8, scales []float32, rows, cols int) {
	s := f.sections[name]
	if s == nil || s.Kind != KindRows {
		return nil, nil, 0, 0
	}
	return asInt8(s.data), asFloats(s.scales), s.Rows, s.Cols
}

// Floats gives a section of float32, nil if there is none of that name.
func (f *File) Floats(name string) []float32 {
	s := f.sections[name]
	if s == nil || s.Kind != KindFloats {
		return nil
	}
	return asFloats(s.data)
}

// Bytes gives a raw section, nil if there is none of that name.
func (f *File) Bytes(name string) []byte {
	s := f.sections[name]
	if s == nil || s.Kind != KindBytes {
		return nil
	}
	return s.data
}

// Vocab is the vocabulary: the token of id n on line n, no line end at the end.
func (f *File) Vocab() string {
	b := f.Bytes("vocab")
	return unsafe.String(unsafe.SliceData(b), len(b))
}

func readHeader(raw []byte) (count int, err error) {
	if len(raw) < headerSize || string(raw[:len(magic)]) != magic {
		return 0, fmt.Errorf("open weights: no header: %w", ErrFormat)
	}
	if v := binary.LittleEndian.Uint32(raw[8:]); v != formatVersion {
		return 0, fmt.Errorf("open weights: format version %d, this program reads %d: %w", v, formatVersion, ErrFormat)
	}
	n := binary.LittleEndian.Uint32(raw[12:])
	if n > maxSections || headerSize+int(n)*entrySize > len(raw) {
		return 0, fmt.Errorf("open weights: a table of %d sections in %d bytes: %w", n, len(raw), ErrFormat)
	}
	return int(n), nil
}

// readEntry reads one line of the table and bounds it (I1). Sizes are computed
// in 64 bits: two counts of 32 bits and a factor of 4 may not overflow past it
// unseen, so each count is bounded by the file first.
func readEntry(raw, e []byte) (*Section, error) {
	name, _, _ := bytes.Cut(e[:nameSize], []byte{0})
	s := &Section{Name: string(name), Kind: Kind(binary.LittleEndian.Uint32(e[32:]))}
	rows, cols := uint64(binary.LittleEndian.Uint32(e[36:])), uint64(binary.LittleEndian.Uint32(e[40:]))
	if rows > uint64(len(raw)) || cols > uint64(len(raw)) {
		return nil, fmt.Errorf("%q has %d × %d values: %w", s.Name, rows, cols, ErrFormat)
	}
	s.Rows, s.Cols = int(rows), int(cols)
	width, ok := map[Kind]uint64{KindRows: 1, KindFloats: 4, KindBytes: 1}[s.Kind]
	if !ok {
		return nil, fmt.Errorf("%q is of unknown kind %d: %w", s.Name, s.Kind, ErrFormat)
	}
	var err error
	if s.data, err = span(raw, binary.LittleEndian.Uint64(e[44:]), rows, cols, width); err != nil {
		return nil, fmt.Errorf("%q: %w", s.Name, err)
	}
	if s.Kind == KindRows {
		if s.scales, err = span(raw, binary.LittleEndian.Uint64(e[52:]), rows, 1, 4); err != nil {
			return nil, fmt.Errorf("scales of %q: %w", s.Name, err)
		}
	}
	return s, nil
}

// span cuts rows × cols values of width bytes at an offset, aligned and inside.
func span(raw []byte, offset, rows, cols, width uint64) ([]byte, error) {
	total := uint64(len(raw))
	if cols != 0 && rows > math.MaxUint64/4/cols {
		return nil, fmt.Errorf("%d × %d values: %w", rows, cols, ErrFormat)
	}
	size := rows * cols * width
	if offset%alignment != 0 || offset > total || size > total-offset {
		return nil, fmt.Errorf("%d bytes at %d of %d: %w", size, offset, total, ErrFormat)
	}
	return raw[offset : offset+size : offset+size], nil
}
