package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Normal is how a text is written, less case, blanks and punctuation: two texts
// with one normal form say the same thing. It errs on the side of difference,
// because a text taken for a duplicate is not stored. Kept are accents, numbers
// with their signs, points and separators, symbols (+ $ = < emoji), per cent,
// apostrophes in words, and what joins two words without a blank (/ . _ @ & *),
// but for a hyphen, which is as good as a blank unless a digit follows it. The
// signs behind C++ and C# stay too. A text of punctuation only is its own form.
func Normal(text string) string {
	n := normal{text: text, out: make([]byte, 0, len(text))}
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		n.write(r, at, at+size)
		at += size
	}
	if len(n.out) == 0 {
		return strings.ToLower(strings.TrimSpace(text))
	}
	return string(n.out)
}

// normal is a normal form being written.
type normal struct {
	text  string
	out   []byte
	blank bool // something was left out since the last character
}

func (n *normal) write(r rune, start, end int) {
	switch {
	case isSilent(r):
	case n.keeps(r, start, end):
		n.put(unicode.ToLower(plainSign(r)))
	default:
		n.blank = true
	}
}

func (n *normal) put(r rune) {
	if n.blank && len(n.out) > 0 {
		n.out = append(n.out, ' ')
	}
	n.blank = false
	n.out = utf8.AppendRune(n.out, r)
}

// keeps reports whether r, at text[start:end], means something there.
func (n *normal) keeps(r rune, start, end int) bool {
	if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
		return true
	}
	switch plainSign(r) {
	case '%', '‰', '$', '+':
		return true
	case '-':
		return figureAt(n.text, end)
	case '.':
		return digitAt(n.text, end) || n.joins(start, end) // .5 and 3.5 and main.go
	case ',', ':', '\'', '/', '_', '&', '*', '\\':
		return n.joins(start, end)
	case '#', '@':
		return meansAt(n.text, end) || meansBefore(n.text, start)
	case '`', '|', '´', '¨':
		return false
	}
	return unicode.IsSymbol(r) || r == utf8.RuneError
}

// joins reports whether characters of words stand on both sides.
func (n *normal) joins(start, end int) bool {
	return meansBefore(n.text, start) && meansAt(n.text, end)
}

// plainSign joins the typographic forms of a sign with the one on the keyboard.
func plainSign(r rune) rune {
	switch r {
	case '−', '–', '‐', '‑', '﹣', '－':
		return '-'
	case '’', 'ʼ', '＇':
		return '\''
	}
	return r
}

// isSilent reports whether r is neither read nor a gap.
func isSilent(r rune) bool {
	return r == 0x00AD || r == 0x200B || r == 0x2060 || r == 0xFEFF
}

// figureAt reports whether a number stands at at, perhaps behind a point or a
// sign of money.
func figureAt(text string, at int) bool {
	r, size := utf8.DecodeRuneInString(text[at:])
	if r == '.' || unicode.Is(unicode.Sc, r) {
		at += size
	}
	return digitAt(text, at)
}

func digitAt(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return unicode.IsDigit(r)
}

func meansAt(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

func meansBefore(text string, at int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}
