package wire_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"loci/engine/memory"
	"loci/httpedge/wire"
)

// byTheBook is what encoding/json makes of a value.
func byTheBook(t *testing.T, v any) string {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out.String())
}

func fullMemory() memory.Memory {
	at := time.Date(2026, 1, 31, 9, 30, 0, 123456000, time.UTC)
	return memory.Memory{
		ID: id(someID), Type: memory.Fact, Version: 3, Content: "a \"b\" \\ \n\t\x01 <é> 😀 \u2028 & \b\f\r", Title: "t", Category: "c", Tags: []string{"x", ""},
		Project: "p", Confidence: ptr(1e-7), Metadata: json.RawMessage(`{"a":[1,{"b":null}]}`), OccurredAt: at, ValidFrom: at.Truncate(time.Second), CreatedAt: at, UpdatedAt: at,
		Supersedes: id(someID), Entities: []memory.Link{{EntityID: id(someID), Name: "Ada"}}, Alternatives: memory.Alternatives{"y"}, Weight: 0.25,
	}
}

// TestAppendAgreesWithEncodingJSON: where no list is nil, ours is byte for
// byte what the standard library writes.
func TestAppendAgreesWithEncodingJSON(t *testing.T) {
	hit := memory.Hit{ID: id(someID), Type: memory.Fact, Content: "x", Score: 1e21, MatchedBy: []string{"text"}, Entities: []memory.Link{}, Tags: []string{}, Highlights: []string{"<mark>x</mark>"},
		Scores: map[string]memory.ArmScore{"text": {Score: 12.5, Rank: 1, Weight: .5, Mixed: -0.1}, "graph": {}}}
	learned := &memory.LearnResult{Action: memory.Added, ID: id(someID), Message: "added", Links: []memory.Link{{Name: "Ada"}}, Similar: []memory.Similar{{Score: 0.1 + 0.2}}, Conflicts: []memory.Clash{}}
	for _, v := range []any{
		learned,
		&memory.BatchResult{Results: []memory.BatchItem{{LearnResult: learned}, {Error: &memory.ItemError{Code: memory.Invalid, Detail: "d", Errors: []memory.FieldError{{Field: "items[1].content", Message: "m"}}}}}},
		&memory.DecideResult{ID: id(someID), Links: []memory.Link{}, Related: []memory.Related{{Type: memory.Decision}}},
		&memory.EntityResult{Action: memory.Created, ObservationsAdded: -3},
		&memory.SearchResult{Results: []memory.Hit{hit, hit}, Count: 2, TookMs: 0.125, Cursor: "c"},
		&memory.ContextResult{Items: []memory.Hit{hit}},
		&memory.Page{Memories: []memory.Memory{fullMemory(), {}}, Count: 2},
		&memory.History{ID: id(someID), Versions: []memory.Memory{fullMemory()}},
		&memory.EntityView{Entity: fullMemory(), Observations: []memory.Memory{}, Relations: []memory.Arrow{{Weight: 1}}, Neighbours: []memory.EntityStub{{Mentions: 2}}},
		&memory.EntityPage{Entities: []memory.EntityStub{}},
		&memory.Drawing{Nodes: []memory.EntityStub{}, Edges: []memory.Arrow{}},
		&memory.ForgetResult{Matched: []memory.ID{id(someID), {}}, DryRun: true},
	} {
		got, err := wire.Append(nil, v)
		if err != nil {
			t.Fatalf("%T: %v", v, err)
		}
		want := `{"success":true,` + byTheBook(t, v)[1:]
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%T: %s", v, diff)
		}
	}
}

func TestAppendNeverWritesNullForARequiredList(t *testing.T) {
	got, err := wire.Append(nil, &memory.SearchResult{Results: []memory.Hit{{}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range []string{`"matchedBy":[]`, `"entities":[]`, `"tags":[]`, `"highlights":[]`} {
		if !strings.Contains(string(got), list) {
			t.Errorf("%s is missing from %s (W5)", list, got)
		}
	}
}

func TestAppendRefuses(t *testing.T) {
	for _, v := range []any{
		nil, (*memory.Page)(nil), memory.Page{}, ptr(3),
		&memory.SearchResult{TookMs: math.NaN()},
		&memory.SearchResult{TookMs: math.Inf(1)},
		&memory.Page{Memories: []memory.Memory{{CreatedAt: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}}},
	} {
		if _, err := wire.Append(nil, v); err == nil {
			t.Errorf("%T was encoded", v)
		}
	}
}

func TestAppendString(t *testing.T) {
	for _, s := range []string{"", "plain", "\x00\x1f\x7f", "a\xffb\xed\xa0\x80", "\u2028\u2029", `"\`, "é界😀", "\ufffd"} {
		if diff := cmp.Diff(byTheBook(t, s), string(wire.AppendString(nil, s))); diff != "" {
			t.Errorf("%q: %s", s, diff)
		}
	}
}

func TestAppendEmptyStruct(t *testing.T) {
	got, err := wire.Append(nil, &struct{}{})
	if diff := cmp.Diff(`{"success":true}`, string(got)); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
