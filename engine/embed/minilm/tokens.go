package minilm

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"loci/engine/embed/kernel"
)

// TokenDim is the length of a token's vector for late interaction.
const TokenDim = 64

// ErrNoBasis: the model was loaded without a basis for token vectors.
var ErrNoBasis = errors.New("no basis for token vectors")

// TokenVectors are the vectors of a text's tokens, [CLS] and [SEP] included, in
// the order of the ids. A token's vector is the direction of its state in the
// 64 directions that hold most of such states, as int8 with one scale for the
// text: number j of token i is Scale · Codes[i·TokenDim+j]. Dot products of such
// vectors order pairs of tokens much as the cosines of the full states do: over
// 240 golden texts, nine of the ten nearest by MaxSim are the same (0.913 in
// float32, 0.910 in int8; the basis had seen these texts). One scale for a text
// makes the MaxSim of two texts a sum over integers and one multiplication.
type TokenVectors struct {
	Scale float32
	Codes []int8
}

// Len is the number of tokens.
func (v TokenVectors) Len() int { return len(v.Codes) / TokenDim }

// basisFile is the basis of the built-in model: magic, then TokenDim rows of
// Dim float32, little endian, orthonormal, the most telling first. It holds for
// its model only. Command fit makes it and says how.
//
//go:embed pca64.bin
var basisFile []byte

// BasisMagic opens pca64.bin.
const BasisMagic = "LOCIPCA1"

// readBasis packs the basis; an empty file means that there is none yet, which
// is how fit can run.
func readBasis(e *kernel.Engine, file []byte) (*kernel.Projection, error) {
	if len(file) == 0 {
		return nil, nil
	}
	if len(file) != len(BasisMagic)+TokenDim*Dim*4 || string(file[:len(BasisMagic)]) != BasisMagic {
		return nil, fmt.Errorf("read basis: %d bytes: %w", len(file), ErrFormat)
	}
	rows := make([]float32, TokenDim*Dim)
	for i := range rows {
		rows[i] = math.Float32frombits(binary.LittleEndian.Uint32(file[len(BasisMagic)+4*i:]))
	}
	return e.NewProjection(rows, TokenDim)
}

// project fills the token vectors of the texts of a pass.
func (m *Model) project(s *session, tokens []TokenVectors) {
	all, x := m.engine.Project(s.work, m.basis), s.work.X
	for i, n := range s.lengths {
		part := all[:n*TokenDim]
		for t := range n {
			scaleBy(part[t*TokenDim:(t+1)*TokenDim], inverseLength(x[t*Dim:(t+1)*Dim]))
		}
		tokens[i].set(part)
		all, x = all[n*TokenDim:], x[n*Dim:]
	}
}

// set rounds the numbers to codes: the largest becomes 127.
func (v *TokenVectors) set(numbers []float32) {
	var top float32
	for _, x := range numbers {
		top = max(top, x, -x)
	}
	if cap(v.Codes) < len(numbers) {
		v.Codes = make([]int8, len(numbers))
	}
	v.Codes, v.Scale = v.Codes[:len(numbers)], top/127
	var inv float32
	if top > 0 {
		inv = 127 / top
	}
	for i, x := range numbers {
		v.Codes[i] = roundCode(x * inv)
	}
}

// roundCode rounds half away from zero, without a branch on the sign.
func roundCode(x float32) int8 {
	return int8(int32(x+128.5) - 128)
}

// States gives the state of each token after the last layer, Dim numbers each:
// what a basis is fitted on.
func (m *Model) States(text []int32) ([]float32, error) {
	if err := m.check([][]int32{text}, [][]float32{make([]float32, Dim)}); err != nil {
		return nil, err
	}
	s := m.idle.Get().(*session)
	defer m.idle.Put(s)
	s.gather([][]int32{text})
	if err := m.pass(s, [][]int32{text}); err != nil {
		return nil, err
	}
	return append([]float32(nil), s.work.X[:s.lengths[0]*Dim]...), nil
}
