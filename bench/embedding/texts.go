package embedding

import (
	"loci/bench/texts"
	"loci/engine/embed/minilm"
	"loci/engine/embed/wordpiece"
)

// tokenized gives n made-up texts of exactly this many tokens: stories one
// after another, cut by the tokenizer, which keeps [CLS] and [SEP] at the ends.
func tokenized(seed uint64, n, tokens int) ([][]int32, error) {
	file, err := minilm.Builtin()
	if err != nil {
		return nil, err
	}
	tokenizer, stories := wordpiece.New(file.Vocab()), texts.New(seed)
	all, story := make([][]int32, n), 0
	for i := range all {
		var text []byte
		for tokenizer.Count(string(text)) < tokens {
			text = append(stories.AppendText(text, story), ' ')
			story++
		}
		all[i] = tokenizer.Encode(string(text), nil, tokens)
	}
	return all, nil
}
