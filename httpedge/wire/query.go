package wire

import (
	"bytes"
	"iter"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"loci/engine/memory"
)

// DecodeQuery reads query parameters, already percent-decoded, into a request
// struct. A list is given by commas or by repeating the parameter; raw JSON,
// such as a filter, as its text. Nothing of the parameters is kept (W1).
func DecodeQuery(parameters iter.Seq2[[]byte, []byte], into any) error {
	d := decoders.Get().(*decoder)
	defer d.release()
	return d.result(d.query(parameters, reflect.ValueOf(into).Elem()))
}

func (d *decoder) query(parameters iter.Seq2[[]byte, []byte], v reflect.Value) error {
	s := structOf(v.Type())
	var seen uint64
	for name, value := range parameters {
		d.path = append(d.path[:0], step{name: bytes.Clone(name)})
		if err := d.parameter(s, v, name, value, &seen); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) parameter(s *shape, v reflect.Value, name, value []byte, seen *uint64) error {
	i, known := s.byName[string(name)]
	if !known {
		return d.note("is not a parameter of this request")
	}
	f := &s.fields[i]
	target := f.in(v)
	isList := target.Kind() == reflect.Slice && target.Type() != rawType
	if *seen&(1<<i) != 0 && !isList {
		return d.note("is given twice")
	}
	*seen |= 1 << i
	switch {
	case !utf8.Valid(value):
		return d.note(wrongUTF8)
	case bytes.IndexByte(value, 0) >= 0:
		return d.note(wrongNUL)
	case isList:
		return d.listParameter(target, string(value), f.rule)
	}
	return d.setText(target, string(value), f.rule)
}

func (d *decoder) listParameter(v reflect.Value, value string, rule *memory.Rule) error {
	for part := range strings.SplitSeq(value, ",") {
		n := v.Len()
		if rule.Max > 0 && n >= rule.Max {
			return d.note("has more than " + strconv.Itoa(rule.Max) + " elements")
		}
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		v.Grow(1)
		v.SetLen(n + 1)
		if err := d.setText(v.Index(n), part, &anything); err != nil {
			return err
		}
	}
	return nil
}

// setText stores a value that came as text.
func (d *decoder) setText(v reflect.Value, s string, rule *memory.Rule) error {
	switch v.Type() {
	case timeType:
		return d.setTime(v, []byte(s))
	case idType:
		return d.setID(v, s)
	case rawType:
		return d.setRawText(v, s, rule)
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(s)
	case reflect.Bool:
		return d.setBoolText(v, s)
	case reflect.Int:
		return d.setIntText(v, s, rule)
	case reflect.Float64:
		return d.setFloatText(v, s)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return d.setText(v.Elem(), s, rule)
	default:
		return d.note("cannot be a parameter")
	}
	return nil
}

func (d *decoder) setBoolText(v reflect.Value, s string) error {
	if s != "true" && s != "false" {
		return d.note(needBool)
	}
	v.SetBool(s == "true")
	return nil
}

func (d *decoder) setIntText(v reflect.Value, s string, rule *memory.Rule) error {
	if !allDigits(strings.TrimPrefix(s, "-")) {
		return d.note(needWhole)
	}
	return d.setInt(v, s, rule)
}

func (d *decoder) setFloatText(v reflect.Value, s string) error {
	f, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil:
		return d.note(needNumber)
	case f != f || f-f != 0: // NaN, Inf
		return d.note(needFinite)
	}
	v.SetFloat(f)
	return nil
}

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// setRawText reads JSON text, such as filter={"rank":3}.
func (d *decoder) setRawText(v reflect.Value, s string, rule *memory.Rule) error {
	d.data, d.at = []byte(s), 0
	if err := decodeRaw(d, v, rule); err != nil {
		return err
	}
	if d.space(); d.at < len(d.data) {
		return d.malformed("more follows after the end of the value")
	}
	return nil
}

// Has reports whether a request type, given by a value, has a field of this
// name. A nil value has none.
func Has(request any, name string) bool {
	if request == nil {
		return false
	}
	_, there := structOf(reflect.TypeOf(request)).byName[name]
	return there
}
