package wordpiece

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answer is a text with the ids of the reference, cut at 128.
type answer struct {
	text string
	ids  []int32
}

const answerLimit = 128

// randomAnswers reads the made-up texts; the nasty ones come first.
func randomAnswers(t testing.TB) (list []answer) {
	t.Helper()
	for b := unzip(t, "testdata/random.bin.gz"); len(b) > 0; {
		n := binary.LittleEndian.Uint32(b)
		a := answer{text: string(b[4 : 4+n])}
		a.ids, b = cutIDs(b[4+n:])
		list = append(list, a)
	}
	return list
}

func TestRandomTexts(t *testing.T) {
	tokenizer, wrong := builtin(t), 0
	list := randomAnswers(t)
	for _, a := range list {
		if got := tokenizer.Encode(a.text, nil, answerLimit); !slices.Equal(a.ids, got) {
			if wrong++; wrong <= 10 {
				t.Errorf("%q: %s", a.text, cmp.Diff(a.ids, got))
			}
		}
	}
	t.Logf("%d texts, %d wrong", len(list), wrong)
}

// TestEncode reads a few texts with the eye; tokens are easier than ids.
func TestEncode(t *testing.T) {
	tokenizer := builtin(t)
	for text, want := range map[string]string{
		"":                             "",
		" \t\r\n\u3000":                "",
		"Hello, World!":                "hello , world !",
		"unaffable":                    "una ##ffa ##ble",
		"Café CAFÉ cafe\u0301":         "cafe cafe cafe",
		"a\u0000b\u200bc \ufffd d":     "abc d",
		"a\vb":                         "ab",
		"\xff\xfea\xc3":                "a",
		"中文ab":                         "中 文 ab",
		"ΟΔΟΣ":                         "ο ##δ ##ο ##σ",
		"a😀b 😀":                        "[UNK] [UNK]",
		"x[SEP]y [sep] [MASK]":         "x [SEP] y [ sep ] [MASK]",
		"[CLS[PAD]":                    "[ cl ##s [PAD]",
		"##ing":                        "# # ing",
		strings.Repeat("!", 3):         "! ! !",
		strings.Repeat("ng", 50):       "ng" + strings.Repeat(" ##ng", 49),
		strings.Repeat("ng", 50) + "c": "[UNK]",
	} {
		if got := tokens(tokenizer, tokenizer.Encode(text, nil, 0)); got != strings.TrimSpace("[CLS] "+want)+" [SEP]" {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func tokens(t *Tokenizer, ids []int32) string {
	var list []string
	for _, id := range ids {
		list = append(list, t.Token(id))
	}
	return strings.Join(list, " ")
}

// TestLimit cuts at every length: a prefix of the whole and [SEP], appended
// behind what dst held.
func TestLimit(t *testing.T) {
	tokenizer := builtin(t)
	text := "an unaffable supercalifragilistic word😀 [MASK], unaffable☃。and more of it"
	whole := tokenizer.Encode(text, nil, 1000)
	if n := tokenizer.Count(text); n != len(whole) {
		t.Errorf("Count says %d, Encode gives %d", n, len(whole))
	}
	for limit := 1; limit <= len(whole)+1; limit++ {
		n := min(max(limit, 2), len(whole))
		want := slices.Concat([]int32{7, 8}, whole[:n-1], whole[len(whole)-1:])
		if diff := cmp.Diff(want, tokenizer.Encode(text, []int32{7, 8}, limit)); diff != "" {
			t.Errorf("limit %d: %s", limit, diff)
		}
	}
	if n := len(tokenizer.Encode(strings.Repeat("word ", 2000), nil, 0)); n != DefaultMax {
		t.Errorf("%d ids without a limit, want %d", n, DefaultMax)
	}
}

func TestSmallVocabularies(t *testing.T) {
	for vocab, want := range map[string][]int32{
		"":                                    {0, 0, 0, 0},
		"[UNK]\n[CLS]\n[SEP]":                 {1, 0, 0, 2},
		"ab\n[UNK]\n[CLS]\n[SEP]\n##ab\nabab": {2, 5, 1, 3},
		"ab\n[UNK]\n[CLS]\n[SEP]\n##a\n##b":   {2, 0, 4, 5, 1, 3},
	} {
		if got := New(vocab).Encode("abab cd", nil, 0); !slices.Equal(got, want) {
			t.Errorf("vocabulary %q: ids %v, want %v", vocab, got, want)
		}
	}
}

func TestToken(t *testing.T) {
	tokenizer := builtin(t)
	got := []string{tokenizer.Token(-1), tokenizer.Token(101), tokenizer.Token(30521), tokenizer.Token(30522)}
	if diff := cmp.Diff([]string{"", "[CLS]", "##～", ""}, got); diff != "" {
		t.Error(diff)
	}
	if tokenizer.Size() != 30522 {
		t.Errorf("%d tokens", tokenizer.Size())
	}
}

// TestAllocations holds I3 with the texts of all scripts.
func TestAllocations(t *testing.T) {
	tokenizer, dst := builtin(t), make([]int32, 0, DefaultMax)
	for _, a := range randomAnswers(t)[:500] {
		if n := testing.AllocsPerRun(1, func() {
			dst = tokenizer.Encode(a.text, dst[:0], 0)
			tokenizer.Count(a.text)
		}); n != 0 {
			t.Fatalf("%q: %v allocations", a.text, n)
		}
	}
}

// FuzzEncode reads any bytes and holds the result against a slow reading of the
// same rules that shares only the vocabulary and the table.
func FuzzEncode(f *testing.F) {
	tokenizer := builtin(f)
	book := newBook(tokenizer)
	for _, a := range randomAnswers(f)[:300] {
		f.Add(a.text)
	}
	f.Add("\xf0\x9f\x98 \xed\xa0\x80 a\x80b")
	f.Fuzz(func(t *testing.T, text string) {
		want := book.encode(text)
		if diff := cmp.Diff(want, tokenizer.Encode(text, nil, len(want)+1)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
		if n := tokenizer.Count(text); n != len(want) {
			t.Errorf("%q: Count says %d, want %d", text, n, len(want))
		}
		if got := tokenizer.Encode(text, nil, 9); len(got) > 9 || !slices.Equal(got[:len(got)-1], want[:len(got)-1]) {
			t.Errorf("%q: cut at nine: %v of %v", text, got, want)
		}
	})
}
