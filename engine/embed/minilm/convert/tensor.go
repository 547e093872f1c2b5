package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// tensors reads a safetensors file: a length, a JSON table, the data.
type tensors struct {
	table map[string]entry
	data  []byte
}

type entry struct {
	Dtype   string
	Shape   []int
	Offsets [2]int `json:"data_offsets"`
}

func parseTensors(b []byte) (*tensors, error) {
	if len(b) < 8 {
		return nil, errors.New("read safetensors: no length")
	}
	n := binary.LittleEndian.Uint64(b)
	if n > uint64(len(b)-8) {
		return nil, fmt.Errorf("read safetensors: a table of %d bytes in a file of %d", n, len(b))
	}
	t := &tensors{data: b[8+n:]}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b[8:8+n], &raw); err != nil {
		return nil, fmt.Errorf("read safetensors: %w", err)
	}
	delete(raw, "__metadata__")
	t.table = make(map[string]entry, len(raw))
	for name, r := range raw {
		var e entry
		if err := json.Unmarshal(r, &e); err != nil {
			return nil, fmt.Errorf("read safetensors %s: %w", name, err)
		}
		t.table[name] = e
	}
	return t, nil
}

// get reads a tensor of one or two dimensions and checks its shape.
func (t *tensors) get(name string, rows, cols int) ([]float64, error) {
	e, ok := t.table[name]
	if !ok || e.Dtype != "F16" {
		return nil, fmt.Errorf("tensor %s: not there as F16", name)
	}
	shape := []int{rows, cols}
	if rows == 1 {
		shape = shape[1:]
	}
	from, to := e.Offsets[0], e.Offsets[1]
	if !slices.Equal(e.Shape, shape) || from < 0 || to > len(t.data) || to-from != 2*rows*cols {
		return nil, fmt.Errorf("tensor %s: shape %v in %d bytes, want %v", name, e.Shape, to-from, shape)
	}
	v := make([]float64, rows*cols)
	for i := range v {
		v[i] = half(binary.LittleEndian.Uint16(t.data[from+2*i:]))
		if math.IsNaN(v[i]) {
			return nil, fmt.Errorf("tensor %s: a weight is no number", name)
		}
	}
	return v, nil
}

// half widens an IEEE half float; every one of them is exact in a float64.
func half(h uint16) float64 {
	sign := 1 - 2*float64(h>>15)
	exponent, fraction := int(h>>10)&31, float64(h&1023)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		return math.NaN() // no weight is infinite
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}
