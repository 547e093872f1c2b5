package wire

import (
	"bytes"
	"unicode/utf8"
)

// space skips white space.
func (d *decoder) space() {
	for d.at < len(d.data) {
		switch d.data[d.at] {
		case ' ', '\t', '\n', '\r':
			d.at++
		default:
			return
		}
	}
}

// peek is the first byte of the next value, or 0 at the end.
func (d *decoder) peek() byte {
	d.space()
	if d.at == len(d.data) {
		return 0
	}
	return d.data[d.at]
}

// literal takes word if it is next.
func (d *decoder) literal(word string) bool {
	if rest := d.data[d.at:]; len(rest) < len(word) || string(rest[:len(word)]) != word {
		return false
	}
	d.at += len(word)
	return true
}

// next goes to the following member of an object or list. It reports false at
// the closing byte, which it takes.
func (d *decoder) next(first bool, closing byte) (bool, error) {
	switch c := d.peek(); {
	case c == closing:
		d.at++
		return false, nil
	case first && c != 0:
		return true, nil
	case c == ',':
		d.at++
		if d.peek() == closing {
			return false, d.malformed("a comma before " + string(closing))
		}
		return true, nil
	case c == 0:
		return false, d.malformed("it ends too early")
	}
	return false, d.malformed("expected , or " + string(closing))
}

// memberName reads a member's name and the colon after it. The name is in the
// body, or in memory of its own if it had escapes.
func (d *decoder) memberName() ([]byte, error) {
	if d.peek() != '"' {
		return nil, d.malformed("expected a field name in double quotes")
	}
	t, err := d.text()
	if err != nil {
		return nil, err
	}
	name := t.raw
	if t.wrong != "" {
		if err := d.note("has a field name that " + t.wrong); err != nil {
			return nil, err
		}
	} else if t.escaped {
		name = appendUnescaped(nil, t.raw)
	}
	if d.peek() != ':' {
		return nil, d.malformed("expected : after a field name")
	}
	d.at++
	return name, nil
}

// number takes a number by the grammar of JSON and reports whether it is
// written as a whole one.
func (d *decoder) number() (text []byte, whole bool, err error) {
	start := d.at
	if d.data[d.at] == '-' {
		d.at++
	}
	if !d.intPart() {
		return nil, false, d.malformed("a number is expected")
	}
	whole = true
	if d.at < len(d.data) && d.data[d.at] == '.' {
		d.at++
		if whole = false; d.digits() == 0 {
			return nil, false, d.malformed("a digit is expected after the point")
		}
	}
	if d.at < len(d.data) && d.data[d.at]|0x20 == 'e' {
		d.at++
		if d.at < len(d.data) && (d.data[d.at] == '+' || d.data[d.at] == '-') {
			d.at++
		}
		if whole = false; d.digits() == 0 {
			return nil, false, d.malformed("a digit is expected in the exponent")
		}
	}
	return d.data[start:d.at], whole, nil
}

func (d *decoder) intPart() bool {
	if d.at < len(d.data) && d.data[d.at] == '0' {
		d.at++
		return d.at == len(d.data) || d.data[d.at] < '0' || d.data[d.at] > '9'
	}
	return d.digits() > 0
}

func (d *decoder) digits() (n int) {
	for d.at < len(d.data) && d.data[d.at] >= '0' && d.data[d.at] <= '9' {
		d.at++
		n++
	}
	return n
}

// notFinite takes NaN and Infinity, which are not JSON but are sent by
// programs whose authors deserve to hear which field it was.
func (d *decoder) notFinite() bool {
	return d.literal("NaN") || d.literal("Infinity") || d.literal("-Infinity") || d.literal("-NaN")
}

// shown is a name as an answer may show it: short, and valid text.
func shown(name []byte) []byte {
	const most = 100
	name = bytes.ToValidUTF8(name, []byte("\uFFFD"))
	if len(name) <= most {
		return name
	}
	cut := most
	for !utf8.RuneStart(name[cut]) {
		cut--
	}
	return append(name[:cut:cut], "…"...)
}
