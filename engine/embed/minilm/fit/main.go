// Command fit makes the two files that package minilm derives from its own
// model. Run it in the folder of the package:
//
//	go run ./fit basis    pca64.bin, the directions of token vectors
//	go run ./fit static   static256.bin, the static table
//
// The basis is the 64 directions that hold most of the unit vectors of token
// states, by their second moments about zero: not about the mean, because what
// is to be kept are dot products. The states are those of the golden texts
// (testdata, 10 languages and scripts) and of as many tokens again of made-up
// lists of twelve whole words of the vocabulary.
//
// The static table gives each token of the vocabulary the vector of the text
// that has this token alone. Those vectors have much in common, so the mean is
// taken off; then the 256 directions with the most variance are kept. Tokens are
// not weighted: their rarity is the caller's knowledge.
//
// The result is a function of the weight file: fit runs on the AVX2 path, which
// computes the same on every machine that has it, and refuses others.
package main

import (
	"fmt"
	"os"

	"loci/engine/embed/kernel"
	"loci/engine/embed/minilm"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	f, err := minilm.Builtin()
	if err != nil {
		return err
	}
	m, err := minilm.Load(f, minilm.Options{Path: kernel.AVX2})
	if err != nil {
		return err
	}
	if len(args) == 1 && args[0] == "basis" {
		return fitBasis(m, f.Vocab())
	}
	if len(args) == 1 && args[0] == "static" {
		return fitStatic(m, f.Vocab())
	}
	return fmt.Errorf("%q: say basis or static", args)
}
