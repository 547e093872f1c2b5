package analysis

import (
	"encoding/hex"
	"hash/fnv"
	"hash/maphash"
	"sync/atomic"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// MaxTerm is the most bytes a term has (I2).
const MaxTerm = 64

// cacheSlots bounds the cache: 16,384 words are more than a person uses, and the
// table of pointers is 128 KB. A stem costs about 600 ns, a hit about 20.
const cacheSlots = 1 << 14

// kind is what becomes of a folded word.
type kind uint8

const (
	exact   kind = iota // the term is the word
	stemmed             // the term is its stem
)

// entry is a word and its term. It never changes once it is in the cache.
type entry struct {
	key  string
	term string
	kind kind
	stop bool // an English stop word
}

// cache keeps the terms of recent words. Each word has two slots to be in; a new
// one pushes the older of the two out. There is no lock: a reader sees one whole
// entry or another, and losing one costs time only (I1).
type cache struct {
	seed  maphash.Seed
	slots []atomic.Pointer[entry]
}

func (c *cache) init() {
	c.seed = maphash.MakeSeed()
	c.slots = make([]atomic.Pointer[entry], cacheSlots)
}

// get returns the entry of a folded word, which it copies if it is new (I3).
func (c *cache) get(folded []byte, k kind) *entry {
	if len(folded) > MaxTerm {
		return &entry{key: "", term: shorten(folded), kind: k} // rare: not worth a slot
	}
	first := int(maphash.Bytes(c.seed, folded)+uint64(k)) & (cacheSlots - 1)
	young := c.slots[first].Load()
	if young.is(folded, k) {
		return young
	}
	old := &c.slots[first^1]
	if e := old.Load(); e.is(folded, k) {
		return e
	}
	made := newEntry(string(folded), k)
	if young != nil {
		old.Store(young)
	}
	c.slots[first].Store(made)
	return made
}

func (e *entry) is(folded []byte, k kind) bool {
	return e != nil && e.kind == k && e.key == string(folded)
}

func newEntry(word string, k kind) *entry {
	e := &entry{key: word, term: word, kind: k, stop: stopWords[word]}
	if k == stemmed {
		e.term = stem(word)
	}
	return e
}

// stem is the English stem of a word of ASCII small letters.
func stem(word string) string {
	if len(word) <= 2 {
		return word
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	if s := env.Current(); s != "" {
		return s
	}
	return word
}

// shorten makes a term of bounded length (I2): the head, to be readable, and a
// hash of the whole, to be distinct.
func shorten(folded []byte) string {
	const tail = 1 + 2*8
	h := fnv.New64a()
	h.Write(folded)
	head := folded[:MaxTerm-tail]
	for len(head) > 0 && !utf8.RuneStart(folded[len(head)]) {
		head = head[:len(head)-1]
	}
	term := make([]byte, 0, MaxTerm)
	term = append(append(term, head...), '~')
	return string(hex.AppendEncode(term, h.Sum(nil)))
}
