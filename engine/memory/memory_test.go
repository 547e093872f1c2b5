package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestIDsRise(t *testing.T) {
	now := time.Now()
	before := NewIDAt(now)
	for i := range 10_000 {
		at := now
		if i%3 == 0 {
			at = now.Add(-time.Hour) // the clock runs back: ids do not
		}
		id := NewIDAt(at)
		if id.Compare(before) <= 0 {
			t.Fatalf("%s after %s", id, before)
		}
		if id[6]>>4 != 7 || id[8]>>6 != 2 {
			t.Fatalf("%s is no UUID of version 7", id)
		}
		before = id
	}
}

func TestIDText(t *testing.T) {
	id := NewID()
	for _, s := range []string{id.String(), strings.ToUpper(id.String())} {
		if got, err := ParseID(s); err != nil || got != id {
			t.Errorf("%s: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "x", id.String()[:35], id.String() + "0", strings.ReplaceAll(id.String(), "-", "_"), "zz" + id.String()[2:]} {
		if _, err := ParseID(s); err == nil {
			t.Errorf("%q was taken for an id", s)
		}
	}
	raw, err := json.Marshal(struct {
		ID   ID `json:"id"`
		None ID `json:"none,omitzero"`
	}{ID: id})
	if err != nil || string(raw) != `{"id":"`+id.String()+`"}` {
		t.Fatalf("%s %v", raw, err)
	}
}

func TestCheckNamesTheField(t *testing.T) {
	nan := math.NaN()
	two := 2.0
	long := strings.Repeat("ä", 10_001)
	for _, tc := range []struct {
		name    string
		request interface{ Check() error }
		want    []string
	}{
		{"good", &LearnRequest{Content: strings.Repeat("ä", 10_000)}, nil},
		{"empty", &LearnRequest{}, []string{"content is required"}},
		{"blank", &LearnRequest{Content: " \n\t"}, []string{"content must not be blank"}},
		{"long", &LearnRequest{Content: long}, []string{"content has 10001 characters; at most 10000 are allowed"}},
		{"bytes that are no text", &LearnRequest{Content: "a\xff"}, []string{"content is not valid UTF-8"}},
		{"NUL", &LearnRequest{Content: "a\x00b"}, []string{"content contains a NUL character"}},
		{"NaN", &LearnRequest{Content: "a", Confidence: &nan}, []string{"confidence must be a finite number"}},
		{"too sure", &LearnRequest{Content: "a", Confidence: &two}, []string{"confidence must be between 0 and 1"}},
		{"enum", &LearnRequest{Content: "a", Source: "rumour"}, []string{"source must be one of session, user, research, import, automated"}},
		{"validity", &LearnRequest{Content: "a", ValidFrom: time.Unix(9, 0), ValidTo: time.Unix(9, 0)}, []string{"validTo must be later than validFrom"}},
		{"metadata", &LearnRequest{Content: "a", Metadata: json.RawMessage(`[1]`)}, []string{"metadata must be an object"}},
		{"tags", &LearnRequest{Content: "a", Tags: []string{"ok", strings.Repeat("x", 101)}}, []string{"tags[1] has 101 characters; at most 100 are allowed"}},
		{"two at once", &LearnRequest{Content: "", Entities: []string{" "}}, []string{"content is required", "entities[0] must not be blank"}},
		{"decision", &DecideRequest{Title: "t"}, []string{"decision is required", "reasoning is required"}},
		{"observation", &EntityRequest{Name: "n", EntityType: "t", Observations: []ObservationInput{{Content: "x", Source: "?"}}}, []string{"observations[0].source must be one of session, user, research, import, automated"}},
		{"relation", &EntityRequest{Name: "n", EntityType: "t", Relations: []RelationInput{{To: "x"}}}, []string{"relations[0].relationType is required"}},
		{"search", &SearchRequest{Query: "q", Limit: 101}, []string{"limit must be between 1 and 100"}},
		{"types", &SearchRequest{Query: "q", Selection: Selection{Types: []Type{"dream"}}}, []string{"types[0] must be one of fact, decision, entity, observation, message, relation"}},
		{"filter", &SearchRequest{Query: "q", Selection: Selection{Filter: json.RawMessage(`{"a":{"near":1}}`)}}, []string{"filter a has an unknown operator near"}},
		{"forget nothing", &ForgetRequest{}, []string{"ids is required (or filter)"}},
		{"forget everything", &ForgetRequest{Filter: &ForgetFilter{}}, []string{"filter must name at least one condition"}},
		{"context", &ContextRequest{TokenBudget: 5}, []string{"tokenBudget must be between 16 and 100000", "query is required (or topic)"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			if err := tc.request.Check(); err != nil {
				e := AsError(err)
				if e.Code != Invalid {
					t.Fatalf("code %s", e.Code)
				}
				for _, f := range e.Fields {
					got = append(got, f.Field+" "+f.Message)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Fatal(diff)
			}
		})
	}
}

func TestPatchCheck(t *testing.T) {
	var p PatchRequest
	if err := p.Check(); err != nil {
		t.Fatalf("nothing given: %v", err)
	}
	p.Tags.Clear()
	p.Confidence.Clear()
	if err := p.Check(); err != nil {
		t.Fatalf("cleared: %v", err)
	}
	p.Content.Clear()
	if err := p.Check(); CodeOf(err) != Invalid {
		t.Fatalf("a text cannot be cleared: %v", err)
	}
}

// TestRulesParse reads every rule of every request type: a slip in a tag
// would panic at the first request instead.
func TestRulesParse(t *testing.T) {
	for _, request := range []any{
		LearnRequest{}, BatchRequest{}, DecideRequest{}, EntityRequest{}, ObservationInput{}, RelationInput{}, SearchRequest{}, ContextRequest{},
		ListRequest{}, TimelineRequest{}, EntityQuery{}, LookQuery{}, GraphQuery{}, PatchRequest{}, ForgetRequest{}, ForgetFilter{},
	} {
		plan := Plan(reflect.TypeOf(request))
		if len(plan) == 0 {
			t.Errorf("%T has no fields", request)
		}
	}
}

func TestFilter(t *testing.T) {
	metadata := map[string]any{}
	if err := json.Unmarshal([]byte(`{"n":3,"s":"b","list":["x","y"],"deep":{"er":{"v":true}},"null":null}`), &metadata); err != nil {
		t.Fatal(err)
	}
	for filter, want := range map[string]bool{
		`{}`: true, `{"n":3}`: true, `{"n":4}`: false, `{"n":{"ne":4}}`: true, `{"missing":{"ne":4}}`: true,
		`{"n":{"gt":2,"lt":4}}`: true, `{"n":{"gt":3}}`: false, `{"n":{"gte":3}}`: true, `{"n":{"lte":2}}`: false,
		`{"s":{"gt":"a"}}`: true, `{"s":{"gt":1}}`: false, `{"n":{"gt":"a"}}`: false, `{"missing":{"gt":1}}`: false,
		`{"s":{"in":["a","b"]}}`: true, `{"s":{"in":[]}}`: false, `{"list":"x"}`: true, `{"list":{"in":["q","y"]}}`: true, `{"list":["x","y"]}`: true,
		`{"deep.er.v":true}`: true, `{"deep.er.w":{"exists":false}}`: true, `{"n":{"exists":true}}`: true, `{"null":{"exists":true}}`: true, `{"null":null}`: true,
		`{"and":[{"n":3},{"s":"b"}]}`: true, `{"and":[{"n":3},{"s":"c"}]}`: false, `{"or":[{"n":9},{"s":"b"}]}`: true, `{"not":{"n":3}}`: false, `{"n":3,"s":"c"}`: false,
	} {
		f, err := ParseFilter(json.RawMessage(filter))
		if err != nil {
			t.Errorf("%s: %v", filter, err)
		} else if got := f.Match(metadata); got != want {
			t.Errorf("%s: %v", filter, got)
		}
	}
	deep := strings.Repeat(`{"not":`, 40) + `{"a":1}` + strings.Repeat(`}`, 40)
	for _, bad := range []string{`[]`, `{"a":{}}`, `{"a":{"near":1}}`, `{"and":{}}`, `{"or":[]}`, `{"or":[1]}`, `{"not":[1]}`, `{"a":{"in":1}}`, `{"a":{"gt":[]}}`, `{"a":{"exists":1}}`, deep} {
		if _, err := ParseFilter(json.RawMessage(bad)); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

func TestErrors(t *testing.T) {
	cause := errors.New("disk on fire")
	e := AsError(fmt.Errorf("learn: %w", cause))
	if e.Code != Internal || strings.Contains(e.Detail, "fire") || !errors.Is(e, cause) {
		t.Fatalf("%+v", e)
	}
	busy := Busy("full", time.Second)
	if got := AsError(fmt.Errorf("wrapped: %w", busy)); got != busy {
		t.Fatalf("%+v", got)
	}
	if CodeOf(nil) != "" {
		t.Fatal("nil has a code")
	}
}

func TestCaller(t *testing.T) {
	reader := Caller{Scopes: []Scope{ScopeRead}, Project: "p"}
	admin := Caller{Scopes: []Scope{ScopeAdmin}}
	got := []bool{reader.May(ScopeRead), reader.May(ScopeWrite), admin.May(ScopeWrite), reader.Sees("p"), reader.Sees(""), admin.Sees("q")}
	if !slices.Equal(got, []bool{true, false, true, true, false, true}) {
		t.Fatal(got)
	}
}
