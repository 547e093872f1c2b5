package wire_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"loci/engine/memory"
	"loci/httpedge/wire"
)

const someID = "0199f7f4-6f1c-7cc0-8a53-5d0e3c8f1a2b"

func id(s string) memory.ID {
	parsed, err := memory.ParseID(s)
	if err != nil {
		panic(err)
	}
	return parsed
}

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

// decodesTo is a good body and what must come of it.
type decodesTo struct {
	name, body string
	want       any
}

func TestDecodeGood(t *testing.T) {
	for _, c := range []decodesTo{
		{"smallest", `{"content":"tea"}`, &memory.LearnRequest{Content: "tea"}},
		{"space everywhere", " \t\r\n{ \"content\" : \"tea\" , \"tags\" : [ \"a\" , \"b\" ] }\n", &memory.LearnRequest{Content: "tea", Tags: []string{"a", "b"}}},
		{"escapes", `{"content":"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00","\u0074ags":["\u0041"]}`,
			&memory.LearnRequest{Content: "a\"\\/\b\f\n\r\té😀", Tags: []string{"A"}}},
		{"text beyond ASCII", `{"content":"Größe 😀 界"}`, &memory.LearnRequest{Content: "Größe 😀 界"}},
		{"null is not given", `{"content":"tea","tags":null,"confidence":null,"validTo":null,"supersedes":null,"metadata":null}`, &memory.LearnRequest{Content: "tea"}},
		{"empty list", `{"content":"tea","tags":[]}`, &memory.LearnRequest{Content: "tea"}},
		{"numbers", `{"content":"tea","confidence":-1.5e-1}`, &memory.LearnRequest{Content: "tea", Confidence: ptr(-0.15)}},
		{"time with offset, to the microsecond", `{"content":"tea","occurredAt":"2026-01-31T10:30:00.1234567+01:00"}`,
			&memory.LearnRequest{Content: "tea", OccurredAt: time.Date(2026, 1, 31, 9, 30, 0, 123456000, time.UTC)}},
		{"date", `{"content":"tea","validFrom":"2026-01-31"}`, &memory.LearnRequest{Content: "tea", ValidFrom: day(2026, 1, 31)}},
		{"id in capitals", `{"content":"tea","supersedes":"` + strings.ToUpper(someID) + `"}`, &memory.LearnRequest{Content: "tea", Supersedes: id(someID)}},
		{"metadata is compacted and otherwise kept", `{"content":"tea","metadata": { "a" : [ 1 , 2.50 , { } , [ ] , null ] , "\u0062" : "x\u00e9 y" } }`,
			&memory.LearnRequest{Content: "tea", Metadata: json.RawMessage(`{"a":[1,2.50,{},[],null],"\u0062":"x\u00e9 y"}`)}},
		{"alternatives as one text", `{"title":"t","alternatives":"none"}`, &memory.DecideRequest{Title: "t", Alternatives: memory.Alternatives{"none"}}},
		{"alternatives as list", `{"alternatives":["a","b"]}`, &memory.DecideRequest{Alternatives: memory.Alternatives{"a", "b"}}},
		{"observations in both forms", `{"observations":["seen",{"content":"felt","confidence":1}],"relations":[{"to":"B","weight":0}]}`,
			&memory.EntityRequest{Observations: []memory.ObservationInput{{Content: "seen"}, {Content: "felt", Confidence: ptr(1.0)}}, Relations: []memory.RelationInput{{To: "B", Weight: ptr(0.0)}}}},
		{"embedded selection", `{"query":"q","types":["fact"],"limit":7,"explain":true,"filter":{"rank":{"gte":3}}}`,
			&memory.SearchRequest{Query: "q", Selection: memory.Selection{Types: []memory.Type{memory.Fact}, Filter: json.RawMessage(`{"rank":{"gte":3}}`)}, Limit: 7, Explain: true}},
		{"pointer to a struct", `{"filter":{"project":"p"},"dryRun":false,"ids":["` + someID + `"]}`,
			&memory.ForgetRequest{IDs: []memory.ID{id(someID)}, Filter: &memory.ForgetFilter{Selection: memory.Selection{Project: "p"}}, DryRun: ptr(false)}},
		{"patch sets, clears and leaves", `{"content":"new","tags":[],"confidence":0.5,"validTo":null,"alternatives":"x"}`,
			&memory.PatchRequest{Content: memory.Field[string]{Given: true, Value: "new"}, Tags: memory.Field[[]string]{Given: true},
				Confidence: memory.Field[*float64]{Given: true, Value: ptr(0.5)}, ValidTo: memory.Field[time.Time]{Given: true},
				Alternatives: memory.Field[memory.Alternatives]{Given: true, Value: memory.Alternatives{"x"}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := fresh(c.want)
			if err := wire.Decode([]byte(c.body), got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// fresh is an empty request of the same type.
func fresh(like any) any {
	switch like.(type) {
	case *memory.LearnRequest:
		return new(memory.LearnRequest)
	case *memory.DecideRequest:
		return new(memory.DecideRequest)
	case *memory.EntityRequest:
		return new(memory.EntityRequest)
	case *memory.SearchRequest:
		return new(memory.SearchRequest)
	case *memory.ForgetRequest:
		return new(memory.ForgetRequest)
	case *memory.BatchRequest:
		return new(memory.BatchRequest)
	}
	return new(memory.PatchRequest)
}

// refusals are bad bodies with the field and the beginning of what is said of it.
type refusedAs struct {
	name, body, field, message string
}

func TestDecodeBad(t *testing.T) {
	deep := strings.Repeat("[", 40) + strings.Repeat("]", 40)
	for _, c := range []refusedAs{
		{"empty", ``, "body", "is empty"},
		{"only space", "  \n", "body", "is empty"},
		{"a list", `[]`, "body", "must be a JSON object"},
		{"a text", `"x"`, "body", "must be a JSON object"},
		{"null", `null`, "body", "must be a JSON object"},
		{"two values", `{} {}`, "body", "is not valid JSON at byte 3"},
		{"cut off", `{"content":"x"`, "body", "is not valid JSON at byte 14"},
		{"cut off in a text", `{"content":"x`, "content", "is not valid JSON at byte 13"},
		{"cut off after a name", `{"content"`, "body", "is not valid JSON"},
		{"cut off after a colon", `{"content":`, "content", "is not valid JSON"},
		{"comma at the end", `{"content":"x",}`, "body", "is not valid JSON"},
		{"comma at the end of a list", `{"tags":["x",]}`, "tags", "is not valid JSON"},
		{"no comma", `{"content":"x" "tags":[]}`, "body", "is not valid JSON"},
		{"no quotes", `{content:"x"}`, "body", "is not valid JSON"},
		{"single quotes", `{'content':"x"}`, "body", "is not valid JSON"},
		{"byte order mark", "\ufeff{}", "body", "is not valid JSON at byte 0"},
		{"unknown field", `{"contents":"x"}`, "contents", "is not a field"},
		{"name in another case", `{"Content":"x"}`, "Content", "is not a field"},
		{"unknown field inside", `{"observations":[{"content":"x","colour":1}]}`, "observations[0].colour", "is not a field"},
		{"twice", `{"content":"x","content":"y"}`, "content", "is given twice"},
		{"twice by an escape", `{"content":"x","\u0063ontent":"y"}`, "content", "is given twice"},
		{"number for text", `{"content":1}`, "content", "must be a string"},
		{"object for text", `{"content":{"a":[1,{}]}}`, "content", "must be a string"},
		{"text for list", `{"tags":"x"}`, "tags", "must be a list"},
		{"number in a list of texts", `{"tags":["a",2]}`, "tags[1]", "must be a string"},
		{"null in a list", `{"tags":["a",null]}`, "tags[1]", "must be a string"},
		{"text for number", `{"confidence":"high"}`, "confidence", "must be a number"},
		{"NaN", `{"confidence":NaN}`, "confidence", "must be a finite number"},
		{"Infinity", `{"confidence":Infinity}`, "confidence", "must be a finite number"},
		{"minus Infinity", `{"confidence":-Infinity}`, "confidence", "must be a finite number"},
		{"number too big", `{"confidence":1e400}`, "confidence", "is out of range"},
		{"leading zero", `{"confidence":01}`, "confidence", "is not valid JSON"},
		{"plus sign", `{"confidence":+1}`, "confidence", "is not valid JSON"},
		{"no digit after the point", `{"confidence":1.}`, "confidence", "is not valid JSON"},
		{"hexadecimal", `{"confidence":0x10}`, "body", "is not valid JSON"},
		{"bad time", `{"validFrom":"yesterday"}`, "validFrom", "must be a time"},
		{"impossible date", `{"validFrom":"2026-02-30"}`, "validFrom", "must be a time"},
		{"number for time", `{"validFrom":1700000000}`, "validFrom", "must be a time"},
		{"bad id", `{"supersedes":"17"}`, "supersedes", "must be a UUID"},
		{"empty id", `{"supersedes":""}`, "supersedes", "must be a UUID"},
		{"number for id", `{"supersedes":17}`, "supersedes", "must be a UUID"},
		{"invalid UTF-8", "{\"content\":\"a\xffb\"}", "content", "is not valid UTF-8"},
		{"overlong UTF-8", "{\"content\":\"\xc0\x80\"}", "content", "is not valid UTF-8"},
		{"surrogate in UTF-8", "{\"content\":\"\xed\xa0\x80\"}", "content", "is not valid UTF-8"},
		{"invalid UTF-8 in a tag", "{\"tags\":[\"a\",\"\xff\"]}", "tags[1]", "is not valid UTF-8"},
		{"invalid UTF-8 in a name", "{\"con\xfftent\":\"a\"}", "body", "has a field name that is not valid UTF-8"},
		{"NUL escaped", `{"content":"a\u0000b"}`, "content", "contains a NUL"},
		{"NUL raw", "{\"content\":\"a\x00b\"}", "content", "contains a NUL"},
		{"control character raw", "{\"content\":\"a\nb\"}", "content", "contains a control character"},
		{"high half alone", `{"content":"\ud83d"}`, "content", "contains half of a surrogate pair"},
		{"low half alone", `{"content":"\ude00"}`, "content", "contains half of a surrogate pair"},
		{"high half and a letter", `{"content":"\ud83d\u0041"}`, "content", "contains half of a surrogate pair"},
		{"unknown escape", `{"content":"\x41"}`, "content", "is not valid JSON"},
		{"short escape", `{"content":"\u12"}`, "content", "is not valid JSON"},
		{"too deep", `{"metadata":` + deep + `}`, "metadata", "is nested deeper than 32"},
		{"too deep by objects", `{"metadata":` + strings.Repeat(`{"a":`, 40) + `1` + strings.Repeat("}", 40) + `}`, "metadata", "is nested deeper than 32"},
		{"too deep by lists of objects", `{"metadata":` + strings.Repeat(`[{"a":`, 20) + `1` + strings.Repeat("}]", 20) + `}`, "metadata", "is nested deeper than 32"},
		{"too deep where unknown", `{"other":` + deep + `}`, "other", "is nested deeper than 32"},
		{"metadata twice", `{"metadata":{"a":1,"b":{"c":1,"c":2}}}`, "metadata.b.c", "is given twice"},
		{"metadata twice by an escape", `{"metadata":{"a":1,"\u0061":2}}`, "metadata.a", "is given twice"},
		{"metadata NUL", `{"metadata":{"a":["\u0000"]}}`, "metadata.a[0]", "contains a NUL"},
		{"metadata NUL in a name", `{"metadata":{"a\u0000":1}}`, "metadata", "has a field name that contains a NUL"},
		{"metadata invalid UTF-8", "{\"metadata\":{\"a\":\"\xff\"}}", "metadata.a", "is not valid UTF-8"},
		{"metadata half pair", `{"metadata":{"a":"\ud800"}}`, "metadata.a", "contains half"},
		{"metadata NaN", `{"metadata":{"a":NaN}}`, "metadata.a", "must be a finite number"},
		{"metadata number too big", `{"metadata":{"a":1e999}}`, "metadata.a", "is out of range"},
	} {
		t.Run(c.name, func(t *testing.T) {
			into := any(new(memory.LearnRequest))
			if strings.Contains(c.body, "observations") {
				into = new(memory.EntityRequest)
			}
			expectField(t, wire.Decode([]byte(c.body), into), c.field, c.message)
		})
	}
}

func expectField(t *testing.T, err error, field, message string) {
	t.Helper()
	refused, ok := errors.AsType[*memory.Error](err)
	if !ok {
		t.Fatalf("got %v, want a memory.Error", err)
	}
	if refused.Code != memory.Invalid || len(refused.Fields) == 0 {
		t.Fatalf("got %+v, want invalid_request with a field", refused)
	}
	for _, f := range refused.Fields {
		if f.Field == field && strings.HasPrefix(f.Message, message) {
			return
		}
	}
	t.Errorf("got %q, want %s %s", refused.Fields, field, message)
}

func TestDecodeWholeNumbers(t *testing.T) {
	for _, c := range []struct{ body, message string }{
		{`{"limit":1.5}`, "must be a whole number"},
		{`{"limit":1.0}`, "must be a whole number"},
		{`{"limit":1e2}`, "must be a whole number"},
		{`{"limit":"5"}`, "must be a whole number"},
		{`{"limit":99999999999999999999}`, "is out of range"},
		{`{"limit":0}`, "must be between 1 and 100"},
		{`{"limit":-0}`, "must be between 1 and 100"},
		{`{"limit":Infinity}`, "must be a finite number"},
	} {
		expectField(t, wire.Decode([]byte(c.body), new(memory.SearchRequest)), "limit", c.message)
	}
}

func TestDecodeCollectsFaults(t *testing.T) {
	err := wire.Decode([]byte(`{"content":1,"colour":"red","tags":[true],"confidence":"x"}`), new(memory.LearnRequest))
	want := []memory.FieldError{
		{Field: "content", Message: "must be a string"},
		{Field: "colour", Message: "is not a field of this request"},
		{Field: "tags[0]", Message: "must be a string"},
		{Field: "confidence", Message: "must be a number"},
	}
	if diff := cmp.Diff(want, memory.AsError(err).Fields); diff != "" {
		t.Error(diff)
	}
	if got, want := memory.AsError(err).Detail, "content must be a string, and 3 more"; got != want {
		t.Errorf("detail %q, want %q", got, want)
	}
}

func TestDecodeBoundsItsAnswerAndItsMemory(t *testing.T) {
	many := `{` + strings.Repeat(`"x":1,`, 10_000) + `"y":1}`
	if got := len(memory.AsError(wire.Decode([]byte(many), new(memory.LearnRequest))).Fields); got != 20 {
		t.Errorf("%d faults were collected, want 20 (W4)", got)
	}
	items := `{"items":[` + strings.Repeat(`{},`, 300_000) + `{}]}`
	var batch memory.BatchRequest
	expectField(t, wire.Decode([]byte(items), &batch), "items", "has 300001 elements; at most 1000 are allowed")
	if len(batch.Items) > 1000 {
		t.Errorf("%d items were kept (W4)", len(batch.Items))
	}
	long := `{"` + strings.Repeat("ä", 5000) + `":1}`
	if got := len(memory.AsError(wire.Decode([]byte(long), new(memory.LearnRequest))).Fields[0].Field); got > 110 {
		t.Errorf("a name of %d bytes came back", got)
	}
}

func TestDecodeManyNamesInMetadata(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		b.WriteString(`"k` + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + strings.Repeat("y", i/26) + `":1,`)
	}
	object := b.String()
	if err := wire.Decode([]byte(`{"metadata":{`+object+`"last":1}}`), new(memory.LearnRequest)); err != nil {
		t.Fatal(err)
	}
	expectField(t, wire.Decode([]byte(`{"metadata":{`+object+`"last":{"last":1},"last":2}}`), new(memory.LearnRequest)), "metadata.last", "is given twice")
}

// TestDecodeKeepsNothing destroys the body afterwards, as fasthttp does (W1).
func TestDecodeKeepsNothing(t *testing.T) {
	const body = `{"content":"tea","tags":["a\u0041"],"metadata":{"k":"v"},"supersedes":"` + someID + `","entities":["Ada"]}`
	var want, got memory.LearnRequest
	bytes := []byte(body)
	if err := errors.Join(wire.Decode([]byte(body), &want), wire.Decode(bytes, &got)); err != nil {
		t.Fatal(err)
	}
	for i := range bytes {
		bytes[i] = '#'
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
