package rest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"loci/engine/memory"
	"loci/httpedge/rest"
)

// contract is the document that the server itself serves, read by somebody
// else's library.
func contract(t *testing.T, h *house) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(h.call("", "GET", "/openapi.json", "").body)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestOpenAPIIsValid(t *testing.T) {
	doc := contract(t, open(t))
	if err := doc.Validate(context.Background(), openapi3.EnableExamplesValidation()); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.1") || doc.Servers[0].URL != "http://127.0.0.1:8080" {
		t.Errorf("version %s, server %s", doc.OpenAPI, doc.Servers[0].URL)
	}
}

// TestEveryRouteIsDocumented, with everything a reader needs, and every
// documented path is served.
func TestEveryRouteIsDocumented(t *testing.T) {
	h := open(t)
	doc := contract(t, h)
	ids := map[string]bool{}
	for _, r := range rest.Routes(newFake()) {
		item := doc.Paths.Value(r.Path)
		if item == nil || item.GetOperation(r.Method) == nil {
			t.Errorf("%s %s is not documented", r.Method, r.Path)
			continue
		}
		d := r.Doc
		if d.ID == "" || ids[d.ID] || d.Group == "" || d.Summary == "" || d.Text == "" || d.Result == nil || strings.Contains(r.Path, "{id}") != (d.ExampleID != "") {
			t.Errorf("%s %s is documented poorly: %+v", r.Method, r.Path, d)
		}
		if d.Body != nil && !json.Valid([]byte(d.Example)) || d.Query != nil && d.Example == "" {
			t.Errorf("%s %s has no example that works", r.Method, r.Path)
		}
		ids[d.ID] = true
	}
	for path, item := range doc.Paths.Map() {
		allow := h.call("", "OPTIONS", strings.ReplaceAll(path, "{id}", someID), "").header.Get("Allow")
		for method := range item.Operations() {
			if !slices.Contains(strings.Split(allow, ", "), method) {
				t.Errorf("%s %s is documented but not served", method, path)
			}
		}
	}
}

// operation is one documented operation with what is needed to send it.
type operation struct {
	method, path string
	*openapi3.Operation
}

func operations(doc *openapi3.T) (all []operation) {
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			all = append(all, operation{method, path, op})
		}
	}
	slices.SortFunc(all, func(a, b operation) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	return all
}

// example builds the documented request: path, query and body.
func (o operation) example(t *testing.T) (path, body string) {
	t.Helper()
	path, separator := o.path, "?"
	for _, p := range o.Parameters {
		switch {
		case p.Value.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Value.Name+"}", p.Value.Example.(string))
		case p.Value.In == "query" && p.Value.Example != nil:
			path += separator + p.Value.Name + "=" + exampleText(t, p.Value.Example)
			separator = "&"
		}
	}
	if o.RequestBody != nil {
		raw, err := json.Marshal(o.RequestBody.Value.Content["application/json"].Example)
		if err != nil {
			t.Fatal(err)
		}
		body = string(raw)
	}
	return path, body
}

func exampleText(t *testing.T, example any) string {
	t.Helper()
	switch v := example.(type) {
	case string:
		return v
	case []any:
		var parts []string
		for _, element := range v {
			parts = append(parts, element.(string))
		}
		return strings.Join(parts, ",")
	}
	raw, err := json.Marshal(example)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// hold checks an answer against what the document says of its status.
func (o operation) hold(t *testing.T, r reply) {
	t.Helper()
	documented := o.Responses.Value(strconv.Itoa(r.status))
	if documented == nil {
		t.Fatalf("%s %s answers %d, which is not documented: %s", o.method, o.path, r.status, r.body)
	}
	for name := range documented.Value.Headers {
		if r.header.Get(name) == "" && name != "Idempotent-Replayed" {
			t.Errorf("%s %s %d lacks the header %s", o.method, o.path, r.status, name)
		}
	}
	kind, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
	content := documented.Value.Content[kind]
	if content == nil {
		t.Fatalf("%s %s %d answers with %q, which is not documented", o.method, o.path, r.status, kind)
	}
	if content.Schema != nil {
		o.holdBody(t, r, content.Schema.Value)
	}
}

func (o operation) holdBody(t *testing.T, r reply, schema *openapi3.Schema) {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal(r.body, &body); err != nil {
		t.Fatal(err)
	}
	if err := schema.VisitJSON(body, openapi3.EnableJSONSchema2020(), openapi3.EnableFormatValidation()); err != nil {
		t.Errorf("%s %s %d: %s\n%v", o.method, o.path, r.status, r.body, err)
	}
	known := members(schema)
	for name := range body {
		if !known[name] {
			t.Errorf("%s %s %d has the member %s, which is not documented", o.method, o.path, r.status, name)
		}
	}
}

func members(schema *openapi3.Schema) map[string]bool {
	all := map[string]bool{}
	for _, part := range append(slices.Clone(schema.AllOf), &openapi3.SchemaRef{Value: schema}) {
		for name := range part.Value.Properties {
			all[name] = true
		}
	}
	return all
}

// TestAnswersKeepTheContract sends every documented request as its example
// says, and wrong in every way that fits, and holds each answer against the
// document.
func TestAnswersKeepTheContract(t *testing.T) {
	h := open(t)
	id, err := memory.ParseID(someID)
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range operations(contract(t, h)) {
		t.Run(op.method+" "+op.path, func(t *testing.T) {
			h.mu.Lock()
			h.put(tenantA, &memory.Memory{ID: id, Type: memory.Fact, Content: "Ada prefers tea.", Metadata: json.RawMessage(`{"a":1}`)})
			h.mu.Unlock()
			path, body := op.example(t)
			good := h.call("loci_a", op.method, path, body)
			if op.hold(t, good); good.status != http.StatusOK {
				t.Fatalf("the example gets %d %s", good.status, good.body)
			}
			op.sendWrong(t, h, path, body)
		})
	}
}

// sendWrong provokes the refusals that the operation can give.
func (o operation) sendWrong(t *testing.T, h *house, path, body string) {
	t.Helper()
	expect := func(status int, r reply) {
		t.Helper()
		if o.hold(t, r); r.status != status {
			t.Errorf("got %d %s, want %d", r.status, r.body, status)
		}
	}
	if len(*o.Security) == 0 {
		return
	}
	expect(401, h.call("", o.method, path, body))
	expect(400, h.call("loci_a", o.method, path+"?api_key=x", body))
	if o.Extensions["x-scope"] == string(memory.ScopeWrite) {
		expect(403, h.call("loci_reader", o.method, path, body))
	}
	if strings.Contains(o.path, "{id}") {
		expect(404, h.call("loci_b", o.method, path, body))
	}
	if o.RequestBody != nil {
		expect(400, h.call("loci_a", o.method, path, `{"colour":"red"}`))
		expect(400, h.call("loci_a", o.method, path, `{`))
		expect(415, h.call("loci_a", o.method, path, body, "Content-Type", "text/plain"))
		expect(413, h.call("loci_a", o.method, path, strings.Repeat(" ", 1<<20)+body))
	}
	if o.Parameters.GetByInAndName("header", "If-Match") != nil {
		expect(412, h.recreate(o, path, body))
	}
	for status, failure := range map[int]error{503: memory.Busy("d", 0), 500: errBroken} {
		h.setFail(failure)
		expect(status, h.call("loci_a", o.method, path, body))
		h.setFail(nil)
	}
}
