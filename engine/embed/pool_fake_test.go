package embed_test

import (
	"context"
	"errors"
	"hash/fnv"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"loci/engine/embed"
	"loci/engine/memory"
)

var (
	alice = memory.TenantID{1}
	bob   = memory.TenantID{2}
	carol = memory.TenantID{3}
)

var errPoison = errors.New("this text is poison")

// fake is a model whose vectors are easy to foretell. A text ends in the number
// of its tokens: "alice's question 12". One that contains "poison" fails its
// pass, one that contains "bomb" panics.
type fake struct {
	during func(texts []string) // runs in every pass, if set
	mu     struct {
		sync.Mutex
		passes [][]string
	}
}

func (f *fake) ID() string { return "fake-v1" }
func (f *fake) Dim() int   { return 4 }

func (f *fake) Tokens(text string) int {
	if strings.Contains(text, "uncountable") {
		panic("cannot count")
	}
	n, _ := strconv.Atoi(text[strings.LastIndexByte(text, ' ')+1:])
	return n
}

func (f *fake) EmbedBatch(texts []string, dst [][]float32) error {
	f.mu.Lock()
	f.mu.passes = append(f.mu.passes, append([]string(nil), texts...))
	f.mu.Unlock()
	if f.during != nil {
		f.during(texts)
	}
	for i, text := range texts {
		if strings.Contains(text, "bomb") {
			panic("boom")
		}
		if strings.Contains(text, "poison") {
			return errPoison
		}
		copy(dst[i], foretold(text))
	}
	return nil
}

// seen is the passes so far.
func (f *fake) seen() [][]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([][]string(nil), f.mu.passes...)
}

func foretold(text string) []float32 {
	sum := fnv.New32a()
	sum.Write([]byte(text))
	n := sum.Sum32()
	return []float32{float32(n & 0xff), float32(n >> 8 & 0xff), float32(n >> 16 & 0xff), float32(n >> 24)}
}

func foretoldAll(texts []string) [][]float32 {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = foretold(text)
	}
	return vectors
}

// gated is a fake whose passes wait until the gate is opened.
func gated() (model *fake, open func()) {
	gate := make(chan struct{})
	return &fake{during: func([]string) { <-gate }}, sync.OnceFunc(func() { close(gate) })
}

func newPool(t testing.TB, m embed.Model, o embed.PoolOptions) *embed.Pool {
	t.Helper()
	p := embed.NewPool(m, o)
	t.Cleanup(p.Close)
	return p
}

// outcome is what became of a request that was sent on its way.
type outcome struct {
	vectors [][]float32
	err     error
}

// send starts a request in a bubble of synctest and returns when it is in line
// (or answered).
func send(ctx context.Context, p *embed.Pool, tenant memory.TenantID, kind memory.EmbedKind, texts ...string) <-chan outcome {
	out := make(chan outcome, 1)
	go func() {
		vectors, err := p.Embed(embed.WithTenant(ctx, tenant), texts, kind)
		out <- outcome{vectors, err}
	}()
	synctest.Wait()
	return out
}

func wantBusy(t testing.TB, err error) *memory.Error {
	t.Helper()
	refusal, ok := errors.AsType[*memory.Error](err)
	if !ok || refusal.Code != memory.Overloaded || refusal.RetryAfter <= 0 {
		t.Fatalf("got %v, want an overloaded refusal with a time to come back", err)
	}
	return refusal
}
