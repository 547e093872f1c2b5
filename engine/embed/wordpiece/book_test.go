package wordpiece

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// book is the tokenizer as a book would tell it: cut out the special tokens,
// normalise, split, look up. It allocates freely.
type book struct {
	t   *Tokenizer
	ids map[string]int32
}

func newBook(t *Tokenizer) *book {
	b := &book{t: t, ids: map[string]int32{}}
	for id := range t.Size() {
		b.ids[t.Token(int32(id))] = int32(id)
	}
	return b
}

func (b *book) encode(text string) []int32 {
	ids := []int32{b.t.cls}
	for len(text) > 0 {
		at, found := len(text), special{}
		for _, s := range b.t.special {
			if i := strings.Index(text, s.text); i >= 0 && i < at {
				at, found = i, s
			}
		}
		for word := range strings.FieldsSeq(normalise(text[:at])) {
			ids = append(ids, b.pieces(word)...)
		}
		if text = text[at:]; found.text != "" {
			ids, text = append(ids, found.id), text[len(found.text):]
		}
	}
	return append(ids, b.t.sep)
}

// normalise splits nothing yet: what stands alone gets spaces around it.
func normalise(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch act := actionOf(r); {
		case r == utf8.RuneError || act == drop:
		case act == keep:
			b.WriteRune(r)
		case act == space:
			b.WriteByte(' ')
		case act == hangul:
			b.WriteString(norm.NFD.String(string(r)))
		case shape(planOf(r)) == alone || act == alone:
			b.WriteString(" " + cmp.Or(planOf(r).text, string(r)) + " ")
		default:
			b.WriteString(planOf(r).text)
		}
	}
	return b.String()
}

func (b *book) pieces(word string) (ids []int32) {
	runes, prefix := []rune(word), ""
	if len(runes) > maxWord {
		return []int32{b.t.unk}
	}
	for len(runes) > 0 {
		n := len(runes)
		id, ok := b.ids[prefix+string(runes[:n])]
		for n > 0 && !ok {
			n--
			id, ok = b.ids[prefix+string(runes[:n])]
		}
		if n == 0 {
			return []int32{b.t.unk}
		}
		ids = append(ids, id)
		runes, prefix = runes[n:], piecePrefix
	}
	return ids
}
