package wire

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"loci/engine/memory"
)

// What a value of the wrong type should have been.
const (
	needString  = "must be a string"
	needBool    = "must be true or false"
	needNumber  = "must be a number"
	needWhole   = "must be a whole number"
	needFinite  = "must be a finite number"
	needInRange = "is out of range"
	needObject  = "must be an object"
	needList    = "must be a list"
	needID      = "must be a UUID"
	needTime    = "must be a time such as 2026-01-31T09:30:00Z, or a date such as 2026-01-31"
)

// instead notes what should have stood here and skips what does.
func (d *decoder) instead(message string) error {
	if c := d.peek(); (c == 'N' || c == 'I' || c == '-') && d.notFinite() {
		return d.note(needFinite)
	}
	if err := d.skip(); err != nil {
		return err
	}
	return d.note(message)
}

// object reads the members of an object, which is next, into a struct.
func (d *decoder) object(s *shape, v reflect.Value) error {
	if err := d.down(); err != nil {
		return err
	}
	defer d.up()
	var seen uint64
	for first := true; ; first = false {
		more, err := d.next(first, '}')
		if err != nil || !more {
			return err
		}
		if err := d.member(s, v, &seen); err != nil {
			return err
		}
	}
}

func (d *decoder) member(s *shape, v reflect.Value, seen *uint64) error {
	name, err := d.memberName()
	if err != nil {
		return err
	}
	d.push(name)
	defer d.pop()
	i, known := s.byName[string(name)]
	switch {
	case !known:
		return d.instead("is not a field of this request")
	case *seen&(1<<i) != 0:
		return d.instead("is given twice")
	}
	*seen |= 1 << i
	f := &s.fields[i]
	if d.peek() == 'n' && !f.nulls && d.literal("null") {
		return nil
	}
	return f.decode(d, f.in(v), f.rule)
}

// goodText takes a string in which nothing is wrong. ok is false if the fault
// has been noted already.
func (d *decoder) goodText(need string) (t text, ok bool, err error) {
	if d.peek() != '"' {
		return t, false, d.instead(need)
	}
	if t, err = d.text(); err != nil {
		return t, false, err
	}
	if t.wrong != "" {
		return t, false, d.note(t.wrong)
	}
	return t, true, nil
}

func decodeString(d *decoder, v reflect.Value, _ *memory.Rule) error {
	t, ok, err := d.goodText(needString)
	if ok {
		v.SetString(d.copyOf(t))
	}
	return err
}

func decodeBool(d *decoder, v reflect.Value, _ *memory.Rule) error {
	switch c := d.peek(); {
	case c == 't' && d.literal("true"):
		v.SetBool(true)
	case c == 'f' && d.literal("false"):
		v.SetBool(false)
	default:
		return d.instead(needBool)
	}
	return nil
}

func startsNumber(c byte) bool { return c == '-' || c >= '0' && c <= '9' }

func decodeInt(d *decoder, v reflect.Value, rule *memory.Rule) error {
	if !startsNumber(d.peek()) || d.notFiniteNext() {
		return d.instead(needWhole)
	}
	digits, whole, err := d.number()
	switch {
	case err != nil:
		return err
	case !whole:
		return d.note(needWhole)
	}
	return d.setInt(v, string(digits), rule)
}

// setInt stores a whole number. A zero that was given is held against the
// range here, because afterwards it would mean "not given".
func (d *decoder) setInt(v reflect.Value, digits string, rule *memory.Rule) error {
	n, err := strconv.Atoi(digits)
	switch {
	case err != nil:
		return d.note(needInRange)
	case n == 0 && rule.Range && (rule.Low > 0 || rule.High < 0):
		return d.note(fmt.Sprintf("must be between %v and %v", rule.Low, rule.High))
	}
	v.SetInt(int64(n))
	return nil
}

func decodeFloat(d *decoder, v reflect.Value, _ *memory.Rule) error {
	if !startsNumber(d.peek()) || d.notFiniteNext() {
		return d.instead(needNumber)
	}
	digits, _, err := d.number()
	if err != nil {
		return err
	}
	f, err := strconv.ParseFloat(string(digits), 64)
	if err != nil {
		return d.note(needInRange)
	}
	v.SetFloat(f)
	return nil
}

// notFiniteNext reports a minus that no digit follows, which instead explains.
func (d *decoder) notFiniteNext() bool {
	return d.data[d.at] == '-' && d.at+1 < len(d.data) && (d.data[d.at+1] == 'I' || d.data[d.at+1] == 'N')
}

func decodeTime(d *decoder, v reflect.Value, _ *memory.Rule) error {
	t, ok, err := d.goodText(needTime)
	if !ok {
		return err
	}
	return d.setTime(v, t.raw)
}

// setTime stores a time in UTC, to the microsecond: what storage keeps.
func (d *decoder) setTime(v reflect.Value, raw []byte) error {
	var at time.Time
	if err := at.UnmarshalText(raw); err != nil {
		if at, err = time.Parse(time.DateOnly, string(raw)); err != nil {
			return d.note(needTime)
		}
	}
	*v.Addr().Interface().(*time.Time) = at.UTC().Truncate(time.Microsecond)
	return nil
}

func decodeID(d *decoder, v reflect.Value, _ *memory.Rule) error {
	t, ok, err := d.goodText(needID)
	if !ok {
		return err
	}
	return d.setID(v, string(t.raw))
}

func (d *decoder) setID(v reflect.Value, s string) error {
	id, err := memory.ParseID(s)
	if err != nil {
		return d.note(needID)
	}
	*v.Addr().Interface().(*memory.ID) = id
	return nil
}

func decodeText(d *decoder, v reflect.Value, _ *memory.Rule) error {
	t, ok, err := d.goodText(needString)
	if !ok {
		return err
	}
	if v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(d.copyOf(t))) != nil {
		return d.note("is not valid")
	}
	return nil
}

func decodeSlot(d *decoder, v reflect.Value, rule *memory.Rule) error {
	s := v.Addr().Interface().(slot)
	if d.peek() == 'n' && d.literal("null") {
		s.Clear()
		return nil
	}
	inner := reflect.ValueOf(s.Slot()).Elem()
	return functionOf(inner.Type())(d, inner, rule)
}
