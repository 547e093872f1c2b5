package main

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestDirections finds the axes of a cloud that was stretched along known ones.
func TestDirections(t *testing.T) {
	axes := [][]float64{{0.6, 0.8, 0, 0}, {-0.8, 0.6, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}
	sizes := []float64{9, 4, 2, 1}
	r := rand.New(rand.NewPCG(1, 1))
	m := newMoments(4)
	for range 20000 {
		v := make([]float32, 4)
		for a, axis := range axes {
			s := sizes[a] * r.NormFloat64()
			for i := range v {
				v[i] += float32(s * axis[i])
			}
		}
		v[2] += 5 // off the centre
		m.add(v)
	}
	rows, share := directions(m.matrix(true), 4, 2)
	for i, row := range rows {
		var dot float64
		for j := range row {
			dot += row[j] * axes[i][j]
		}
		if math.Abs(dot) < 0.999 {
			t.Errorf("direction %d is %v", i, row)
		}
	}
	if want := (81.0 + 16) / (81 + 16 + 4 + 1); math.Abs(share-want) > 0.01 {
		t.Errorf("share %.3f, want %.3f", share, want)
	}
	if mean := m.mean(); math.Abs(mean[2]-5) > 0.1 {
		t.Errorf("mean %v", mean)
	}
}

func TestWordLists(t *testing.T) {
	words := make([]string, 2100)
	for i := range words {
		words[i] = "w"
	}
	words[2050] = "##part"
	texts := wordLists(strings.Join(words, "\n"), 1400)
	if len(texts) != 100 || count(texts) != 1400 {
		t.Fatalf("%d texts of %d tokens", len(texts), count(texts))
	}
	for _, ids := range texts {
		if ids[0] != cls || ids[13] != sep {
			t.Fatalf("%v is not a text", ids)
		}
		for _, id := range ids[1:13] {
			if id <= 1995 || id == 2050 {
				t.Fatalf("token %d is no whole word", id)
			}
		}
	}
}
