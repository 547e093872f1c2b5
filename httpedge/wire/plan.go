package wire

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"time"

	"loci/engine/memory"
)

// shape is a struct type made ready for decoding.
type shape struct {
	fields []field
	byName map[string]int
}

type field struct {
	name   []byte
	index  []int
	rule   *memory.Rule
	decode decodeFunc
	nulls  bool // null is a value of its own: it clears
}

// in is the field of a struct.
func (f *field) in(v reflect.Value) reflect.Value {
	if len(f.index) == 1 {
		return v.Field(f.index[0])
	}
	return v.FieldByIndex(f.index)
}

// decodeFunc reads the next value into v. The rule is the field's.
type decodeFunc func(d *decoder, v reflect.Value, rule *memory.Rule) error

// slot is a field of a PATCH (memory.Field).
type slot interface {
	Slot() any
	Clear()
}

// short is a type that may also be written as one string.
type short interface{ FromString(string) }

var (
	timeType  = reflect.TypeFor[time.Time]()
	idType    = reflect.TypeFor[memory.ID]()
	rawType   = reflect.TypeFor[json.RawMessage]()
	slotType  = reflect.TypeFor[slot]()
	shortType = reflect.TypeFor[short]()
	textType  = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// What was found out of types is kept: a cache, never changed once stored.
var (
	shapes    sync.Map // reflect.Type -> *shape
	functions sync.Map // reflect.Type -> decodeFunc
)

func structOf(t reflect.Type) *shape {
	if known, ok := shapes.Load(t); ok {
		return known.(*shape)
	}
	plan := memory.Plan(t)
	s := &shape{make([]field, len(plan)), make(map[string]int, len(plan))}
	if len(plan) > 64 {
		panic(fmt.Sprintf("wire: %v has more than 64 fields", t))
	}
	for i, f := range plan {
		rule := f.Rule
		s.fields[i] = field{[]byte(f.Name), f.Index, &rule, functionOf(f.Type), reflect.PointerTo(f.Type).Implements(slotType)}
		s.byName[f.Name] = i
	}
	known, _ := shapes.LoadOrStore(t, s)
	return known.(*shape)
}

func functionOf(t reflect.Type) decodeFunc {
	if known, ok := functions.Load(t); ok {
		return known.(decodeFunc)
	}
	known, _ := functions.LoadOrStore(t, compile(t))
	return known.(decodeFunc)
}

func compile(t reflect.Type) decodeFunc {
	switch pointer := reflect.PointerTo(t); {
	case t == timeType:
		return decodeTime
	case t == idType:
		return decodeID
	case t == rawType:
		return decodeRaw
	case pointer.Implements(slotType):
		return decodeSlot
	case pointer.Implements(shortType):
		return compileShort(t)
	case pointer.Implements(textType):
		return decodeText
	}
	return compileKind(t)
}

func compileKind(t reflect.Type) decodeFunc {
	switch t.Kind() {
	case reflect.String:
		return decodeString
	case reflect.Bool:
		return decodeBool
	case reflect.Int:
		return decodeInt
	case reflect.Float64:
		return decodeFloat
	case reflect.Pointer:
		return compilePointer(t)
	case reflect.Slice:
		return compileSlice(t)
	case reflect.Struct:
		return compileStruct(t)
	}
	panic(fmt.Sprintf("wire: no decoder for %v", t)) // a request type of ours that nobody tested
}
