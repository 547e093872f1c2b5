package wordpiece

import (
	"math"
	"strings"
)

// DefaultMax is how many tokens Encode gives at most if its caller does not
// say: what all-MiniLM-L6-v2 was made for.
const DefaultMax = 256

// The tokens that the tokenizer itself must know.
const (
	unknown = "[UNK]"
	start   = "[CLS]"
	end     = "[SEP]"
)

// specials are read as themselves where they stand in a text, as the reference
// does. All begin with a bracket and none begins another.
var specials = []string{"[PAD]", unknown, start, end, "[MASK]"}

// Tokenizer knows a vocabulary. It is read-only (I3).
type Tokenizer struct {
	vocab   vocabulary
	unk     int32
	cls     int32
	sep     int32
	special []special
}

type special struct {
	text string
	id   int32
}

// New reads a vocabulary, the token of id n on line n. It keeps the string. A
// vocabulary without [UNK], [CLS] and [SEP] gives 0 in their place.
func New(vocab string) *Tokenizer {
	t := &Tokenizer{vocab: newVocabulary(vocab)}
	t.unk, t.cls, t.sep = t.id(unknown), t.id(start), t.id(end)
	for _, text := range specials {
		if id, ok := t.lookUp(text); ok {
			t.special = append(t.special, special{text, id})
		}
	}
	return t
}

// Size is the number of tokens in the vocabulary.
func (t *Tokenizer) Size() int { return t.vocab.size() }

// Token is the text of an id, "" if there is no such id.
func (t *Tokenizer) Token(id int32) string { return t.vocab.token(id) }

// Encode appends the ids of a text to dst: [CLS], at most limit-2 tokens, [SEP].
// A limit of 0 means DefaultMax; the least is 2.
func (t *Tokenizer) Encode(text string, dst []int32, limit int) []int32 {
	if limit <= 0 {
		limit = DefaultMax
	}
	s := scanner{t: t, ids: append(dst, t.cls), n: len(dst) + 1}
	s.full = len(dst) + max(limit, 2) - 1
	s.text(text)
	return append(s.ids, t.sep)
}

// Count is the number of ids of the whole text, [CLS] and [SEP] included.
func (t *Tokenizer) Count(text string) int {
	s := scanner{t: t, full: math.MaxInt, only: true}
	s.text(text)
	return s.n + 2
}

func (t *Tokenizer) id(token string) int32 {
	id, _ := t.lookUp(token)
	return id
}

func (t *Tokenizer) lookUp(token string) (int32, bool) {
	return t.vocab.find(hash(seedWord, token), []byte(token), "")
}

// specialAt finds the special token that a text begins with.
func (t *Tokenizer) specialAt(text string) (special, bool) {
	for _, s := range t.special {
		if strings.HasPrefix(text, s.text) {
			return s, true
		}
	}
	return special{}, false
}
