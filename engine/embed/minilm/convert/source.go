package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// The package, its version and what npm calls its integrity (I1).
const integrity = "lEKi+i+FmrwkehRCAGrEoJWPvj3bEWrRaXzQGI7EbdW6V/OadCyNRtQyta9Fu/sb/JgQXGXddhEDd9y63nTOig=="

const (
	weightsName   = "package/model/model.fp16.safetensors"
	tokenizerName = "package/model/tokenizer.json"
)

// source is what the package holds of the model.
type source struct {
	weights   []byte // safetensors, fp16
	tokenizer []byte // tokenizer.json
}

func readPackage(name string) (*source, error) {
	body, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read package: %w", err)
	}
	sum := sha512.Sum512(body)
	if got := base64.StdEncoding.EncodeToString(sum[:]); got != integrity {
		return nil, fmt.Errorf("read package %s: sha512 is %s, must be %s", name, got, integrity)
	}
	return unpack(body)
}

func unpack(body []byte) (*source, error) {
	zipped, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("unpack package: %w", err)
	}
	src := &source{}
	wanted := map[string]*[]byte{weightsName: &src.weights, tokenizerName: &src.tokenizer}
	for files := tar.NewReader(zipped); ; {
		head, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("unpack package: %w", err)
		}
		if into := wanted[head.Name]; into != nil {
			if *into, err = io.ReadAll(files); err != nil {
				return nil, fmt.Errorf("unpack %s: %w", head.Name, err)
			}
		}
	}
	if src.weights == nil || src.tokenizer == nil {
		return nil, errors.New("unpack package: the model is not in it")
	}
	return src, nil
}

// vocabulary lists the tokens by id, one a line.
func vocabulary(tokenizer []byte) ([]byte, error) {
	var t struct {
		Model struct{ Vocab map[string]int }
	}
	if err := json.Unmarshal(tokenizer, &t); err != nil {
		return nil, fmt.Errorf("read vocabulary: %w", err)
	}
	words := make([]string, len(t.Model.Vocab))
	seen := make([]bool, len(words))
	for word, id := range t.Model.Vocab {
		if id < 0 || id >= len(words) || seen[id] || word == "" || strings.Contains(word, "\n") {
			return nil, fmt.Errorf("read vocabulary: token %q with id %d", word, id)
		}
		words[id], seen[id] = word, true
	}
	return []byte(strings.Join(words, "\n")), nil
}
