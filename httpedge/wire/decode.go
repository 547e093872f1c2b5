package wire

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"sync"

	"loci/engine/memory"
)

const (
	maxDepth  = 32 // of objects and lists, the body itself included
	maxFaults = 20 // an answer with more is no better, only bigger (W4)
)

// errEnough stops decoding when maxFaults are collected.
var errEnough = errors.New("wire: enough faults")

// Decode reads the one JSON object that body must hold into a request struct,
// given by pointer. Nothing of body is kept (W1).
func Decode(body []byte, into any) error {
	d := decoders.Get().(*decoder)
	defer d.release()
	d.data = body
	return d.result(d.document(reflect.ValueOf(into).Elem()))
}

// decoder is a place in a body, and what was found wrong so far.
type decoder struct {
	data    []byte
	at      int
	depth   int
	path    []step
	wrong   []memory.FieldError
	scratch []byte   // of unescaped texts
	kept    []byte   // of raw JSON
	keys    [][]byte // of the raw objects that are open
}

// step is one element of a path: a name, or a place in a list.
type step struct {
	name  []byte // nil for a place
	place int
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// release drops every reference to the body, so that the pool cannot hold it.
func (d *decoder) release() {
	clear(d.path[:cap(d.path)])
	clear(d.keys[:cap(d.keys)])
	*d = decoder{path: d.path[:0], scratch: d.scratch[:0], kept: d.kept[:0], keys: d.keys[:0]}
	if cap(d.scratch)+cap(d.kept) <= 64<<10 { // a rare giant is left to the collector
		decoders.Put(d)
	}
}

func (d *decoder) document(v reflect.Value) error {
	d.space()
	if d.at == len(d.data) {
		return d.fatal("is empty; a JSON object is expected")
	}
	if d.data[d.at] != '{' {
		return d.notObject()
	}
	if err := d.object(structOf(v.Type()), v); err != nil {
		return err
	}
	if d.space(); d.at < len(d.data) {
		return d.malformed("more follows after the end of the object")
	}
	return nil
}

// notObject refuses a body that is something else: valid JSON or not at all.
func (d *decoder) notObject() error {
	if err := d.skip(); err != nil {
		return err
	}
	return d.fatal("must be a JSON object")
}

func (d *decoder) result(err error) error {
	if err != nil && err != errEnough {
		return err
	}
	if len(d.wrong) == 0 {
		return nil
	}
	return invalid(d.wrong)
}

func invalid(wrong []memory.FieldError) *memory.Error {
	detail := wrong[0].Field + " " + wrong[0].Message
	if len(wrong) > 1 {
		detail = fmt.Sprintf("%s, and %d more", detail, len(wrong)-1)
	}
	return &memory.Error{Code: memory.Invalid, Detail: detail, Fields: wrong}
}

// note adds a fault of the value at the present path; decoding goes on.
func (d *decoder) note(message string) error {
	d.wrong = append(d.wrong, memory.FieldError{Field: d.where(), Message: message})
	if len(d.wrong) >= maxFaults {
		return errEnough
	}
	return nil
}

// fatal is a fault after which nothing can be read; earlier ones stand before it.
func (d *decoder) fatal(message string) error {
	return invalid(append(d.wrong, memory.FieldError{Field: d.where(), Message: message}))
}

// malformed is a fatal fault of the JSON itself, with the byte it was seen at.
func (d *decoder) malformed(why string) error {
	return d.fatal("is not valid JSON at byte " + strconv.Itoa(d.at) + ": " + why)
}

// where writes the present path: items[3].content, or body at the top.
func (d *decoder) where() string {
	if len(d.path) == 0 {
		return "body"
	}
	var b []byte
	for _, s := range d.path {
		switch {
		case s.name == nil:
			b = append(strconv.AppendInt(append(b, '['), int64(s.place), 10), ']')
		case len(b) > 0:
			b = append(append(b, '.'), shown(s.name)...)
		default:
			b = append(b, shown(s.name)...)
		}
	}
	return string(b)
}

func (d *decoder) push(name []byte) { d.path = append(d.path, step{name: name}) }

func (d *decoder) pushPlace(i int) { d.path = append(d.path, step{place: i}) }

func (d *decoder) pop() { d.path = d.path[:len(d.path)-1] }

// down enters an object or a list; its opening byte is next.
func (d *decoder) down() error {
	if d.depth++; d.depth > maxDepth {
		return d.tooDeep()
	}
	d.at++
	return nil
}

// tooDeep names only the outermost field: 32 steps would tell nobody more.
func (d *decoder) tooDeep() error {
	whole := d.path
	defer func() { d.path = whole }() // those who pushed will pop
	d.path = d.path[:min(1, len(d.path))]
	return d.fatal("is nested deeper than " + strconv.Itoa(maxDepth) + " levels")
}

func (d *decoder) up() { d.depth-- }
