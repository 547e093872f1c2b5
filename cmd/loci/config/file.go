package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// DefaultFile is read if it is there and no other file was named.
const DefaultFile = "loci.yaml"

// FileEnv is the variable that names the file.
const FileEnv = "LOCI_CONFIG"

// yamlFile is a file's settings as texts. The zero value is "no file".
type yamlFile struct {
	path   string
	values map[string]string
}

func readFile(in Inputs) (yamlFile, error) {
	path, named := in.fileName()
	body, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return yamlFile{}, nil
	}
	if err != nil {
		return yamlFile{}, fmt.Errorf("read --config: %w", err)
	}
	return parseFile(path, body)
}

// fileName is the file to read, and whether anybody asked for it.
func (in Inputs) fileName() (path string, named bool) {
	if in.File != "" {
		return in.File, true
	}
	if path, ok := in.Env(FileEnv); ok && path != "" {
		return path, true
	}
	return DefaultFile, false
}

func parseFile(path string, body []byte) (yamlFile, error) {
	var raw map[string]any
	if err := yaml.Unmarshal(body, &raw); err != nil {
		return yamlFile{}, fmt.Errorf("parse %s: %s", path, yaml.FormatError(err, false, false))
	}
	if err := unknownKeys(path, raw); err != nil {
		return yamlFile{}, err
	}
	file := yamlFile{path: path, values: make(map[string]string, len(raw))}
	for key, value := range raw {
		text, err := scalar(value)
		if err != nil {
			return yamlFile{}, fmt.Errorf("%s: %s: %w", path, key, err)
		}
		file.values[key] = text
	}
	return file, nil
}

// unknownKeys refuses what is no setting (I3).
func unknownKeys(path string, raw map[string]any) error {
	known := make(map[string]bool)
	for _, f := range fields() {
		known[f.name] = true
	}
	var strange []string
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		if !known[key] {
			strange = append(strange, key)
		}
	}
	if len(strange) == 0 {
		return nil
	}
	return fmt.Errorf("%s: unknown key: %s (loci config lists the known ones)", path, strings.Join(strange, ", "))
}

func scalar(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case bool, int, int64, uint64, float64:
		return fmt.Sprint(v), nil
	case nil:
		return "", errors.New("has no value; leave the key out for the default")
	}
	return "", errors.New("must be one plain value, not a list or a map")
}
