package embed_test

import (
	"context"
	"fmt"
	"testing"

	"loci/engine/embed"
	"loci/engine/memory"
)

// instant is a model that costs nothing, so that what is left is the pool.
type instant struct{}

func (instant) ID() string                             { return "instant" }
func (instant) Dim() int                               { return 384 }
func (instant) Tokens(string) int                      { return 12 }
func (instant) EmbedBatch([]string, [][]float32) error { return nil }

// BenchmarkPool is what the pool adds to the model: for one query at a time,
// for many at once (of as many tenants), for a batch of documents, and for a
// query that is cached.
func BenchmarkPool(b *testing.B) {
	ctx := embed.WithTenant(context.Background(), alice)
	b.Run("one query", func(b *testing.B) {
		p := newPool(b, instant{}, embed.PoolOptions{NoCache: true})
		b.ReportAllocs()
		for b.Loop() {
			mustEmbed(b, p, ctx, []string{"query"}, memory.EmbedQuery)
		}
	})
	b.Run("cached query", func(b *testing.B) {
		p := newPool(b, instant{}, embed.PoolOptions{})
		b.ReportAllocs()
		for b.Loop() {
			mustEmbed(b, p, ctx, []string{"query"}, memory.EmbedQuery)
		}
	})
	b.Run("64 documents", func(b *testing.B) {
		p := newPool(b, instant{}, embed.PoolOptions{})
		texts := make([]string, 64)
		b.ReportAllocs()
		for b.Loop() {
			mustEmbed(b, p, ctx, texts, memory.EmbedDocument)
		}
	})
	for _, callers := range []int{8, 64, 512} {
		b.Run(fmt.Sprintf("%d callers a core", callers), func(b *testing.B) { benchCallers(b, callers) })
	}
}

func benchCallers(b *testing.B, callers int) {
	p := newPool(b, instant{}, embed.PoolOptions{NoCache: true})
	b.SetParallelism(callers)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		ctx := embed.WithTenant(context.Background(), memory.NewTenantID())
		for pb.Next() {
			mustEmbed(b, p, ctx, []string{"query"}, memory.EmbedQuery)
		}
	})
	s := p.Stats()
	b.ReportMetric(float64(s.Texts)/float64(s.Passes), "texts/pass")
}

func mustEmbed(b *testing.B, p *embed.Pool, ctx context.Context, texts []string, kind memory.EmbedKind) {
	if _, err := p.Embed(ctx, texts, kind); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkPoolDeepQueue has a thousand tenants with long documents in line:
// the turns of P3 must not show in the time of a pass.
func BenchmarkPoolDeepQueue(b *testing.B) {
	p := newPool(b, long{}, embed.PoolOptions{NoCache: true, MaxWaiting: 1 << 20})
	b.SetParallelism(512)
	b.RunParallel(func(pb *testing.PB) {
		ctx := embed.WithTenant(context.Background(), memory.NewTenantID())
		for pb.Next() {
			mustEmbed(b, p, ctx, make([]string, 8), memory.EmbedDocument)
		}
	})
}

// long is instant with texts of the greatest length.
type long struct{ instant }

func (long) Tokens(string) int { return 256 }
