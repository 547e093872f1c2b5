package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"

	"loci/engine/embed/minilm"
)

// fitStatic embeds every token alone and keeps what differs between them.
func fitStatic(m *minilm.Model, vocab string) error {
	n := strings.Count(vocab, "\n") + 1
	texts, vectors := make([][]int32, n), make([][]float32, n)
	for id := range texts {
		texts[id], vectors[id] = []int32{cls, int32(id), sep}, make([]float32, minilm.Dim)
	}
	if err := m.Embed(texts, vectors); err != nil {
		return err
	}
	moments := newMoments(minilm.Dim)
	for _, v := range vectors {
		moments.add(v)
	}
	rows, share := directions(moments.matrix(true), minilm.Dim, minilm.StaticDim)
	fmt.Printf("static256.bin: %d tokens, %d directions hold %.4f\n", n, len(rows), share)
	return os.WriteFile("static256.bin", staticFile(vectors, moments.mean(), rows), 0o644)
}

// staticFile lays the table out as package minilm reads it.
func staticFile(vectors [][]float32, mean []float64, rows [][]float64) []byte {
	file := []byte(minilm.StaticMagic)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(vectors)))
	file = binary.LittleEndian.AppendUint32(file, uint32(len(rows)))
	var codes []byte
	for _, v := range vectors {
		numbers, top := make([]float64, len(rows)), 0.0
		for i, row := range rows {
			for j, x := range v {
				numbers[i] += (float64(x) - mean[j]) * row[j]
			}
			top = max(top, math.Abs(numbers[i]))
		}
		scale := float32(top / 127)
		file = binary.LittleEndian.AppendUint32(file, math.Float32bits(scale))
		for _, x := range numbers {
			codes = append(codes, byte(int8(math.Round(x/max(top, 1e-30)*127))))
		}
	}
	return append(file, codes...)
}
