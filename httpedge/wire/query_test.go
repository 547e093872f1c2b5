package wire_test

import (
	"encoding/json"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loci/engine/memory"
	"loci/httpedge/wire"
)

// pairs gives parameters in a buffer that is destroyed after each, as
// fasthttp's are.
func pairs(all ...string) iter.Seq2[[]byte, []byte] {
	return func(yield func([]byte, []byte) bool) {
		for i := 0; i < len(all); i += 2 {
			name, value := []byte(all[i]), []byte(all[i+1])
			more := yield(name, value)
			clear(name)
			clear(value)
			if !more {
				return
			}
		}
	}
}

func TestDecodeQueryGood(t *testing.T) {
	for _, c := range []struct {
		name  string
		given []string
		want  memory.ListRequest
	}{
		{"nothing", nil, memory.ListRequest{}},
		{"list by commas", []string{"types", "fact, decision"}, memory.ListRequest{Selection: memory.Selection{Types: []memory.Type{memory.Fact, memory.Decision}}}},
		{"list by repetition", []string{"tags", "a", "tags", "b,c"}, memory.ListRequest{Selection: memory.Selection{Tags: []string{"a", "b", "c"}}}},
		{"empty values", []string{"project", "", "tags", ""}, memory.ListRequest{}},
		{"everything else", []string{"limit", "7", "includeSuperseded", "false", "asOf", "2026-01-31", "filter", ` {"rank" : 3} `, "project", "p"},
			memory.ListRequest{Limit: 7, IncludeSuperseded: ptr(false), AsOf: day(2026, 1, 31), Selection: memory.Selection{Project: "p", Filter: json.RawMessage(`{"rank":3}`)}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got memory.ListRequest
			if err := wire.DecodeQuery(pairs(c.given...), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDecodeQueryBad(t *testing.T) {
	for _, c := range []struct{ name, value, message string }{
		{"colour", "red", "is not a parameter"},
		{"limit", "0", "must be between 1 and 100"},
		{"limit", "", "must be a whole number"},
		{"limit", "ten", "must be a whole number"},
		{"limit", "1.5", "must be a whole number"},
		{"limit", "+5", "must be a whole number"},
		{"limit", "99999999999999999999", "is out of range"},
		{"includeSuperseded", "yes", "must be true or false"},
		{"asOf", "now", "must be a time"},
		{"project", "a\x00b", "contains a NUL"},
		{"project", "a\xff", "is not valid UTF-8"},
		{"filter", "{", "is not valid JSON at byte 1"},
		{"filter", "{} x", "is not valid JSON at byte 3"},
		{"filter", "", "is not valid JSON"},
		{"types", "a,b,c,d,e,f,g", "has more than 6 elements"},
	} {
		t.Run(c.name+"="+c.value, func(t *testing.T) {
			expectField(t, wire.DecodeQuery(pairs(c.name, c.value), new(memory.ListRequest)), c.name, c.message)
		})
	}
	expectField(t, wire.DecodeQuery(pairs("limit", "5", "limit", "6"), new(memory.ListRequest)), "limit", "is given twice")
}

func TestHas(t *testing.T) {
	for _, c := range []struct {
		request any
		name    string
		want    bool
	}{{nil, "key", false}, {memory.ListRequest{}, "key", false}, {memory.ListRequest{}, "tags", true}} {
		if got := wire.Has(c.request, c.name); got != c.want {
			t.Errorf("Has(%T, %s) = %v", c.request, c.name, got)
		}
	}
}
