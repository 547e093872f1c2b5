package httpedge

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"loci/engine/memory"
)

// schemas turns struct types into JSON Schema, each under its own name.
type schemas struct{ known object }

func newSchemas() *schemas { return &schemas{object{}} }

var (
	timeType  = reflect.TypeFor[time.Time]()
	idType    = reflect.TypeFor[memory.ID]()
	rawType   = reflect.TypeFor[json.RawMessage]()
	shortType = reflect.TypeFor[interface{ FromString(string) }]()
)

func planOf(request any) []memory.FieldPlan { return memory.Plan(reflect.TypeOf(request)) }

// request is the schema of a body, given by a value. Fields and limits come
// from the tags that the decoder and the check read, too.
func (s *schemas) request(value any) object { return s.requestType(reflect.TypeOf(value)) }

func (s *schemas) requestType(t reflect.Type) object {
	name := nameOf(t)
	if _, done := s.known[name]; !done {
		node := object{"type": "object", "additionalProperties": false}
		s.known[name] = node
		properties, required := object{}, []string{}
		for _, f := range memory.Plan(t) {
			properties[f.Name] = s.field(&f)
			if f.Rule.Required {
				required = append(required, f.Name)
			}
		}
		node["properties"] = properties
		if len(required) > 0 {
			node["required"] = required
		}
	}
	return ref("schemas/" + name)
}

// field is the schema of one field of a request, with its sentence.
func (s *schemas) field(f *memory.FieldPlan) object {
	node := s.value(f.Type, &f.Rule)
	if f.Doc == "" {
		return node
	}
	if _, isRef := node["$ref"]; isRef {
		return object{"allOf": []object{node}, "description": f.Doc}
	}
	node["description"] = f.Doc
	return node
}

// parameter is the schema of a query parameter: raw JSON is text there.
func (s *schemas) parameter(f *memory.FieldPlan) object {
	if f.Type == rawType {
		return object{"type": "string", "contentMediaType": "application/json"}
	}
	return s.value(f.Type, &f.Rule)
}

func (s *schemas) value(t reflect.Type, rule *memory.Rule) object {
	switch {
	case t == timeType:
		// A date alone will do as well, which the format date-time would refuse.
		return object{"type": "string", "examples": []string{"2026-01-31T09:30:00Z", "2026-01-31"}}
	case t == idType:
		return object{"type": "string", "format": "uuid"}
	case t == rawType:
		return object{"type": "object"}
	case patched(t) != nil:
		return nullable(s.value(patched(t), rule))
	case reflect.PointerTo(t).Implements(shortType):
		return object{"oneOf": []object{{"type": "string"}, s.kind(t, rule)}}
	}
	return s.kind(t, rule)
}

func (s *schemas) kind(t reflect.Type, rule *memory.Rule) object {
	switch t.Kind() {
	case reflect.Pointer:
		return s.value(t.Elem(), rule)
	case reflect.Struct:
		return s.requestType(t)
	case reflect.Slice:
		return s.list(t, rule)
	case reflect.String:
		return limitText(object{"type": "string"}, rule)
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int:
		return limitNumber(object{"type": "integer"}, rule)
	}
	return limitNumber(object{"type": "number"}, rule)
}

func (s *schemas) list(t reflect.Type, rule *memory.Rule) object {
	element := memory.Rule{Max: rule.Each, Text: rule.EachText, Enum: rule.EachEnum}
	node := object{"type": "array", "items": s.value(t.Elem(), &element)}
	if rule.Max > 0 {
		node["maxItems"] = rule.Max
	}
	if rule.Required {
		node["minItems"] = 1
	}
	return node
}

func limitText(node object, rule *memory.Rule) object {
	if rule.Max > 0 {
		node["maxLength"] = rule.Max
	}
	if rule.Text {
		node["minLength"] = 1
	}
	if len(rule.Enum) > 0 {
		node["enum"] = rule.Enum
	}
	return node
}

func limitNumber(node object, rule *memory.Rule) object {
	if rule.Range {
		node["minimum"], node["maximum"] = rule.Low, rule.High
	}
	return node
}

// patched is the type inside a memory.Field, or nil.
func patched(t reflect.Type) reflect.Type {
	if t.Kind() != reflect.Struct || !reflect.PointerTo(t).Implements(reflect.TypeFor[interface{ Slot() any }]()) {
		return nil
	}
	value, _ := t.FieldByName("Value")
	return value.Type
}

func nullable(node object) object {
	return object{"anyOf": []object{node, {"type": "null"}}}
}

func nameOf(t reflect.Type) string {
	return strings.ToUpper(t.Name()[:1]) + strings.TrimSuffix(t.Name()[1:], "Shape")
}
