package embed

import (
	"fmt"
	"testing"
)

// TestEqualHashesDoNotMix gives two texts one hash, which no caller can do:
// each finds its own vector or none.
func TestEqualHashesDoNotMix(t *testing.T) {
	s := &newCache(1).shards[0]
	s.put(entry{hash: 1, text: "one", vector: []float32{1}})
	if got := s.get(1, "two"); got != nil {
		t.Errorf("another text's vector: %v", got)
	}
	s.put(entry{hash: 1, text: "two", vector: []float32{2}})
	if got := s.get(1, "two"); len(got) != 1 || got[0] != 2 {
		t.Errorf("got %v", got)
	}
	if got := s.get(1, "one"); got != nil {
		t.Errorf("the displaced text: %v", got)
	}
	if len(s.mu.entries) != 1 || len(s.mu.at) != 1 {
		t.Errorf("%d entries, %d hashes, want one each", len(s.mu.entries), len(s.mu.at))
	}
}

// TestTheCacheForgetsWhole: what the hand displaces leaves nothing behind.
func TestTheCacheForgetsWhole(t *testing.T) {
	c := newCache(40) // 16 shards of two
	for i := range 1000 {
		c.put(fmt.Sprint(i), []float32{1})
	}
	for i := range c.shards {
		if s := &c.shards[i]; len(s.mu.entries) > 2 || len(s.mu.at) != len(s.mu.entries) {
			t.Errorf("shard %d has %d entries and %d hashes", i, len(s.mu.entries), len(s.mu.at))
		}
	}
}
