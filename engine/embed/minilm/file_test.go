package minilm_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loci/engine/embed/minilm"
)

const weightFile = "minilm-l6-v2.bin"

// TestWeights holds the file in the repository against its name in the code.
func TestWeights(t *testing.T) {
	raw, err := os.ReadFile(weightFile)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(raw)
	if got := hex.EncodeToString(sum[:]); got != minilm.WeightsSHA256 {
		t.Errorf("sha256 of %s is %s, the code says %s", weightFile, got, minilm.WeightsSHA256)
	}
	notice, err := os.ReadFile("NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(notice, []byte(minilm.WeightsSHA256)) {
		t.Error("NOTICE does not name the sha256 of the weight file")
	}
}

func TestBuiltin(t *testing.T) {
	f := builtin(t)
	if err := f.Verify(); err != nil {
		t.Error(err)
	}
	want := map[string][2]int{"word": {30522, 384}, "position": {512, 384}}
	for _, l := range []string{"0", "1", "2", "3", "4", "5"} {
		want[l+".qkv"], want[l+".o"] = [2]int{1152, 384}, [2]int{384, 384}
		want[l+".up"], want[l+".down"] = [2]int{1536, 384}, [2]int{384, 1536}
	}
	got := map[string][2]int{}
	for _, name := range f.Names() {
		codes, scales, rows, cols := f.Rows(name)
		if rows == 0 {
			continue
		}
		if len(codes) != rows*cols || len(scales) != rows {
			t.Errorf("%s: %d codes and %d scales for %d × %d", name, len(codes), len(scales), rows, cols)
		}
		got[name] = [2]int{rows, cols}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBuiltinVectors(t *testing.T) {
	f := builtin(t)
	for name, want := range map[string]int{
		"type0": 384, "embed.ln.w": 384, "5.qkv.b": 1152, "5.o.b": 384, "5.up.b": 1536,
		"5.down.b": 384, "5.ln1.w": 384, "5.ln2.b": 384, "word": 0, "none": 0,
	} {
		if got := len(f.Floats(name)); got != want {
			t.Errorf("%s: %d floats, want %d", name, got, want)
		}
	}
	words := strings.Split(f.Vocab(), "\n")
	if len(words) != 30522 || words[0] != "[PAD]" || words[101] != "[CLS]" || words[1996] != "the" {
		t.Errorf("vocabulary: %d tokens, the first %q", len(words), words[0])
	}
	if _, _, rows, _ := f.Rows("vocab"); rows != 0 || f.Bytes("word") != nil {
		t.Error("a section can be read as another kind")
	}
}

// TestNothingIsCopied holds I2 for the file as the linker placed it.
func TestNothingIsCopied(t *testing.T) {
	f := builtin(t)
	if n := testing.AllocsPerRun(10, func() { f.Floats("5.up.b"); f.Rows("word"); f.Vocab() }); n != 0 {
		t.Errorf("%v allocations to look at the weights", n)
	}
}

// TestOpenRefuses damages a small good file in every field it has.
func TestOpenRefuses(t *testing.T) {
	change := func(at int, b ...byte) func([]byte) []byte {
		return func(raw []byte) []byte { copy(raw[at:], b); return raw }
	}
	long := func(at int, n uint64) func([]byte) []byte {
		return change(at, binary.LittleEndian.AppendUint64(nil, n)...)
	}
	const first, second = 64, 128
	for name, damage := range map[string]func([]byte) []byte{
		"empty":               func([]byte) []byte { return nil },
		"half a header":       func(raw []byte) []byte { return raw[:40] },
		"other magic":         change(0, 'X'),
		"other version":       change(8, 2),
		"table too long":      change(12, 200),
		"table far too long":  change(12, 255, 255, 255, 255),
		"unknown kind":        change(first+32, 9),
		"too many rows":       change(first+36, 0, 1),
		"rows overflow":       change(first+36, 255, 255, 255, 255, 255, 255, 255, 255),
		"data outside":        long(first+44, 1<<20),
		"data offset wraps":   long(first+44, 1<<64-64),
		"data unaligned":      long(first+44, 193),
		"scales outside":      long(first+52, 1<<20),
		"scales unaligned":    long(first+52, 258),
		"same name twice":     change(second, 'a', 0),
		"cut off in the data": func(raw []byte) []byte { return raw[:len(raw)-1] },
	} {
		if _, err := minilm.Open(damage(smallFile())); !errors.Is(err, minilm.ErrFormat) {
			t.Errorf("%s: error %v, want ErrFormat", name, err)
		}
	}
}

func TestOpenSmall(t *testing.T) {
	for shift := range 4 { // floats are the same where they cannot be used in place
		raw := append(make([]byte, shift), smallFile()...)[shift:]
		f, err := minilm.Open(raw)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Verify(); err != nil {
			t.Error(err)
		}
		codes, scales, rows, cols := f.Rows("a")
		got := []any{codes, scales, rows, cols, f.Floats("b"), f.Names()}
		want := []any{[]int8{1, -2, 3, 127, -128, 0}, []float32{0.5, 2}, 2, 3, []float32{-1.5, 4}, []string{"a", "b"}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("shift %d: %s", shift, diff)
		}
	}
}

func TestVerifyFindsDamage(t *testing.T) {
	raw := smallFile()
	raw[len(raw)-1] ^= 1
	f, err := minilm.Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Verify(); !errors.Is(err, minilm.ErrFormat) {
		t.Errorf("error %v, want ErrFormat", err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(smallFile())
	f.Fuzz(func(t *testing.T, raw []byte) {
		file, err := minilm.Open(raw)
		if err != nil {
			return
		}
		for _, name := range file.Names() { // reading every value must not leave the bytes
			codes, scales, rows, cols := file.Rows(name)
			if len(codes) != rows*cols || len(scales) != rows {
				t.Errorf("%q: %d codes, %d scales, %d × %d", name, len(codes), len(scales), rows, cols)
			}
			var sum float32
			for _, x := range file.Floats(name) {
				sum += x
			}
			_ = sum
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		if _, err := minilm.Builtin(); err != nil {
			b.Fatal(err)
		}
	}
}

func builtin(t testing.TB) *minilm.File {
	t.Helper()
	f, err := minilm.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// smallFile is a good file of two sections, written out by hand: "a", 2 × 3
// codes with two scales, and "b", two floats.
func smallFile() []byte {
	le := binary.LittleEndian
	raw := make([]byte, 192, 512)
	copy(raw, "LOCIMLM1")
	le.PutUint32(raw[8:], 1)
	le.PutUint32(raw[12:], 2)
	entry := func(at int, name string, kind, rows, cols uint32, data, scales uint64) {
		copy(raw[at:], name)
		le.PutUint32(raw[at+32:], kind)
		le.PutUint32(raw[at+36:], rows)
		le.PutUint32(raw[at+40:], cols)
		le.PutUint64(raw[at+44:], data)
		le.PutUint64(raw[at+52:], scales)
	}
	entry(64, "a", 1, 2, 3, 192, 256)
	entry(128, "b", 2, 1, 2, 320, 0)
	raw = append(raw, 1, 0xfe, 3, 127, 0x80, 0)
	raw = append(raw[:256:512], 0, 0, 0, 0x3f, 0, 0, 0, 0x40)
	raw = append(raw[:320:512], 0, 0, 0xc0, 0xbf, 0, 0, 0x80, 0x40)
	sum := sha256.Sum256(raw[64:])
	copy(raw[16:], sum[:])
	return raw
}
