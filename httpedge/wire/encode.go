package wire

import (
	"fmt"
	"reflect"
	"sync"
)

// Append appends the JSON of a result struct, given by pointer, with
// "success":true as its first member.
func Append(dst []byte, result any) ([]byte, error) {
	v := reflect.ValueOf(result)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return dst, fmt.Errorf("encode %T: not a pointer to a struct", result)
	}
	dst = append(dst, `{"success":true`...)
	dst, err := outlineOf(v.Elem().Type()).members(dst, v.Elem(), false)
	return append(dst, '}'), err
}

// AppendPlain appends the JSON of any value of the types that results use.
func AppendPlain(dst []byte, value any) ([]byte, error) {
	v := reflect.ValueOf(value)
	return writerOf(v.Type())(dst, v)
}

// outline is a struct type made ready for encoding.
type outline struct{ fields []outField }

type outField struct {
	name  []byte // with its quotes and colon
	index []int
	write writeFunc
	omit  func(reflect.Value) bool // nil: always written
}

// writeFunc appends the JSON of v.
type writeFunc func(dst []byte, v reflect.Value) ([]byte, error)

// What was found out of types is kept: a cache, never changed once stored.
var (
	outlines sync.Map // reflect.Type -> *outline
	writers  sync.Map // reflect.Type -> writeFunc
)

func outlineOf(t reflect.Type) *outline {
	if known, ok := outlines.Load(t); ok {
		return known.(*outline)
	}
	o := &outline{}
	for _, f := range reflect.VisibleFields(t) {
		name, options := tagOf(f)
		if name == "" {
			continue
		}
		o.fields = append(o.fields, outField{[]byte(`"` + name + `":`), f.Index, writerOf(f.Type), omission(options)})
	}
	known, _ := outlines.LoadOrStore(t, o)
	return known.(*outline)
}

// members appends the members of a struct. first says that no member stands
// before them.
func (o *outline) members(dst []byte, v reflect.Value, first bool) (_ []byte, err error) {
	for i := range o.fields {
		f := &o.fields[i]
		value, there := f.in(v)
		if !there || f.omit != nil && f.omit(value) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		if dst, err = f.write(append(dst, f.name...), value); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// in is the field of a struct; it is not there if it is the member of an
// embedded struct that is nil.
func (f *outField) in(v reflect.Value) (reflect.Value, bool) {
	for i, x := range f.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v, true
}
