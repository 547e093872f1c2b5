package embed_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loci/engine/embed"
	"loci/engine/memory"
)

func ask(t testing.TB, p *embed.Pool, tenant memory.TenantID, kind memory.EmbedKind, texts ...string) [][]float32 {
	t.Helper()
	vectors, err := p.Embed(embed.WithTenant(context.Background(), tenant), texts, kind)
	if diff := cmp.Diff(foretoldAll(texts), vectors); diff != "" || err != nil {
		t.Fatal(diff, err)
	}
	return vectors
}

func TestAQueryIsComputedOnce(t *testing.T) {
	model := &fake{}
	p := newPool(t, model, embed.PoolOptions{})
	ask(t, p, alice, memory.EmbedQuery, "one 5", "two 5")
	ask(t, p, bob, memory.EmbedQuery, "two 5", "three 5", "one 5")
	ask(t, p, bob, memory.EmbedQuery, "three 5")
	want := [][]string{{"one 5", "two 5"}, {"three 5"}}
	if diff := cmp.Diff(want, model.seen()); diff != "" {
		t.Error(diff)
	}
	if got := p.Stats(); got.CacheHits != 3 || got.CacheMisses != 3 {
		t.Errorf("got %+v", got)
	}
}

// TestWhatIsNotCached: documents, long texts, failures, and anything if the
// cache is off.
func TestWhatIsNotCached(t *testing.T) {
	long := strings.Repeat("x", 1100) + " 5"
	for name, test := range map[string]struct {
		o    embed.PoolOptions
		kind memory.EmbedKind
		text string
	}{
		"documents":  {embed.PoolOptions{}, memory.EmbedDocument, "text 5"},
		"long texts": {embed.PoolOptions{}, memory.EmbedQuery, long},
		"turned off": {embed.PoolOptions{NoCache: true}, memory.EmbedQuery, "text 5"},
	} {
		model := &fake{}
		p := newPool(t, model, test.o)
		ask(t, p, alice, test.kind, test.text)
		ask(t, p, alice, test.kind, test.text)
		if got := len(model.seen()); got != 2 {
			t.Errorf("%s: %d passes, want 2", name, got)
		}
	}
	p := newPool(t, &fake{}, embed.PoolOptions{})
	for range 2 {
		if _, err := p.Embed(context.Background(), []string{"poison 5"}, memory.EmbedQuery); err == nil {
			t.Error("a failure was kept as a vector")
		}
	}
}

// TestACachedVectorIsNotShared: what one tenant does to its vector, another
// does not see.
func TestACachedVectorIsNotShared(t *testing.T) {
	p := newPool(t, &fake{}, embed.PoolOptions{})
	for range 3 {
		for _, tenant := range []memory.TenantID{alice, bob} {
			clear(ask(t, p, tenant, memory.EmbedQuery, "same 5")[0])
		}
	}
}

// TestTheCacheIsBounded asks for a stream of new queries, and for one again
// and again: that one stays, the stream goes.
func TestTheCacheIsBounded(t *testing.T) {
	model := &fake{}
	p := newPool(t, model, embed.PoolOptions{CacheEntries: 32})
	for round := range 500 {
		ask(t, p, alice, memory.EmbedQuery, "favourite 5")
		ask(t, p, alice, memory.EmbedQuery, fmt.Sprintf("stream %d 5", round))
	}
	computed := map[string]int{}
	for round := range 500 {
		before := p.Stats().CacheMisses
		ask(t, p, bob, memory.EmbedQuery, fmt.Sprintf("stream %d 5", 499-round))
		if p.Stats().CacheMisses == before {
			computed["kept"]++
		}
	}
	if computed["kept"] > 32 {
		t.Errorf("%d of the stream were kept in a cache of 32", computed["kept"])
	}
	favourites := 0
	for _, pass := range model.seen() {
		if pass[0] == "favourite 5" {
			favourites++
		}
	}
	if favourites != 1 {
		t.Errorf("the favourite was computed %d times", favourites)
	}
}
