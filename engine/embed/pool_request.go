package embed

import (
	"container/list"
	"context"
	"time"

	"loci/engine/memory"
)

// request is one call of Embed, as the queue sees it: one window of its texts
// at a time.
type request struct {
	tenant memory.TenantID
	kind   memory.EmbedKind
	places int             // how many it takes until it ends
	gone   <-chan struct{} // closed when the caller no longer waits
	answer chan error      // of size one: one answer for each window

	// The window. Workers read texts and fill vectors.
	texts   []string
	tokens  []int
	vectors [][]float32

	// Guarded by Pool.mu.
	line *line         // nil before it is admitted
	spot *list.Element // in line.requests; nil when none of its texts waits
	next int           // the first text that is not in a pass yet
	left int           // texts without a vector
	over bool          // nobody waits for it any more
}

// compute embeds texts by passes, window by window.
func (p *Pool) compute(ctx context.Context, texts []string, kind memory.EmbedKind) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	if len(texts) == 0 {
		return vectors, nil
	}
	r := p.request(ctx, min(len(texts), p.window), kind)
	defer p.leave(r)
	for at := 0; at < len(texts); at += r.places {
		end := min(at+r.places, len(texts))
		if err := p.load(r, texts[at:end], vectors[at:end]); err != nil {
			return nil, err
		}
		if err := p.enter(ctx, r, len(texts)-at); err != nil {
			return nil, err
		}
		if err := p.await(ctx, r); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

func (p *Pool) request(ctx context.Context, places int, kind memory.EmbedKind) *request {
	return &request{
		tenant: tenantOf(ctx),
		kind:   laneOf(kind),
		places: places,
		gone:   ctx.Done(),
		answer: make(chan error, 1),
		tokens: make([]int, places),
	}
}

// laneOf treats a kind it does not know as documents.
func laneOf(kind memory.EmbedKind) memory.EmbedKind {
	if kind == memory.EmbedQuery {
		return memory.EmbedQuery
	}
	return memory.EmbedDocument
}

// load makes texts the window of r. Counting and allocating happen here, on
// the caller's goroutine and outside the lock.
func (p *Pool) load(r *request, texts []string, vectors [][]float32) (err error) {
	defer p.recovered(&err)
	dim := p.model.Dim()
	r.texts, r.vectors, r.tokens = texts, vectors, r.tokens[:len(texts)]
	for i, text := range texts {
		r.tokens[i] = max(1, p.model.Tokens(text))
		vectors[i] = make([]float32, dim)
	}
	return nil
}

// enter puts the window of r in line, and admits r before its first. rest is
// how many texts, this window's and later ones, are still to do.
func (p *Pool) enter(ctx context.Context, r *request, rest int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed.Load() {
		return errClosed()
	}
	if r.line == nil {
		if err := p.admit(ctx, r, rest); err != nil {
			return err
		}
	}
	p.mu.lanes[r.kind].push(r)
	p.mu.work.Signal()
	return nil
}

// admit gives r its places, or says why not (P4, P5). While nothing waits,
// time is never short: so a pace spoilt by one slow pass is measured again.
func (p *Pool) admit(ctx context.Context, r *request, rest int) error {
	lane := &p.mu.lanes[r.kind]
	held, queued := lane.of(r.tenant)
	if held+r.places > p.options.MaxWaiting-lane.places {
		p.counts.full.Add(1)
		return memory.Busy("too many texts wait to be embedded", p.comeBack(lane.tokens))
	}
	need := p.expect(r, queued, rest)
	if deadline, ok := ctx.Deadline(); ok && p.waiting() && time.Until(deadline) < need {
		p.counts.late.Add(1)
		return memory.Busy("embedding would take longer than the request may wait", p.comeBack(lane.tokens))
	}
	lane.admit(r)
	return nil
}

// expect guesses how long r takes from now: the texts before it by P2 and P3,
// then its own, the windows to come like this one.
func (p *Pool) expect(r *request, queued, rest int) time.Duration {
	lane := &p.mu.lanes[r.kind]
	own := sum(r.tokens) * rest / len(r.tokens)
	ahead := min(lane.tokens, (queued+own)*lane.ring.Len())
	if r.kind == memory.EmbedDocument {
		ahead += p.mu.lanes[memory.EmbedQuery].tokens
	}
	alone := p.mu.pace.of(min(own, p.options.PassTokens))
	return max(alone, p.mu.pace.of(ahead+own)/time.Duration(p.options.Workers))
}

// comeBack is when the given tokens will be done, within reason.
func (p *Pool) comeBack(tokens int) time.Duration {
	drained := p.mu.pace.of(tokens) / time.Duration(p.options.Workers)
	return min(max(drained, 100*time.Millisecond), 30*time.Second)
}

// await waits for the window to be done. When the caller's time is up it
// returns at once; leave then takes the texts out of the line (P5).
func (p *Pool) await(ctx context.Context, r *request) error {
	select {
	case err := <-r.answer:
		return err
	case <-ctx.Done():
		p.counts.gone.Add(1)
		return ctx.Err()
	}
}

// leave gives the places back. A worker that still has texts of r in a pass
// finds that it is over.
func (p *Pool) leave(r *request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.line == nil {
		return
	}
	r.over = true
	lane := &p.mu.lanes[r.kind]
	lane.remove(r)
	lane.release(r)
}

// end answers the caller, once. Guarded by Pool.mu; whoever ends a request
// takes it out of the line, or its caller does so when it leaves.
func (r *request) end(err error) {
	if r.over {
		return
	}
	r.over = err != nil // a window that went well may have another behind it
	r.answer <- err
}

func sum(numbers []int) (total int) {
	for _, n := range numbers {
		total += n
	}
	return total
}
