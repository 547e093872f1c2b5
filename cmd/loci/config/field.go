package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// field is what the tags of one field of Settings say.
type field struct {
	name, std, form string
	min, max        string
	oneof           []string
	index           []int
}

func fields() []field {
	t := reflect.TypeFor[Settings]()
	list := make([]field, 0, t.NumField())
	for _, f := range reflect.VisibleFields(t) {
		list = append(list, field{
			name: f.Tag.Get("name"), std: f.Tag.Get("std"), form: f.Tag.Get("form"),
			min: f.Tag.Get("min"), max: f.Tag.Get("max"),
			oneof: words(f.Tag.Get("oneof")), index: f.Index,
		})
	}
	return list
}

func words(tag string) []string {
	if tag == "" {
		return nil
	}
	return strings.Split(tag, "|")
}

func (f field) env() string { return EnvName(f.name) }

// set reads text into target and checks it (I2).
func (f field) set(target reflect.Value, text string) error {
	switch into := target.Addr().Interface().(type) {
	case *string:
		*into = text
		return f.checkText(text)
	case *Secret:
		*into = Secret(text)
		return nil // its form is checked where it is installed
	case *int:
		return parse(f, into, text, strconv.Atoi, "a whole number")
	case *time.Duration:
		return parse(f, into, text, time.ParseDuration, "a time such as 500ms, 30s or 5m")
	case *Bytes:
		return parse(f, into, text, readBytes, "a size such as 512KiB or 64MiB")
	}
	panic("config: no reader for the type of " + f.name)
}

func readBytes(text string) (b Bytes, err error) {
	return b, b.UnmarshalText([]byte(text))
}

type ordered interface {
	int | time.Duration | Bytes
}

// parse reads a number-like value and holds it against min and max, which are
// written in the notation of the value itself.
func parse[T ordered](f field, into *T, text string, read func(string) (T, error), what string) error {
	value, err := read(text)
	if err != nil {
		return fmt.Errorf("%q is not %s", text, what)
	}
	low, err := read(f.min)
	high, err2 := read(f.max)
	if err := errors.Join(err, err2); err != nil {
		panic("config: bounds of " + f.name + ": " + err.Error())
	}
	if value < low || value > high {
		return fmt.Errorf("%s is out of bounds: at least %s, at most %s", text, f.min, f.max)
	}
	*into = value
	return nil
}

func (f field) checkText(text string) error {
	if len(f.oneof) > 0 {
		return checkWord(text, f.oneof)
	}
	if text == "" && f.std == "" {
		return nil
	}
	switch f.form {
	case "address":
		return checkAddress(text)
	case "url":
		return checkURL(text)
	case "name":
		return CheckName(text)
	case "path":
		return checkPath(text)
	}
	return nil
}

func checkWord(text string, allowed []string) error {
	for _, word := range allowed {
		if text == word {
			return nil
		}
	}
	return fmt.Errorf("%q is not one of %s", text, strings.Join(allowed, ", "))
}

func checkAddress(text string) error {
	_, port, err := net.SplitHostPort(text)
	if err != nil {
		return fmt.Errorf("%q is not HOST:PORT", text)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("port %q is out of bounds: at least 0, at most 65535", port)
	}
	return nil
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return fmt.Errorf("%q is not an http or https address", text)
	}
	if u.RawQuery != "" || u.Fragment != "" || strings.HasSuffix(u.Path, "/") || u.User != nil {
		return fmt.Errorf("%q must be a plain address without query, user or trailing slash", text)
	}
	return nil
}

func checkPath(text string) error {
	if strings.TrimSpace(text) == "" || strings.ContainsRune(text, 0) {
		return fmt.Errorf("%q is not a folder", text)
	}
	return nil
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)

// CheckName tells whether a tenant may be called so: a name goes into shell
// lines, so it keeps to characters that need no quotes.
func CheckName(name string) error {
	if !nameForm.MatchString(name) {
		return fmt.Errorf("%q is not a name: 1 to 63 letters, digits, dots, dashes or underscores, a letter or digit first", name)
	}
	return nil
}
