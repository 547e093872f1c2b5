package httpedge

import (
	"reflect"
	"strings"

	"loci/engine/memory"
)

// answer is the schema of a result, given by a value: from its json tags. A
// field that may be left out is not required.
func (s *schemas) answer(value any) object { return s.answerType(reflect.TypeOf(value)) }

func (s *schemas) answerType(t reflect.Type) object {
	name := nameOf(t)
	if _, done := s.known[name]; !done {
		node := object{"type": "object"}
		s.known[name] = node
		properties, required := object{}, []string{}
		for _, f := range reflect.VisibleFields(t) {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Anonymous || !f.IsExported() || name == "-" || name == "" {
				continue
			}
			properties[name] = s.described(f)
			if options == "" && !optional(t, f) {
				required = append(required, name)
			}
		}
		node["properties"] = properties
		if len(required) > 0 {
			node["required"] = required
		}
	}
	return ref("schemas/" + name)
}

// optional reports a field that comes out of an embedded pointer: with it, or
// not at all.
func optional(t reflect.Type, f reflect.StructField) bool {
	return len(f.Index) > 1 && t.Field(f.Index[0]).Type.Kind() == reflect.Pointer
}

func (s *schemas) described(f reflect.StructField) object {
	node := s.answerValue(f.Type)
	if f.Name == "Code" {
		node["enum"] = codes()
	}
	if f.Type == rawType && memory.ParseRule(f.Tag.Get("rule")).Object {
		node["type"] = "object"
	}
	about := f.Tag.Get("doc")
	if about == "" {
		return node
	}
	if _, isRef := node["$ref"]; isRef {
		return object{"allOf": []object{node}, "description": about}
	}
	node["description"] = about
	return node
}

func codes() (all []memory.Code) {
	for _, k := range kinds {
		all = append(all, k.code)
	}
	return all
}

func (s *schemas) answerValue(t reflect.Type) object {
	switch t {
	case timeType:
		return object{"type": "string", "format": "date-time"}
	case idType:
		return object{"type": "string", "format": "uuid"}
	case rawType:
		return object{} // any JSON, unless the field's rule says more
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.answerValue(t.Elem())
	case reflect.Slice:
		return object{"type": "array", "items": s.answerValue(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.answerValue(t.Elem())}
	case reflect.Struct:
		return s.answerType(t)
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float64:
		return object{"type": "number"}
	}
	return object{"type": "integer"}
}
