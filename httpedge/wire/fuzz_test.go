package wire_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"loci/engine/memory"
	"loci/httpedge/wire"
)

// FuzzDecode: no body makes Decode panic; what it takes, encoding/json takes
// as well (W2); and a request that was taken survives being written and read.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		learnBody, `{"content":"\ud83d\ude00","tags":["a",null]}`, `{"metadata":{"a":[{"b":1e5}],"a":2}}`, `{"confidence":NaN}`,
		`{"content":"x","validFrom":"2026-01-31"}`, `[[[[`, `{"a":{"b":[`, "{\"content\":\"\xff\"}", `{"supersedes":"` + someID + `"}`,
		`{"metadata":` + strings.Repeat(`{"a":[`, 17) + strings.Repeat(`]}`, 17) + `}`, `{"items":[` + strings.Repeat(`[`, 31) + `{"a":1}`,
		`{"observations":[{"content":"x","validFrom":{"a":` + strings.Repeat(`[{"b":`, 16) + `1`, `{"content":{"confidence":-NaN}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, other := range []any{new(memory.PatchRequest), new(memory.EntityRequest), new(memory.SearchRequest), new(memory.BatchRequest), new(memory.ForgetRequest)} {
			_ = wire.Decode(body, other) // only that it returns
		}
		var first, second memory.LearnRequest
		if wire.Decode(body, &first) != nil {
			return
		}
		var free map[string]any
		if err := json.Unmarshal(body, &free); err != nil {
			t.Fatalf("we accept what encoding/json refuses: %v", err)
		}
		again, err := json.Marshal(first)
		if err != nil {
			return // a time outside of RFC 3339, which Check refuses later
		}
		if err := wire.Decode(again, &second); err != nil {
			t.Fatalf("%s: %v", again, err)
		}
		first.Metadata, second.Metadata = canonical(t, first.Metadata), canonical(t, second.Metadata)
		if diff := cmp.Diff(first, second); diff != "" {
			t.Fatal(diff)
		}
	})
}

// FuzzDecodeQuery: no parameter makes DecodeQuery panic, and what it takes is
// text.
func FuzzDecodeQuery(f *testing.F) {
	for _, seed := range [][2]string{{"limit", "7"}, {"filter", `{"a":[1,{}]}`}, {"tags", "a,,b"}, {"asOf", "2026-01-31"}, {"includeSuperseded", "true"}, {"x", "\xff"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		var got memory.ListRequest
		if wire.DecodeQuery(pairs(name, value, name, value), &got) == nil && !utf8.ValidString(value) {
			t.Fatalf("%q was taken", value)
		}
		_ = wire.DecodeQuery(pairs(name, value), new(memory.GraphQuery)) // only that it returns
	})
}

// canonical undoes what json.Marshal does to raw JSON: it escapes HTML.
func canonical(t *testing.T, raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
