package httpedge

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"reflect"
	"strings"

	"loci/engine/memory"
)

//go:embed page.html
var pageSource string

var pageTemplate = template.Must(template.New("page").Parse(pageSource))

// pageView is what the page shows; all of it comes from the route table.
type pageView struct {
	Name, Version, URL string
	BodyLimit          string
	Groups             []groupView
	Errors             []errorView
}

type groupView struct {
	Name   string
	Routes []routeView
}

type routeView struct {
	ID, Method, Path, Scope, Summary, Text string
	Fields                                 []fieldView
	FieldsTitle                            string
	Headers                                []string
	Curl                                   string
	Answer                                 []fieldView
}

type fieldView struct {
	Name, Kind, Limits, Doc string
	Required                bool
}

type errorView struct {
	Code   memory.Code
	Status int
	Title  string
}

func renderPage(o *Options, entries []*entry) ([]byte, error) {
	view := pageView{Name: o.Name, Version: o.Version, URL: o.PublicURL, BodyLimit: byteCount(o.BodyLimit)}
	for _, k := range kinds {
		view.Errors = append(view.Errors, errorView{k.code, k.status, k.title})
	}
	for _, e := range entries {
		view.add(e.Doc.Group, showRoute(&e.Route, o.PublicURL))
	}
	if len(view.Groups) > 1 { // the server's own routes come last: people look for the others
		view.Groups = append(view.Groups[1:], view.Groups[0])
	}
	var out bytes.Buffer
	err := pageTemplate.Execute(&out, view)
	return out.Bytes(), err
}

func (v *pageView) add(group string, r routeView) {
	for i := range v.Groups {
		if v.Groups[i].Name == group {
			v.Groups[i].Routes = append(v.Groups[i].Routes, r)
			return
		}
	}
	v.Groups = append(v.Groups, groupView{group, []routeView{r}})
}

func showRoute(r *Route, publicURL string) routeView {
	view := routeView{ID: r.Doc.ID, Method: r.Method, Path: r.Path, Scope: string(r.Scope), Summary: r.Doc.Summary, Text: r.Doc.Text, Curl: curl(r, publicURL)}
	switch {
	case r.Doc.Body != nil:
		view.FieldsTitle, view.Fields = "Body", showFields(reflect.TypeOf(r.Doc.Body), "")
	case r.Doc.Query != nil:
		view.FieldsTitle, view.Fields = "Query parameters", showFields(reflect.TypeOf(r.Doc.Query), "")
	}
	if r.Doc.Result != nil {
		view.Answer = showAnswer(reflect.TypeOf(r.Doc.Result))
	}
	for _, h := range []struct {
		on   bool
		name string
	}{{r.Doc.Once, headerOnce}, {r.Doc.Match, "If-Match"}, {r.Doc.ETag, "If-None-Match"}} {
		if h.on {
			view.Headers = append(view.Headers, h.name)
		}
	}
	return view
}

// showFields lists the fields of a request, those of a struct inside it after it.
func showFields(t reflect.Type, prefix string) []fieldView {
	var all []fieldView
	for _, f := range memory.Plan(t) {
		all = append(all, fieldView{prefix + f.Name, kindWords(f.Type), limitWords(f.Type, &f.Rule), f.Doc, f.Rule.Required})
		if inner, mark := structInside(f.Type); inner != nil {
			all = append(all, showFields(inner, prefix+f.Name+mark)...)
		}
	}
	return all
}

func structInside(t reflect.Type) (reflect.Type, string) {
	mark := "."
	if t.Kind() == reflect.Slice {
		t, mark = t.Elem(), "[]."
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t == timeType || patched(t) != nil {
		return nil, ""
	}
	return t, mark
}

func showAnswer(t reflect.Type) []fieldView {
	var all []fieldView
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "-" || name == "" {
			continue
		}
		all = append(all, fieldView{Name: name, Kind: kindWords(f.Type), Doc: f.Tag.Get("doc"), Required: options == ""})
	}
	return all
}

func kindWords(t reflect.Type) string {
	switch {
	case t == timeType:
		return "time"
	case t == idType:
		return "UUID"
	case t == rawType:
		return "object"
	case patched(t) != nil:
		return kindWords(patched(t)) + " or null"
	case t.Kind() == reflect.Struct && reflect.PointerTo(t).Implements(shortType):
		return "text or object"
	case t.Kind() == reflect.Slice && reflect.PointerTo(t).Implements(shortType):
		return "text or list of text"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return kindWords(t.Elem())
	case reflect.Slice:
		return "list of " + kindWords(t.Elem())
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "number"
	case reflect.Struct, reflect.Map:
		return "object"
	}
	return "whole number"
}

func limitWords(t reflect.Type, rule *memory.Rule) string {
	var words []string
	add := func(on bool, format string, args ...any) {
		if on {
			words = append(words, fmt.Sprintf(format, args...))
		}
	}
	isList := strings.Contains(kindWords(t), "list of")
	add(rule.Max > 0 && rule.Each == 0 && isList, "at most %d", rule.Max)
	add(rule.Max > 0 && !isList, "at most %d characters", rule.Max)
	add(rule.Max > 0 && rule.Each > 0 && isList, "at most %d, each at most %d characters", rule.Max, rule.Each)
	add(rule.Range, "%v to %v", rule.Low, rule.High)
	add(rule.Bytes > 0, "at most %d bytes", rule.Bytes)
	add(len(rule.Enum) > 0, "%s", strings.Join(rule.Enum, ", "))
	add(len(rule.EachEnum) > 0, "%s", strings.Join(rule.EachEnum, ", "))
	return strings.Join(words, "; ")
}

// curl is a call that can be pasted into a shell.
func curl(r *Route, publicURL string) string {
	address := publicURL + strings.ReplaceAll(r.Path, "{id}", r.Doc.ExampleID)
	line := "curl"
	if r.Method != "GET" && r.Doc.Body == nil || r.Method != "GET" && r.Method != "POST" {
		line += " -X " + r.Method
	}
	if r.Doc.Query != nil && r.Doc.Example != "" {
		address += "?" + r.Doc.Example
	}
	line += " '" + address + "'"
	if !r.public() {
		line += " \\\n  -H \"Authorization: Bearer $LOCI_KEY\""
	}
	if r.Doc.Body != nil {
		line += " \\\n  -H 'Content-Type: application/json' \\\n  -d '" + strings.ReplaceAll(indented(r.Doc.Example), "'", `'\''`) + "'"
	}
	return line
}

func indented(example string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(example), "  ", "  ") != nil {
		return example // a test refuses examples that are not JSON
	}
	return out.String()
}

func byteCount(n int) string {
	if n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}
