package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Filter is a condition over metadata, ready to be asked. The zero Filter is
// true of everything.
type Filter struct {
	root condition
	// needs says that the filter looks at metadata at all.
	needs bool
}

type condition func(metadata map[string]any) bool

const maxFilterDepth = 16

// ParseFilter reads a filter:
//
//	{"rank": 3}                          short for {"rank": {"eq": 3}}
//	{"rank": {"gte": 3, "lt": 9}}        all operators must hold
//	{"owner.name": {"in": ["a", "b"]}}   a dot goes into nested objects
//	{"or": [{…}, {…}]}, {"and": […]}, {"not": {…}}
//
// Several keys in one object must all hold. An ordering operator holds only
// between two numbers or two strings. A field that holds a list matches eq
// and in if one of its elements does.
func ParseFilter(raw json.RawMessage) (Filter, error) {
	if len(raw) == 0 {
		return Filter{}, nil
	}
	var object map[string]any
	if err := json.Unmarshal(raw, &object); err != nil {
		return Filter{}, errors.New("must be an object")
	}
	root, err := parseAll(object, 0)
	return Filter{root, len(object) > 0}, err
}

// Empty reports whether the filter is true of everything.
func (f Filter) Empty() bool { return !f.needs }

// Match asks the filter of one memory's metadata.
func (f Filter) Match(metadata map[string]any) bool { return f.root == nil || f.root(metadata) }

func parseAll(object map[string]any, depth int) (condition, error) {
	if depth > maxFilterDepth {
		return nil, fmt.Errorf("is nested deeper than %d", maxFilterDepth)
	}
	var all []condition
	for _, key := range slices.Sorted(maps.Keys(object)) {
		c, err := parseKey(key, object[key], depth)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return every(all), nil
}

func parseKey(key string, value any, depth int) (condition, error) {
	switch key {
	case "and":
		return parseList(key, value, depth, every)
	case "or":
		return parseList(key, value, depth, some)
	case "not":
		return parseNot(value, depth)
	}
	operators, ok := value.(map[string]any)
	if !ok {
		operators = map[string]any{"eq": value}
	}
	return parseOperators(key, operators)
}

func parseList(key string, value any, depth int, join func([]condition) condition) (condition, error) {
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		return nil, fmt.Errorf("%s needs a list of conditions", key)
	}
	var parts []condition
	for _, element := range list {
		object, ok := element.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s needs a list of conditions", key)
		}
		c, err := parseAll(object, depth+1)
		if err != nil {
			return nil, err
		}
		parts = append(parts, c)
	}
	return join(parts), nil
}

func parseNot(value any, depth int) (condition, error) {
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("not needs a condition")
	}
	inner, err := parseAll(object, depth+1)
	if err != nil {
		return nil, err
	}
	return func(m map[string]any) bool { return !inner(m) }, nil
}

func parseOperators(field string, operators map[string]any) (condition, error) {
	path := strings.Split(field, ".")
	var all []condition
	for _, name := range slices.Sorted(maps.Keys(operators)) {
		test, err := operator(field, name, operators[name])
		if err != nil {
			return nil, err
		}
		all = append(all, func(m map[string]any) bool { return test(dig(m, path)) })
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no operator", field)
	}
	return every(all), nil
}

// test is asked of a field's value, and whether the field is there.
type test func(value any, there bool) bool

func operator(field, name string, want any) (test, error) {
	switch name {
	case "eq":
		return func(v any, there bool) bool { return there && equal(v, want) }, nil
	case "ne":
		return func(v any, there bool) bool { return !there || !equal(v, want) }, nil
	case "in":
		return operatorIn(field, want)
	case "exists":
		expected, ok := want.(bool)
		if !ok {
			return nil, fmt.Errorf("%s.exists needs true or false", field)
		}
		return func(_ any, there bool) bool { return there == expected }, nil
	}
	return operatorOrder(field, name, want)
}

func operatorIn(field string, want any) (test, error) {
	list, ok := want.([]any)
	if !ok {
		return nil, fmt.Errorf("%s.in needs a list", field)
	}
	return func(v any, there bool) bool {
		return there && slices.ContainsFunc(list, func(w any) bool { return equal(v, w) })
	}, nil
}

var orders = map[string]func(int) bool{
	"gt":  func(c int) bool { return c > 0 },
	"gte": func(c int) bool { return c >= 0 },
	"lt":  func(c int) bool { return c < 0 },
	"lte": func(c int) bool { return c <= 0 },
}

func operatorOrder(field, name string, want any) (test, error) {
	holds, ok := orders[name]
	if !ok {
		return nil, fmt.Errorf("%s has an unknown operator %s", field, name)
	}
	switch want.(type) {
	case float64, string:
	default:
		return nil, fmt.Errorf("%s.%s needs a number or a string", field, name)
	}
	return func(v any, there bool) bool {
		c, ok := compare(v, want)
		return there && ok && holds(c)
	}, nil
}

func compare(a, b any) (int, bool) {
	switch x := a.(type) {
	case float64:
		if y, ok := b.(float64); ok {
			switch {
			case x < y:
				return -1, true
			case x > y:
				return 1, true
			}
			return 0, true
		}
	case string:
		if y, ok := b.(string); ok {
			return strings.Compare(x, y), true
		}
	}
	return 0, false
}

func equal(have, want any) bool {
	if list, ok := have.([]any); ok {
		if _, both := want.([]any); !both {
			return slices.ContainsFunc(list, func(h any) bool { return equal(h, want) })
		}
	}
	return reflect.DeepEqual(have, want)
}

func dig(m map[string]any, path []string) (any, bool) {
	var value any = m
	for _, step := range path {
		object, ok := value.(map[string]any)
		if !ok {
			return nil, false
		}
		if value, ok = object[step]; !ok {
			return nil, false
		}
	}
	return value, true
}

func every(parts []condition) condition {
	return func(m map[string]any) bool {
		for _, c := range parts {
			if !c(m) {
				return false
			}
		}
		return true
	}
}

func some(parts []condition) condition {
	return func(m map[string]any) bool {
		return slices.ContainsFunc(parts, func(c condition) bool { return c(m) })
	}
}
