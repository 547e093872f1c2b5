package wire

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// tagOf reads a json tag; the name is empty for a field that is not written.
func tagOf(f reflect.StructField) (name, options string) {
	name, options, _ = strings.Cut(f.Tag.Get("json"), ",")
	if f.Anonymous || !f.IsExported() || name == "-" {
		return "", ""
	}
	return name, options
}

func omission(options string) func(reflect.Value) bool {
	switch options {
	case "omitempty":
		return isEmpty
	case "omitzero":
		return reflect.Value.IsZero
	}
	return nil
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

func writerOf(t reflect.Type) writeFunc {
	if known, ok := writers.Load(t); ok {
		return known.(writeFunc)
	}
	known, _ := writers.LoadOrStore(t, compileWriter(t))
	return known.(writeFunc)
}

var (
	marshalerType = reflect.TypeFor[json.Marshaler]()
	textOutType   = reflect.TypeFor[encoding.TextMarshaler]()
)

func compileWriter(t reflect.Type) writeFunc {
	switch {
	case t == timeType:
		return writeTime
	case t == idType:
		return writeID
	case t == rawType:
		return writeRaw
	case t.Implements(marshalerType), t.Implements(textOutType):
		return writeOther
	}
	return compileWriterKind(t)
}

func compileWriterKind(t reflect.Type) writeFunc {
	switch t.Kind() {
	case reflect.String:
		return writeString
	case reflect.Bool:
		return writeBool
	case reflect.Int, reflect.Int64, reflect.Int32:
		return writeInt
	case reflect.Uint32, reflect.Uint64, reflect.Uint:
		return writeUint
	case reflect.Float64:
		return writeFloat
	case reflect.Pointer:
		return compileWritePointer(t)
	case reflect.Slice:
		return compileWriteSlice(t)
	case reflect.Map:
		return compileWriteMap(t)
	case reflect.Struct:
		return compileWriteStruct(t)
	}
	panic(fmt.Sprintf("wire: no encoder for %v", t)) // a result type of ours that nobody tested
}

func compileWritePointer(t reflect.Type) writeFunc {
	inner := writerOf(t.Elem())
	return func(dst []byte, v reflect.Value) ([]byte, error) {
		if v.IsNil() {
			return append(dst, "null"...), nil
		}
		return inner(dst, v.Elem())
	}
}

func compileWriteStruct(t reflect.Type) writeFunc {
	return func(dst []byte, v reflect.Value) ([]byte, error) {
		dst, err := outlineOf(t).members(append(dst, '{'), v, true)
		return append(dst, '}'), err
	}
}

// compileWriteSlice writes a list; a nil one is empty, not null (W5).
func compileWriteSlice(t reflect.Type) writeFunc {
	element := writerOf(t.Elem())
	return func(dst []byte, v reflect.Value) (_ []byte, err error) {
		dst = append(dst, '[')
		for i := range v.Len() {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = element(dst, v.Index(i)); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	}
}
