package embed

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"
)

const (
	cacheShards = 16
	// Longer queries are rare and seldom come again. With the bound on the
	// number of entries this bounds the bytes.
	maxCachedText = 1024
)

// cache keeps vectors of texts asked lately: a few shards, each a CLOCK, so a
// hit writes one bit and moves nothing. A text is found by a seeded hash and
// compared in full; two texts of equal hash displace each other.
type cache struct {
	seed   maphash.Seed
	shards []shard
}

// shard is one CLOCK.
type shard struct {
	mu struct {
		sync.Mutex
		at      map[uint64]int // where in entries a hash is
		entries []entry        // grows to its capacity, then the hand goes round
		hand    int
	}
	size int
}

// entry is one text. Its vector is never written again, so it may be copied
// outside the lock.
type entry struct {
	hash   uint64
	text   string
	vector []float32
	used   bool // since the hand last came by
}

func newCache(entries int) *cache {
	c := &cache{seed: maphash.MakeSeed(), shards: make([]shard, min(cacheShards, entries))}
	for i := range c.shards {
		c.shards[i].size = entries / len(c.shards)
		c.shards[i].mu.at = map[uint64]int{}
	}
	return c
}

// get returns a copy of the text's vector, or nil.
func (c *cache) get(text string) []float32 {
	if len(text) > maxCachedText {
		return nil
	}
	hash := maphash.String(c.seed, text)
	return slices.Clone(c.shard(hash).get(hash, text))
}

// put keeps copies of text and vector.
func (c *cache) put(text string, vector []float32) {
	if len(text) > maxCachedText {
		return
	}
	hash := maphash.String(c.seed, text)
	c.shard(hash).put(entry{hash: hash, text: strings.Clone(text), vector: slices.Clone(vector)})
}

func (c *cache) shard(hash uint64) *shard { return &c.shards[hash%uint64(len(c.shards))] }

func (s *shard) get(hash uint64, text string) []float32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, known := s.mu.at[hash]
	if !known || s.mu.entries[at].text != text {
		return nil
	}
	s.mu.entries[at].used = true
	return s.mu.entries[at].vector
}

func (s *shard) put(e entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, known := s.mu.at[e.hash]
	if !known {
		at = s.free()
		s.mu.at[e.hash] = at
	}
	s.mu.entries[at] = e
}

// free finds a place: a new one while there is room, else that of the first
// entry not used since the hand last came by.
func (s *shard) free() int {
	if len(s.mu.entries) < s.size {
		s.mu.entries = append(s.mu.entries, entry{})
		return len(s.mu.entries) - 1
	}
	for s.mu.entries[s.mu.hand].used {
		s.mu.entries[s.mu.hand].used = false
		s.mu.hand = (s.mu.hand + 1) % s.size
	}
	at := s.mu.hand
	delete(s.mu.at, s.mu.entries[at].hash)
	s.mu.hand = (at + 1) % s.size
	return at
}
