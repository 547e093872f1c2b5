package wire

import (
	"unicode/utf16"
	"unicode/utf8"
)

// text is a JSON string as it stands in the body, without its quotes.
type text struct {
	raw     []byte
	escaped bool   // raw has escapes
	wrong   string // why it is refused, if it is
}

// What may be wrong with a text that is delimited all the same (W2).
const (
	wrongUTF8      = "is not valid UTF-8"
	wrongNUL       = "contains a NUL character"
	wrongControl   = "contains a control character that is not escaped"
	wrongSurrogate = "contains half of a surrogate pair"
)

// text takes a string; its opening quote is next.
func (d *decoder) text() (t text, err error) {
	d.at++
	start, high := d.at, false
	for d.plain(); d.at < len(d.data); d.plain() {
		switch c := d.data[d.at]; {
		case c == '"':
			t.raw = d.data[start:d.at]
			d.at++
			if high && t.wrong == "" && !utf8.Valid(t.raw) {
				t.wrong = wrongUTF8
			}
			return t, nil
		case c == '\\':
			t.escaped = true
			if err := d.escape(&t); err != nil {
				return t, err
			}
		case c < 0x20:
			t.wrong = wrongControl
			if c == 0 {
				t.wrong = wrongNUL
			}
			d.at++
		default:
			high = true
			d.at++
		}
	}
	return t, d.malformed("a string is not closed")
}

// dull marks the bytes of a text that mean only themselves: printable ASCII
// but for the quote and the backslash.
var dull = func() (table [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		table[c] = c != '"' && c != '\\'
	}
	return table
}()

// plain passes over dull bytes: nearly all of a text, so this loop is the one
// that must be short.
func (d *decoder) plain() {
	data, i := d.data, d.at
	for i < len(data) && dull[data[i]] {
		i++
	}
	d.at = i
}

// escape takes one escape, or two that form a pair.
func (d *decoder) escape(t *text) error {
	if d.at+1 >= len(d.data) {
		return d.malformed("a string is not closed")
	}
	switch d.data[d.at+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		d.at += 2
		return nil
	case 'u':
		return d.unicodeEscape(t)
	}
	return d.malformed("there is no such escape")
}

func (d *decoder) unicodeEscape(t *text) error {
	unit, ok := hex4(d.data[d.at:])
	if !ok {
		return d.malformed("\\u needs four hexadecimal digits")
	}
	d.at += 6
	switch {
	case unit == 0:
		t.wrong = wrongNUL
	case utf16.IsSurrogate(unit):
		low, ok := hex4(d.data[d.at:])
		if !ok || utf16.DecodeRune(unit, low) == utf8.RuneError {
			t.wrong = wrongSurrogate
			return nil
		}
		d.at += 6
	}
	return nil
}

// hex4 reads the four digits of the \u escape at the start of b.
func hex4(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	var unit rune
	for _, c := range b[2:6] {
		switch {
		case c >= '0' && c <= '9':
			unit = unit<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			unit = unit<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return unit, true
}

// simple maps the letter of a short escape to its character.
var simple = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// appendUnescaped appends the characters of a text in which nothing is wrong.
func appendUnescaped(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		switch {
		case raw[i] != '\\':
			dst = append(dst, raw[i])
			i++
		case raw[i+1] != 'u':
			dst = append(dst, simple[raw[i+1]])
			i += 2
		default:
			unit, _ := hex4(raw[i:])
			if i += 6; utf16.IsSurrogate(unit) {
				low, _ := hex4(raw[i:])
				unit = utf16.DecodeRune(unit, low)
				i += 6
			}
			dst = utf8.AppendRune(dst, unit)
		}
	}
	return dst
}

// copyOf is the text as a string of its own (W1).
func (d *decoder) copyOf(t text) string {
	if !t.escaped {
		return string(t.raw)
	}
	d.scratch = appendUnescaped(d.scratch[:0], t.raw)
	return string(d.scratch)
}
