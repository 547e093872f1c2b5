package main

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loci/engine/embed/minilm"
	"loci/engine/embed/minilm/reference"
)

// TestWriter holds the writer against the reader of package minilm.
func TestWriter(t *testing.T) {
	var w writer
	w.rows("a", codes{rows: 2, cols: 3, v: []int8{1, -2, 3, 127, -127, 0}, scale: []float64{0.5, 2}})
	w.floats("b", []float64{1.5, -2.25})
	w.bytes("vocab", []byte("x\ny"))
	raw := w.finish()
	f, err := minilm.Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Verify(); err != nil {
		t.Error(err)
	}
	v, scales, rows, cols := f.Rows("a")
	got := []any{v, scales, rows, cols, f.Floats("b"), f.Vocab(), f.Names()}
	want := []any{[]int8{1, -2, 3, 127, -127, 0}, []float32{0.5, 2}, 2, 3, []float32{1.5, -2.25}, "x\ny", []string{"a", "b", "vocab"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float64{
		0: 0, 1: 0x1p-24, 0x3c00: 1, 0xc000: -2, 0x3555: 0.333251953125, 0x7bff: 65504, 0x0400: 0x1p-14, 0x83ff: -0x3ffp-24,
	} {
		if got := half(bits); got != want {
			t.Errorf("%#04x: %v, want %v", bits, got, want)
		}
	}
	if !math.IsNaN(half(0x7c00)) {
		t.Error("infinity passes for a weight")
	}
}

func TestTensors(t *testing.T) {
	good := safetensors(`{"__metadata__":{"format":"pt"},"m":{"dtype":"F16","shape":[2,2],"data_offsets":[0,8]},"v":{"dtype":"F16","shape":[1],"data_offsets":[8,10]}}`,
		0x3c00, 0xc000, 0, 1, 0x7c00)
	tensors, err := parseTensors(good)
	if err != nil {
		t.Fatal(err)
	}
	got, err := tensors.get("m", 2, 2)
	if diff := cmp.Diff([]float64{1, -2, 0, 0x1p-24}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for _, wrong := range []struct {
		name       string
		rows, cols int
	}{{"m", 1, 4}, {"m", 4, 1}, {"none", 1, 1}, {"v", 1, 1}} {
		if _, err := tensors.get(wrong.name, wrong.rows, wrong.cols); err == nil {
			t.Errorf("%v is taken", wrong)
		}
	}
	for _, bad := range [][]byte{nil, make([]byte, 7), append([]byte{200}, make([]byte, 20)...), safetensors(`{"m":`), safetensors(`{"m":7}`)} {
		if _, err := parseTensors(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	short := safetensors(`{"m":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}}`)
	if tensors, err = parseTensors(short); err != nil {
		t.Fatal(err)
	}
	if _, err := tensors.get("m", 1, 1); err == nil {
		t.Error("a tensor outside the file is taken")
	}
}

func safetensors(table string, halves ...uint16) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(table)))
	b = append(b, table...)
	for _, h := range halves {
		b = binary.LittleEndian.AppendUint16(b, h)
	}
	return b
}

func TestVocabulary(t *testing.T) {
	got, err := vocabulary([]byte(`{"model":{"vocab":{"b":1,"a":0,"##c":2}}}`))
	if diff := cmp.Diff("a\nb\n##c", string(got)); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for _, bad := range []string{`{`, `{"model":{"vocab":{"a":1}}}`, `{"model":{"vocab":{"a":0,"b":0}}}`, `{"model":{"vocab":{"":0}}}`, `{"model":{"vocab":{"a\nb":0}}}`} {
		if _, err := vocabulary([]byte(bad)); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

func TestPackageIsChecked(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.tgz")
	if err := os.WriteFile(name, []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(name, name+".bin"); err == nil || !strings.Contains(err.Error(), "sha512") {
		t.Errorf("error %v, want one about the sha512", err)
	}
}

func TestNearest(t *testing.T) {
	c := nearest([]float64{127, -126.6, 0.4, 0, 0, 0}, 2, 3, []float64{1, 1, 1})
	if diff := cmp.Diff([]int8{127, -127, 0, 0, 0, 0}, c.v); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{127, -127, 0, 0, 0, 0}, c.values()); diff != "" {
		t.Error(diff)
	}
}

// TestFactor multiplies UDUᵀ out again.
func TestFactor(t *testing.T) {
	h := [][]float64{{4, 1, 0.5}, {0, 3, -1}, {0, 0, 2}}
	columns, d := factor([][]float64{slices.Clone(h[0]), slices.Clone(h[1]), slices.Clone(h[2])})
	u := func(i, k int) float64 {
		switch {
		case i == k:
			return 1
		case i > k:
			return 0
		}
		return columns[k][i]
	}
	for i := range 3 {
		for j := i; j < 3; j++ {
			sum := 0.0
			for k := range 3 {
				sum += u(i, k) * d[k] * u(j, k)
			}
			if math.Abs(sum-h[i][j]) > 1e-12 {
				t.Errorf("(%d,%d): %v, want %v", i, j, sum, h[i][j])
			}
		}
	}
}

// TestFittedIsBetter rounds a small layer both ways for inputs that hang
// together and compares the outputs.
func TestFittedIsBetter(t *testing.T) {
	const rows, cols, tokens = 8, 12, 200
	state := uint64(7)
	next := func() float64 {
		state = state*6364136223846793005 + 1442695040888963407
		return float64(state>>40)/(1<<23) - 1
	}
	l := reference.Linear{Rows: rows, Cols: cols, W: make([]float64, rows*cols), B: make([]float64, rows)}
	for i := range l.W {
		l.W[i] = next()
	}
	x := make([]float64, tokens*cols)
	for at := 0; at < len(x); at += cols {
		common := 3 * next()
		for i := range cols {
			x[at+i] = 2 + common*float64(i+1) + 0.1*next()
		}
	}
	want := l.Apply(x)
	plain := reference.Linear{Rows: rows, Cols: cols, W: nearest(l.W, rows, cols, slices.Repeat([]float64{1}, cols)).values(), B: slices.Clone(l.B)}
	byNearest := distance(want, plain.Apply(x))
	fitted(&l, observe([][]float64{x[:50*cols], x[50*cols:]}, cols))
	if byFit := distance(want, l.Apply(x)); byFit > byNearest/4 {
		t.Errorf("error %v when fitted, %v by the nearest codes", byFit, byNearest)
	}
}

func distance(a, b []float64) float64 {
	d := difference(a, b)
	return math.Sqrt(reference.Dot(d, d))
}

// TestCalibrationIsNotGolden keeps the two sets of texts apart.
func TestCalibrationIsNotGolden(t *testing.T) {
	raw, err := os.ReadFile("../testdata/texts.json")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(calibrationTexts, "\n") {
		if line != "" && slices.Contains(texts, line) {
			t.Errorf("%q is both", line)
		}
	}
}
