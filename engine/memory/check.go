package memory

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Rule is what the rule tag of a field says. The zero Rule allows everything
// of the field's type.
type Rule struct {
	Required bool
	Text     bool     // not only white space
	Max      int      // characters of a string, elements of a list
	Each     int      // characters of an element
	EachText bool     // no element may be only white space
	Enum     []string // allowed values of a string
	EachEnum []string // allowed values of an element
	Range    bool     // a number within Low..High
	Low      float64
	High     float64
	Object   bool // raw JSON must be an object
	Bytes    int  // of raw JSON
}

// ParseRule reads a rule tag. A tag is written by us, so a mistake in it is a
// bug and panics.
func ParseRule(tag string) Rule {
	var r Rule
	for part := range strings.SplitSeq(tag, ",") {
		name, arg, _ := strings.Cut(part, "=")
		r.set(name, arg)
	}
	return r
}

func (r *Rule) set(name, arg string) {
	switch name {
	case "":
	case "required":
		r.Required = true
	case "text":
		r.Text = true
	case "eachtext":
		r.EachText = true
	case "object":
		r.Object = true
	case "max":
		r.Max = mustInt(arg)
	case "each":
		r.Each = mustInt(arg)
	case "bytes":
		r.Bytes = mustInt(arg)
	case "enum":
		r.Enum = strings.Split(arg, "|")
	case "eachenum":
		r.EachEnum = strings.Split(arg, "|")
	case "range":
		low, high, _ := strings.Cut(arg, "..")
		r.Range, r.Low, r.High = true, mustFloat(low), mustFloat(high)
	default:
		panic("memory: unknown rule " + name)
	}
}

func mustInt(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

func mustFloat(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return f
}

// FieldPlan is a field of a request type with its wire name and rule; fields
// of embedded structs stand among their parent's.
type FieldPlan struct {
	Name  string
	Doc   string
	Index []int
	Type  reflect.Type
	Rule  Rule
}

var plans sync.Map // reflect.Type -> []FieldPlan

// Plan lists the wire fields of a struct type.
func Plan(t reflect.Type) []FieldPlan {
	if known, ok := plans.Load(t); ok {
		return known.([]FieldPlan)
	}
	var plan []FieldPlan
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || name == "-" || name == "" {
			continue
		}
		plan = append(plan, FieldPlan{name, f.Tag.Get("doc"), f.Index, f.Type, ParseRule(f.Tag.Get("rule"))})
	}
	plans.Store(t, plan)
	return plan
}

