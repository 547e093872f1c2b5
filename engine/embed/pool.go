package embed

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"loci/engine/memory"
)

// Model is what a [Pool] runs: a forward pass over a few texts at once. Its
// methods are called from many goroutines.
type Model interface {
	ID() string
	Dim() int
	// Tokens is how much of a pass the text takes, after the model's own cut.
	Tokens(text string) int
	// EmbedBatch writes the vector of texts[i] into dst[i], which has Dim
	// floats. It keeps neither slice.
	EmbedBatch(texts []string, dst [][]float32) error
}

// ErrClosed is the cause of every refusal after Close.
var ErrClosed = errors.New("the pool is closed")

// PoolOptions are the bounds of a [Pool]. Zero or less means the default.
type PoolOptions struct {
	// Workers is how many passes run at a time; by default GOMAXPROCS.
	Workers int
	// PassTokens is how many tokens a pass holds; by default 128, beyond which
	// a pass no longer gains per token. A longer text makes a pass of its own.
	PassTokens int
	// MaxWaiting is how many places there are for texts of each kind, waiting
	// or in a pass; by default 4096, some five seconds of documents on two
	// cores.
	MaxWaiting int
	// CacheEntries is how many vectors of queries are kept; by default 4096,
	// 6 MB at 384 dimensions.
	CacheEntries int
	// NoCache turns the cache off.
	NoCache bool
}

func (o PoolOptions) withDefaults() PoolOptions {
	for _, field := range []struct {
		value    *int
		fallback int
	}{
		{&o.Workers, runtime.GOMAXPROCS(0)},
		{&o.PassTokens, 128},
		{&o.MaxWaiting, 4096},
		{&o.CacheEntries, 4096},
	} {
		if *field.value <= 0 {
			*field.value = field.fallback
		}
	}
	return o
}

// Pool is an embedder that lets requests share the passes of one model.
//
//	P1  A pass holds texts of one kind and at most PassTokens tokens, or one
//	    longer text.
//	P2  Queries go before documents. While documents wait, one pass in
//	    turnOfDocuments+1 is theirs, so that a flood of queries does not starve
//	    them: a query waits for at most one pass of documents, and one more for
//	    each turnOfDocuments passes of queries before it.
//	P3  Tenants of one kind take turns by tokens (surplus round robin), so
//	    what one of them has waiting does not decide how long another waits.
//	P4  Places are bounded, and nobody takes the last: a tenant is admitted
//	    while it holds no more places than remain free. One tenant alone may
//	    hold half of them, n tenants one of n+1 parts each; a newcomer finds
//	    room.
//	P5  A text whose caller has gone is not computed. A request that by the
//	    pace of the last passes comes too late is refused at the door.
//	P6  What a text does to the model – an error, a panic – reaches only the
//	    request that brought it.
//
// A request of many texts enters the queue window by window and goes to the
// back of its tenant's line after each, so a tenant's import does not hold up
// the same tenant's next memory.
//
// Caveat: the cache of queries is shared by all tenants. It gives nobody
// another's text or vector, but whoever measures can tell whether a query was
// asked lately.
type Pool struct {
	model   Model
	options PoolOptions
	window  int    // texts of one request that are queued at a time
	cache   *cache // nil if there is none
	counts  counts
	workers sync.WaitGroup
	closed  atomic.Bool // set under mu, read anywhere
	mu      struct {
		sync.Mutex
		work   sync.Cond // something waits, or the pool is closed
		lanes  [2]lane   // by kind
		streak int       // passes of queries since documents had one
		pace   pace
	}
}

var _ memory.Embedder = (*Pool)(nil)

// NewPool starts the workers. Close stops them.
func NewPool(model Model, o PoolOptions) *Pool {
	o = o.withDefaults()
	p := &Pool{model: model, options: o, window: windowOf(o)}
	if !o.NoCache {
		p.cache = newCache(o.CacheEntries)
	}
	p.mu.work.L = &p.mu.Mutex
	for i := range p.mu.lanes {
		p.mu.lanes[i] = newLane()
	}
	for range o.Workers {
		p.workers.Go(p.work)
	}
	return p
}

// windowOf gives every worker some 16 passes of short texts before a request
// has to queue again, and leaves room for at least four requests (P4).
func windowOf(o PoolOptions) int {
	return max(1, min(max(256, 64*o.Workers), o.MaxWaiting/4))
}

// ID names the model.
func (p *Pool) ID() string { return p.model.ID() }

// Dim is the length of every vector.
func (p *Pool) Dim() int { return p.model.Dim() }

// Embed returns a vector for each text; they are the caller's own. The tenant
// whose turn it takes is that of [WithTenant]. It is refused as overloaded if
// there is no place (P4), no time (P5), or the pool is closed.
func (p *Pool) Embed(ctx context.Context, texts []string, kind memory.EmbedKind) ([][]float32, error) {
	vectors, err := p.embed(ctx, texts, kind)
	if err != nil {
		return nil, fmt.Errorf("embed with %s: %w", p.model.ID(), err)
	}
	return vectors, nil
}

func (p *Pool) embed(ctx context.Context, texts []string, kind memory.EmbedKind) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if p.closed.Load() {
		return nil, errClosed()
	}
	if kind == memory.EmbedQuery && p.cache != nil {
		return p.recall(ctx, texts)
	}
	return p.compute(ctx, texts, kind)
}

// recall answers queries from the cache and computes the others.
func (p *Pool) recall(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var missing []int
	var rest []string
	for i, text := range texts {
		if vectors[i] = p.cache.get(text); vectors[i] == nil {
			missing, rest = append(missing, i), append(rest, text)
		}
	}
	p.counts.hits.Add(int64(len(texts) - len(rest)))
	p.counts.misses.Add(int64(len(rest)))
	fresh, err := p.compute(ctx, rest, memory.EmbedQuery)
	if err != nil {
		return nil, err
	}
	for at, i := range missing {
		vectors[i] = fresh[at]
		p.cache.put(rest[at], fresh[at])
	}
	return vectors, nil
}

// Close refuses what waits, lets the passes under way end, and returns when
// the workers have stopped. It may be called twice.
func (p *Pool) Close() {
	p.shut()
	p.workers.Wait()
}

func (p *Pool) shut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed.Store(true)
	for i := range p.mu.lanes {
		for r := range p.mu.lanes[i].all() {
			r.end(errClosed())
		}
	}
	p.mu.work.Broadcast()
}

func errClosed() error {
	refusal := memory.Busy("the server is shutting down", 5*time.Second)
	refusal.Cause = ErrClosed
	return refusal
}

// Tokens is how many tokens the model reads of a text.
func (p *Pool) Tokens(text string) int { return p.model.Tokens(text) }
