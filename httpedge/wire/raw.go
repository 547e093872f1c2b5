package wire

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"

	"loci/engine/memory"
)

// decodeRaw keeps a value as JSON: a compact copy, held to the same strictness
// as everything else (W2).
func decodeRaw(d *decoder, v reflect.Value, _ *memory.Rule) error {
	d.kept = d.kept[:0]
	if err := d.keep(); err != nil {
		return err
	}
	*v.Addr().Interface().(*json.RawMessage) = bytes.Clone(d.kept)
	return nil
}

// keep appends the next value to d.kept, without white space.
func (d *decoder) keep() error {
	switch c := d.peek(); {
	case c == '{':
		return d.keepObject()
	case c == '[':
		return d.keepList()
	case c == '"':
		return d.keepText()
	case startsNumber(c) && !d.notFiniteNext():
		return d.keepNumber()
	}
	start := d.at
	if d.literal("true") || d.literal("false") || d.literal("null") {
		d.kept = append(d.kept, d.data[start:d.at]...)
		return nil
	}
	return d.instead("must be JSON")
}

func (d *decoder) keepText() error {
	t, err := d.text()
	if err != nil {
		return err
	}
	if t.wrong != "" {
		return d.note(t.wrong)
	}
	d.kept = append(append(append(d.kept, '"'), t.raw...), '"')
	return nil
}

// keepNumber refuses what no float64 can hold: nobody could filter by it.
func (d *decoder) keepNumber() error {
	digits, _, err := d.number()
	if err != nil {
		return err
	}
	if _, err := strconv.ParseFloat(string(digits), 64); err != nil {
		return d.note(needInRange)
	}
	d.kept = append(d.kept, digits...)
	return nil
}

func (d *decoder) keepList() error {
	if err := d.down(); err != nil {
		return err
	}
	defer d.up()
	d.kept = append(d.kept, '[')
	for n := 0; ; n++ {
		more, err := d.next(n == 0, ']')
		if err != nil || !more {
			d.kept = append(d.kept, ']')
			return err
		}
		if n > 0 {
			d.kept = append(d.kept, ',')
		}
		d.pushPlace(n)
		if err := d.keep(); err != nil {
			return err
		}
		d.pop()
	}
}

func (d *decoder) keepObject() error {
	if err := d.down(); err != nil {
		return err
	}
	defer d.up()
	names := nameSet{from: len(d.keys)}
	d.kept = append(d.kept, '{')
	for n := 0; ; n++ {
		more, err := d.next(n == 0, '}')
		if err != nil || !more {
			d.kept, d.keys = append(d.kept, '}'), d.keys[:names.from]
			return err
		}
		if n > 0 {
			d.kept = append(d.kept, ',')
		}
		if err := d.keepMember(&names); err != nil {
			return err
		}
	}
}

func (d *decoder) keepMember(names *nameSet) error {
	start := d.at
	name, err := d.memberName()
	if err != nil {
		return err
	}
	// The name is kept as it was written: next has already skipped the space
	// before it, and its own closing quote is the last one before the colon.
	written := bytes.TrimRight(d.data[start:d.at-1], " \t\r\n")
	d.kept = append(append(d.kept, written...), ':')
	d.push(name)
	defer d.pop()
	if names.add(d, name) {
		return d.instead("is given twice")
	}
	return d.keep()
}

// nameSet knows the names of one open object: the tail of d.keys while they
// are few, a map once comparing each with each would take too long (W4).
type nameSet struct {
	from int
	many map[string]struct{}
}

const few = 16

// add notes a name and reports whether it was there already.
func (s *nameSet) add(d *decoder, name []byte) bool {
	if s.many != nil {
		_, there := s.many[string(name)]
		s.many[string(name)] = struct{}{}
		return there
	}
	for _, k := range d.keys[s.from:] {
		if bytes.Equal(k, name) {
			return true
		}
	}
	d.keys = append(d.keys, name)
	if len(d.keys)-s.from > few {
		s.many = make(map[string]struct{}, 2*few)
		for _, k := range d.keys[s.from:] {
			s.many[string(k)] = struct{}{}
		}
	}
	return false
}

// skip passes over a value that is not wanted; only its syntax matters.
func (d *decoder) skip() error {
	switch c := d.peek(); {
	case c == 0:
		return d.malformed("a value is missing")
	case c == '{':
		return d.skipAll('}', true)
	case c == '[':
		return d.skipAll(']', false)
	case c == '"':
		_, err := d.text()
		return err
	case startsNumber(c) && !d.notFiniteNext():
		_, _, err := d.number()
		return err
	case d.literal("true") || d.literal("false") || d.literal("null"):
		return nil
	}
	return d.malformed("a value is expected")
}

func (d *decoder) skipAll(closing byte, named bool) error {
	if err := d.down(); err != nil {
		return err
	}
	defer d.up()
	for first := true; ; first = false {
		more, err := d.next(first, closing)
		if err != nil || !more {
			return err
		}
		if named {
			if _, err := d.memberName(); err != nil {
				return err
			}
		}
		if err := d.skip(); err != nil {
			return err
		}
	}
}
