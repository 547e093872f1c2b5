package main

import (
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"loci/engine/embed/minilm"
)

const (
	cls = 101
	sep = 102
)

func fitBasis(m *minilm.Model, vocab string) error {
	texts, err := goldenTexts("testdata/ids.bin.gz")
	if err != nil {
		return err
	}
	texts = append(texts, wordLists(vocab, count(texts))...)
	moments := newMoments(minilm.Dim)
	for _, ids := range texts {
		states, err := m.States(ids)
		if err != nil {
			return err
		}
		for ; len(states) > 0; states = states[minilm.Dim:] {
			moments.add(unit(states[:minilm.Dim]))
		}
	}
	rows, share := directions(moments.matrix(false), minilm.Dim, minilm.TokenDim)
	fmt.Printf("pca64.bin: %.0f tokens of %d texts, %d directions hold %.4f\n", moments.count, len(texts), len(rows), share)
	file := []byte(minilm.BasisMagic)
	for _, row := range rows {
		for _, v := range row {
			file = binary.LittleEndian.AppendUint32(file, math.Float32bits(float32(v)))
		}
	}
	return os.WriteFile("pca64.bin", file, 0o644)
}

// goldenTexts reads token ids: a count and as many ids, uint16, again and again.
func goldenTexts(name string) (texts [][]int32, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	for len(b) > 0 {
		n := int(binary.LittleEndian.Uint16(b))
		ids := make([]int32, n)
		for i := range ids {
			ids[i] = int32(binary.LittleEndian.Uint16(b[2+2*i:]))
		}
		texts, b = append(texts, ids), b[2+2*n:]
	}
	return texts, nil
}

// wordLists makes texts of twelve whole words each, n tokens in all.
func wordLists(vocab string, n int) (texts [][]int32) {
	var words []int32
	for id, w := range strings.Split(vocab, "\n") {
		if id > 1995 && !strings.HasPrefix(w, "##") { // below are marks and single letters
			words = append(words, int32(id))
		}
	}
	r := rand.New(rand.NewPCG(64, 384))
	for ; n > 0; n -= 14 {
		ids := []int32{cls}
		for range 12 {
			ids = append(ids, words[r.IntN(len(words))])
		}
		texts = append(texts, append(ids, sep))
	}
	return texts
}

func count(texts [][]int32) (n int) {
	for _, t := range texts {
		n += len(t)
	}
	return n
}

func unit(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}