// Check holds a request, given by pointer, against the rules of its fields,
// and adds what the caller found wrong beside them. All that is wrong comes
// back in one [Error], each with its field.
func Check(request any, found ...*FieldError) error {
	var wrong []FieldError
	checkStruct(reflect.ValueOf(request).Elem(), "", &wrong)
	for _, f := range found {
		if f != nil {
			wrong = append(wrong, *f)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return &Error{Code: Invalid, Detail: summary(wrong), Fields: wrong}
}

func summary(wrong []FieldError) string {
	first := wrong[0].Field + " " + wrong[0].Message
	if len(wrong) == 1 {
		return first
	}
	return fmt.Sprintf("%s, and %d more", first, len(wrong)-1)
}

func checkStruct(v reflect.Value, path string, wrong *[]FieldError) {
	for _, f := range Plan(v.Type()) {
		checkValue(v.FieldByIndex(f.Index), path+f.Name, &f.Rule, wrong)
	}
}

type given interface{ given() (any, bool) }

func (f Field[T]) given() (any, bool) { return f.Value, f.Given }

var rawType = reflect.TypeFor[json.RawMessage]()

func checkValue(v reflect.Value, path string, rule *Rule, wrong *[]FieldError) {
	if rule.Required && v.IsZero() {
		*wrong = append(*wrong, FieldError{path, "is required"})
		return
	}
	switch v.Kind() {
	case reflect.String:
		note(wrong, path, checkString(v.String(), rule))
	case reflect.Pointer:
		if !v.IsNil() {
			checkValue(v.Elem(), path, rule, wrong)
		}
	case reflect.Float64:
		note(wrong, path, checkNumber(v.Float(), rule))
	case reflect.Int:
		if v.Int() != 0 || rule.Required { // zero means "the default"
			note(wrong, path, checkNumber(float64(v.Int()), rule))
		}
	case reflect.Slice:
		checkSlice(v, path, rule, wrong)
	case reflect.Struct:
		checkInner(v, path, rule, wrong)
	}
}

func checkInner(v reflect.Value, path string, rule *Rule, wrong *[]FieldError) {
	// A pointer goes into an interface without a copy on the heap.
	inside := v
	if v.CanAddr() {
		inside = v.Addr()
	}
	switch x := inside.Interface().(type) {
	case *time.Time:
		note(wrong, path, checkTime(*x))
		return
	case time.Time:
		note(wrong, path, checkTime(x))
		return
	case given:
		checkField(x, path, rule, wrong)
		return
	}
	checkStruct(v, path+".", wrong)
}

func checkField(g given, path string, rule *Rule, wrong *[]FieldError) {
	if value, is := g.given(); is && value != nil {
		checkGiven(reflect.ValueOf(value), path, rule, wrong)
	}
}

// checkGiven checks a patched value. A text that must say something cannot
// be cleared.
func checkGiven(v reflect.Value, path string, rule *Rule, wrong *[]FieldError) {
	if v.Kind() == reflect.String && v.Len() == 0 && !rule.Text {
		return
	}
	checkValue(v, path, rule, wrong)
	if v.Kind() == reflect.String && v.Len() == 0 && rule.Text {
		note(wrong, path, "must not be empty")
	}
}

func checkSlice(v reflect.Value, path string, rule *Rule, wrong *[]FieldError) {
	if v.Type() == rawType {
		note(wrong, path, checkRaw(v.Bytes(), rule))
		return
	}
	if rule.Max > 0 && v.Len() > rule.Max {
		note(wrong, path, fmt.Sprintf("has %d elements; at most %d are allowed", v.Len(), rule.Max))
		return
	}
	element := Rule{Max: rule.Each, Text: rule.EachText, Required: rule.EachText, Enum: rule.EachEnum}
	for i := range v.Len() {
		checkElement(v.Index(i), path, i, &element, wrong)
	}
}

func checkElement(v reflect.Value, path string, i int, rule *Rule, wrong *[]FieldError) {
	at := func() string { return path + "[" + strconv.Itoa(i) + "]" }
	switch v.Kind() {
	case reflect.Struct:
		checkStruct(v, at()+".", wrong)
	case reflect.String: // the path is built only for the rare wrong one
		if rule.Required && v.Len() == 0 {
			note(wrong, at(), "must not be empty")
		} else if why := checkString(v.String(), rule); why != "" {
			note(wrong, at(), why)
		}
	}
}

func note(wrong *[]FieldError, path, why string) {
	if why != "" {
		*wrong = append(*wrong, FieldError{path, why})
	}
}

func checkString(s string, rule *Rule) string {
	switch {
	case !utf8.ValidString(s):
		return "is not valid UTF-8"
	case strings.IndexByte(s, 0) >= 0:
		return "contains a NUL character"
	case rule.Text && s != "" && strings.TrimSpace(s) == "":
		return "must not be blank"
	case rule.Max > 0 && len(s) > rule.Max && utf8.RuneCountInString(s) > rule.Max:
		return fmt.Sprintf("has %d characters; at most %d are allowed", utf8.RuneCountInString(s), rule.Max)
	}
	return checkEnum(s, rule.Enum)
}

func checkEnum(s string, allowed []string) string {
	if len(allowed) == 0 || s == "" {
		return ""
	}
	for _, a := range allowed {
		if s == a {
			return ""
		}
	}
	return "must be one of " + strings.Join(allowed, ", ")
}

func checkNumber(f float64, rule *Rule) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return "must be a finite number"
	}
	if rule.Range && (f < rule.Low || f > rule.High) {
		return fmt.Sprintf("must be between %v and %v", rule.Low, rule.High)
	}
	return ""
}

func checkTime(t time.Time) string {
	if y := t.Year(); !t.IsZero() && (y < 1 || y > 9999) {
		return "must be a time between the years 1 and 9999"
	}
	return ""
}

func checkRaw(raw json.RawMessage, rule *Rule) string {
	switch {
	case len(raw) == 0:
		return ""
	case rule.Bytes > 0 && len(raw) > rule.Bytes:
		return fmt.Sprintf("has %d bytes; at most %d are allowed", len(raw), rule.Bytes)
	case rule.Object && raw[0] != '{':
		return "must be an object"
	case !json.Valid(raw):
		return "is not valid JSON"
	}
	return ""
}

func (f *FieldError) at(list string, i int) *FieldError {
	if f == nil {
		return nil
	}
	return &FieldError{fmt.Sprintf("%s[%d].%s", list, i, f.Field), f.Message}
}
