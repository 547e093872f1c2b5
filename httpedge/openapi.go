package httpedge

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"loci/engine/memory"
)

// object is a node of a JSON document; encoding/json writes its names in
// order, so that the document is the same on every start.
type object = map[string]any

// openAPI makes the description of a route table. It is the truth that the
// tests hold the server against.
func openAPI(o *Options, entries []*entry) ([]byte, error) {
	schemas := newSchemas()
	paths := object{}
	for _, e := range entries {
		at, ok := paths[e.Path].(object)
		if !ok {
			at = object{}
			paths[e.Path] = at
		}
		at[strings.ToLower(e.Method)] = operation(&e.Route, schemas)
	}
	schemas.answer(problemShape{})
	return json.Marshal(object{
		"openapi": "3.1.0",
		"info": object{
			"title": o.Name, "version": o.Version,
			"description": "A long-term memory for AI agents. A write is answered only after it is on disk and visible to every later search.",
			"license":     object{"name": "Apache-2.0", "identifier": "Apache-2.0"},
		},
		"servers": []object{{"url": o.PublicURL}},
		"tags":    tagsOf(entries),
		"paths":   paths,
		"components": object{
			"schemas":         schemas.known,
			"responses":       refusals(),
			"headers":         commonHeaders(),
			"parameters":      commonParameters(),
			"securitySchemes": object{"bearer": object{"type": "http", "scheme": "bearer", "description": "An API key, such as loci_…, or an access token."}},
		},
	})
}

func tagsOf(entries []*entry) []object {
	var tags []object
	var seen []string
	for _, e := range entries {
		if !slices.Contains(seen, e.Doc.Group) {
			seen = append(seen, e.Doc.Group)
			tags = append(tags, object{"name": e.Doc.Group})
		}
	}
	return tags
}

func operation(r *Route, schemas *schemas) object {
	op := object{
		"operationId": r.Doc.ID,
		"tags":        []string{r.Doc.Group},
		"summary":     r.Doc.Summary,
		"description": r.Doc.Text,
		"parameters":  parameters(r, schemas),
		"responses":   responses(r, schemas),
		"security":    []object{},
	}
	if !r.public() {
		op["security"] = []object{{"bearer": []string{}}}
		op["x-scope"] = r.Scope
	}
	if r.Doc.Body != nil {
		op["requestBody"] = object{"required": true, "content": object{"application/json": object{
			"schema": schemas.request(r.Doc.Body), "example": json.RawMessage(r.Doc.Example),
		}}}
	}
	return op
}

func parameters(r *Route, schemas *schemas) []object {
	all := []object{ref("parameters/RequestId")}
	if strings.Contains(r.Path, "{id}") {
		all = append(all, object{"name": "id", "in": "path", "required": true, "description": "The id; what is not a UUID is not found.",
			"schema": object{"type": "string"}, "example": r.Doc.ExampleID})
	}
	if r.Doc.Once {
		all = append(all, ref("parameters/IdempotencyKey"))
	}
	if r.Doc.Match {
		all = append(all, ref("parameters/IfMatch"))
	}
	if r.Doc.ETag {
		all = append(all, ref("parameters/IfNoneMatch"))
	}
	if r.Doc.Query != nil {
		all = append(all, queryParameters(r, schemas)...)
	}
	return all
}

func queryParameters(r *Route, schemas *schemas) []object {
	examples, _ := url.ParseQuery(r.Doc.Example) // an example that is wrong fails the tests
	var all []object
	for _, f := range planOf(r.Doc.Query) {
		p := object{"name": f.Name, "in": "query", "required": f.Rule.Required, "description": f.Doc, "schema": schemas.parameter(&f)}
		if p["schema"].(object)["type"] == "array" {
			p["style"], p["explode"] = "form", false
		}
		if examples.Has(f.Name) {
			p["example"] = typedExample(p["schema"].(object), examples.Get(f.Name))
		}
		all = append(all, p)
	}
	return all
}

func typedExample(schema object, text string) any {
	switch schema["type"] {
	case "integer":
		n, _ := strconv.Atoi(text)
		return n
	case "boolean":
		return text == "true"
	case "array":
		return strings.Split(text, ",")
	}
	return text
}

func responses(r *Route, schemas *schemas) object {
	all := object{strconv.Itoa(statusOK): success(r, schemas)}
	if r.Doc.ETag {
		all[strconv.Itoa(statusNotModified)] = object{"description": "The client has this version already.", "headers": object{
			headerRequestID: ref("headers/RequestId"), "ETag": ref("headers/ETag")}}
	}
	for _, code := range r.refusals() {
		all[strconv.Itoa(lookUp(code).status)] = ref("responses/" + string(code))
	}
	return all
}

func success(r *Route, schemas *schemas) object {
	headers := object{headerRequestID: ref("headers/RequestId")}
	if r.Doc.ETag || r.Doc.Match && r.Method != "DELETE" {
		headers["ETag"] = ref("headers/ETag")
	}
	if r.Doc.Once {
		headers[headerReplayed] = ref("headers/IdempotentReplayed")
	}
	answer := object{"description": r.Doc.Summary + ".", "headers": headers}
	content := object{}
	switch {
	case r.Doc.Result != nil && r.Doc.Plain:
		content["application/json"] = object{"schema": schemas.answer(r.Doc.Result)}
	case r.Doc.Result != nil:
		content["application/json"] = object{"schema": object{"allOf": []object{schemas.answer(successShape{}), schemas.answer(r.Doc.Result)}}}
	}
	if r.Doc.Media != "" {
		content[r.Doc.Media] = object{}
	}
	if len(content) > 0 {
		answer["content"] = content
	}
	return answer
}

// refusals lists the codes that a route can answer with, by what it takes.
func (r *Route) refusals() []memory.Code {
	codes := []memory.Code{memory.Invalid, memory.Internal, memory.Overloaded}
	if !r.public() {
		codes = append(codes, memory.Unauthenticated, memory.QuotaExhausted, memory.Forbidden, memory.RateLimited)
	}
	if r.Doc.Body != nil {
		codes = append(codes, memory.TooLarge, memory.Unsupported, memory.Unprocessable)
	}
	if strings.Contains(r.Path, "{id}") || r.Doc.Body != nil {
		codes = append(codes, memory.NotFound)
	}
	if r.writes() {
		codes = append(codes, memory.Conflict)
	}
	if r.Doc.Match {
		codes = append(codes, memory.PreconditionFailed)
	}
	return codes
}

func ref(to string) object { return object{"$ref": "#/components/" + to} }
