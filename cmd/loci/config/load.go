package config

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Inputs are the places that a configuration may come from.
type Inputs struct {
	// Flags are the settings given on the command line, by name.
	Flags map[string]string
	// Env looks up a variable; nil means that there are none.
	Env func(name string) (string, bool)
	// File is the --config flag. Empty means LOCI_CONFIG, else DefaultFile
	// if it is there.
	File string
}

// Value is one setting as it took effect.
type Value struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from"` // "flag", "env LOCI_ADDR", "file loci.yaml:addr", "default"
}

// Effective is the configuration with the origin of every value.
type Effective struct {
	Settings
	File   string  // the YAML file that was read, or ""
	Values []Value // in the order of the fields of Settings
}

// ErrInvalid marks every refusal of a configuration, so that a command can
// tell a usage mistake from a failure.
var ErrInvalid = errors.New("invalid configuration")

// Load decides every setting by precedence (I1) and checks it (I2). All that
// is wrong comes back in one error.
func Load(in Inputs) (*Effective, error) {
	if in.Env == nil {
		in.Env = func(string) (string, bool) { return "", false }
	}
	file, err := readFile(in)
	if err != nil {
		return nil, refuse(err)
	}
	e := &Effective{File: file.path}
	var wrong []error
	for _, f := range fields() {
		wrong = append(wrong, e.decide(f, in, file))
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, refuse(err)
	}
	return e, nil
}

func refuse(err error) error { return fmt.Errorf("%w: %w", ErrInvalid, err) }

// decide finds the text of one setting, and sets and notes its value.
func (e *Effective) decide(f field, in Inputs, file yamlFile) error {
	text, from := f.find(in, file)
	target := reflect.ValueOf(&e.Settings).Elem().FieldByIndex(f.index)
	if err := f.set(target, text); err != nil {
		return fmt.Errorf("--%s (%s): %w", f.name, from, err)
	}
	e.Values = append(e.Values, Value{Name: f.name, Value: fmt.Sprint(target.Interface()), From: from})
	return nil
}

// find applies the precedence (I1).
func (f field) find(in Inputs, file yamlFile) (text, from string) {
	if text, ok := in.Flags[f.name]; ok {
		return text, "flag"
	}
	if text, ok := in.Env(f.env()); ok && text != "" {
		return text, "env " + f.env()
	}
	if text, ok := file.values[f.name]; ok {
		return text, fmt.Sprintf("file %s:%s", file.path, f.name)
	}
	return f.std, "default"
}

// EnvName is the variable of a setting or flag.
func EnvName(flag string) string {
	return "LOCI_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// Default is the default of a setting, for help texts; ok tells whether there
// is a setting of this name at all.
func Default(name string) (text string, ok bool) {
	for _, f := range fields() {
		if f.name == name {
			return f.std, true
		}
	}
	return "", false
}
