package wordpiece

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"flag"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"loci/engine/embed/minilm"
)

var update = flag.Bool("update", false, "make table.bin anew")

// TestTable asks for every rune between two letters and compares with what the
// reference said (I1). With -update it makes the table first.
func TestTable(t *testing.T) {
	answers := runeAnswers(t)
	if *update {
		if err := os.WriteFile("table.bin", makeTable(t, answers), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Fatal("table.bin was made anew: run the test again without -update")
	}
	tokenizer := builtin(t)
	wrong := 0
	for r, want := range answers {
		got := tokenizer.Encode("a"+string(r)+"b", nil, 0)
		if got = got[1 : len(got)-1]; !slices.Equal(got, want) {
			if wrong++; wrong <= 20 {
				t.Errorf("%U: ids %v, the reference says %v", r, got, want)
			}
		}
	}
	t.Logf("%d runes, %d wrong", len(answers), wrong)
}

// runeAnswers reads the ids of a<rune>b.
func runeAnswers(t testing.TB) map[rune][]int32 {
	t.Helper()
	le := binary.LittleEndian
	answers := map[rune][]int32{}
	for b := unzip(t, "testdata/runes.bin.gz"); len(b) > 0; {
		r, count, step := rune(le.Uint32(b)), le.Uint32(b[4:]), rune(le.Uint32(b[8:]))
		b = b[12:]
		for range count {
			answers[r], b = cutIDs(b)
			r += step
		}
	}
	return answers
}

// plan is what becomes of a rune, before it has a place in the table.
type plan struct {
	act  action
	text string // of a replacement
}

// makeTable plans every rune by the Unicode tables at hand and lets the
// reference overrule what it was seen to do otherwise.
func makeTable(t testing.TB, answers map[rune][]int32) []byte {
	tokenizer := builtin(t)
	a, b := tokenizer.id("a"), tokenizer.id("b")
	ab := tokenizer.id("ab")
	overruled := 0
	planned := func(r rune) plan {
		p := planOf(r)
		ids, known := answers[r]
		if !known {
			return p
		}
		seen := seenAs(ids, a, b, ab)
		if seen == shape(p) {
			return p
		}
		overruled++
		return plan{act: seen}
	}
	table := layTable(planned)
	t.Logf("%d bytes; the reference overruled %d runes", len(table), overruled)
	return table
}

// seenAs reads an answer: ab was left, or a and b, or something between them,
// or all three in one word.
func seenAs(ids []int32, a, b, ab int32) action {
	switch {
	case slices.Equal(ids, []int32{ab}):
		return drop
	case slices.Equal(ids, []int32{a, b}):
		return space
	case len(ids) == 3 && ids[0] == a && ids[2] == b:
		return alone
	}
	return keep
}

// shape is what seenAs would see of a plan.
func shape(p plan) action {
	switch {
	case p.act == hangul:
		return keep
	case p.act == firstReplacement:
		if r, n := utf8.DecodeRuneInString(p.text); n == len(p.text) && standsAlone(r) {
			return alone
		}
		return keep
	}
	return p.act
}

// planOf follows the reference step by step: clean, space out, decompose and
// strip accents, lower case.
func planOf(r rune) plan {
	switch {
	case r == 0 || r == utf8.RuneError || isControl(r):
		return plan{act: drop}
	case unicode.IsSpace(r):
		return plan{act: space}
	case 0xac00 <= r && r <= 0xd7a3:
		return plan{act: hangul}
	}
	text := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(string(r)))
	text = strings.ToLower(text)
	switch {
	case text == "":
		return plan{act: drop}
	case text != string(r):
		return plan{act: firstReplacement, text: text}
	case standsAlone(r):
		return plan{act: alone}
	}
	return plan{act: keep}
}

func isControl(r rune) bool {
	return r != '\t' && r != '\n' && r != '\r' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}

func standsAlone(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiActions[r] == alone
	}
	return unicode.Is(unicode.P, r) || isChinese(r)
}

// isChinese are the blocks that BERT puts spaces around.
func isChinese(r rune) bool {
	for _, block := range [][2]rune{
		{0x4e00, 0x9fff}, {0x3400, 0x4dbf}, {0x20000, 0x2a6df}, {0x2a700, 0x2b73f},
		{0x2b740, 0x2b81f}, {0x2b820, 0x2ceaf}, {0xf900, 0xfaff}, {0x2f800, 0x2fa1f},
	} {
		if block[0] <= r && r <= block[1] {
			return true
		}
	}
	return false
}

// layTable writes the three parts of the table; equal blocks are shared.
func layTable(planned func(rune) plan) []byte {
	var index, blocks, texts []byte
	blockOf, placeOf := map[string]byte{}, map[string]int{}
	for page := range rune(pages) {
		var block []byte
		for r := page * pageSize; r < (page+1)*pageSize; r++ {
			p := planned(r)
			if p.act == firstReplacement {
				p.act += action(placeText(&texts, placeOf, p))
			}
			block = binary.LittleEndian.AppendUint16(block, uint16(p.act))
		}
		n, known := blockOf[string(block)]
		if !known {
			n = byte(len(blockOf))
			blockOf[string(block)] = n
			blocks = append(blocks, block...)
		}
		index = append(index, n)
	}
	if len(blockOf) > 256 || len(texts) > 1<<16-int(firstReplacement) {
		panic("the table does not fit")
	}
	return slices.Concat(index, blocks, texts)
}

func placeText(texts *[]byte, placeOf map[string]int, p plan) int {
	head := byte(len(p.text))
	if shape(p) == alone {
		head |= aloneFlag
	}
	entry := string([]byte{head}) + p.text
	at, known := placeOf[entry]
	if !known {
		at = len(*texts)
		placeOf[entry] = at
		*texts = append(*texts, entry...)
	}
	return at
}

func builtin(t testing.TB) *Tokenizer {
	t.Helper()
	f, err := minilm.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return New(f.Vocab())
}

func cutIDs(b []byte) (ids []int32, rest []byte) {
	n := int(binary.LittleEndian.Uint16(b))
	for i := range n {
		ids = append(ids, int32(binary.LittleEndian.Uint16(b[2+2*i:])))
	}
	return ids, b[2+2*n:]
}

func unzip(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if b, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return b
}
