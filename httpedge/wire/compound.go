package wire

import (
	"fmt"
	"reflect"

	"loci/engine/memory"
)

// compileShort reads a type that one string will do for.
func compileShort(t reflect.Type) decodeFunc {
	long := compileKind(t)
	need := needString + " or a list"
	if t.Kind() == reflect.Struct {
		need = needString + " or an object"
	}
	return func(d *decoder, v reflect.Value, rule *memory.Rule) error {
		switch d.peek() {
		case '{', '[':
			return long(d, v, rule)
		}
		text, ok, err := d.goodText(need)
		if ok {
			v.Addr().Interface().(short).FromString(d.copyOf(text))
		}
		return err
	}
}

func compilePointer(t reflect.Type) decodeFunc {
	inner := functionOf(t.Elem())
	return func(d *decoder, v reflect.Value, rule *memory.Rule) error {
		if v.IsNil() {
			v.Set(reflect.New(t.Elem()))
		}
		return inner(d, v.Elem(), rule)
	}
}

func compileStruct(t reflect.Type) decodeFunc {
	return func(d *decoder, v reflect.Value, _ *memory.Rule) error {
		if d.peek() != '{' {
			return d.instead(needObject)
		}
		return d.object(structOf(t), v)
	}
}

func compileSlice(t reflect.Type) decodeFunc {
	element := functionOf(t.Elem())
	return func(d *decoder, v reflect.Value, rule *memory.Rule) error {
		if d.peek() != '[' {
			return d.instead(needList)
		}
		return d.list(v, element, rule)
	}
}

// anything is the rule of elements: what a list's rule says of them is checked
// by memory.Check.
var anything memory.Rule

// list reads a list, which is next. Elements beyond the rule are only counted:
// a megabyte of {} would otherwise become a hundred of structs (W4).
func (d *decoder) list(v reflect.Value, element decodeFunc, rule *memory.Rule) error {
	if err := d.down(); err != nil {
		return err
	}
	defer d.up()
	for n := 0; ; n++ {
		more, err := d.next(n == 0, ']')
		if err != nil {
			return err
		}
		if !more {
			return d.tooMany(n, rule)
		}
		if err := d.element(v, n, element, rule); err != nil {
			return err
		}
	}
}

func (d *decoder) element(v reflect.Value, n int, decode decodeFunc, rule *memory.Rule) error {
	if rule.Max > 0 && n >= rule.Max {
		return d.skip()
	}
	v.Grow(1)
	v.SetLen(n + 1)
	d.pushPlace(n)
	defer d.pop()
	return decode(d, v.Index(n), &anything)
}

func (d *decoder) tooMany(n int, rule *memory.Rule) error {
	if rule.Max > 0 && n > rule.Max {
		return d.note(fmt.Sprintf("has %d elements; at most %d are allowed", n, rule.Max))
	}
	return nil
}
