package engine

import (
	"context"
	"time"

	"loci/engine/graph"
	"loci/engine/memory"
)

// Search unites the three arms on this view. The question is what [View.Embed]
// gave for the query; it may be empty in the modes that need no vector.
func (v *View) Search(ctx context.Context, who memory.Caller, what *memory.SearchRequest, q Question) (*memory.SearchResult, error) {
	start := time.Now()
	h, err := v.hunt(who, what, v.moment())
	if err != nil {
		return nil, err
	}
	res, err := h.run(ctx, q)
	if err != nil {
		return nil, err
	}
	res.TookMs = round6(float64(time.Since(start).Microseconds()) / 1000)
	return res, nil
}

// moment is when a request is asked: now, but never before the newest commit,
// so that what has just been replaced is past at once.
func (v *View) moment() int64 { return max(v.kit.now().UnixMicro(), v.published) }

// hunt is one search under way.
type hunt struct {
	*View
	what   *memory.SearchRequest
	sieve  *sieve
	offset int
	limit  int
}

// defaultLimit is how many results are given when nobody says.
const defaultLimit = 20

// defaultRecency is the recencyWeight when nobody says.
const defaultRecency = 0.3

func (v *View) hunt(who memory.Caller, what *memory.SearchRequest, now int64) (*hunt, error) {
	at, offset := v.at, 0
	if what.Cursor != "" {
		c, err := parseCursor(what.Cursor, searchFingerprint(what))
		if err != nil {
			return nil, err
		}
		at, offset = c.at, c.offset
	}
	if !what.KnownAt.IsZero() {
		at = min(at, micros(what.KnownAt))
	}
	s, err := newSieve(who, &what.Selection)
	if err != nil {
		return nil, err
	}
	s.asOf, s.now, s.everything = micros(what.AsOf), now, what.IncludeSuperseded
	limit := what.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	return &hunt{v.before(at), what, s, offset, limit}, nil
}

// poolLeast is how many candidates an arm brings at least: the mix needs a
// field to compare against.
const poolLeast = 200

func (h *hunt) run(ctx context.Context, q Question) (*memory.SearchResult, error) {
	vector := q.vector
	if q.generation != h.View.now.number {
		vector = nil // of another generation: the vectors have nothing to say to each other (I7)
	}
	want := h.offset + h.limit + 1
	pool := h.gather(vector, max(poolLeast, 3*want))
	ranked := pool.mix(h.weights(), h.prior(), h.bySmallerID)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ranked = atLeast(ranked, h.what.MinScore)
	res := &memory.SearchResult{Query: h.what.Query, Results: []memory.Hit{}}
	if h.offset < len(ranked) {
		page := ranked[h.offset:min(len(ranked), h.offset+h.limit)]
		hits, err := h.hits(page)
		if err != nil {
			return nil, err
		}
		res.Results = hits
	}
	res.Count = len(res.Results)
	if len(ranked) > h.offset+h.limit {
		res.Cursor = cursor{h.at, h.offset + h.limit}.String(searchFingerprint(h.what))
	}
	if h.what.TokenBudget > 0 {
		res.Context, res.Tokens, _ = contextBlock(res.Results, h.what.TokenBudget)
	}
	return res, nil
}

func (h *hunt) accept(doc uint32) bool {
	r := h.rows.at(doc)
	return r.seen(h.at, h.published) && h.sieve.passes(r)
}

func (h *hunt) uses(mode string) bool {
	return h.what.Mode == "" || h.what.Mode == memory.ModeHybrid || h.what.Mode == mode
}

// gather runs the arms. Each brings its best; none filters another.
func (h *hunt) gather(vector []float32, k int) *pool {
	p := newPool()
	if h.uses(memory.ModeSemantic) && vector != nil {
		for i, hit := range h.space.Search(vector, h.rows.count, h.accept, k) {
			if hit.Score > 0 { // at or below, the vectors have nothing in common
				p.add(armSemantic, hit.Doc, float64(hit.Score), i+1)
			}
		}
	}
	if h.uses(memory.ModeText) {
		for i, hit := range h.text.Search(h.textQuery(k)) {
			p.add(armText, hit.Doc, hit.Score, i+1)
		}
	}
	if h.uses(memory.ModeGraph) {
		for i, hit := range h.graph.Activate(h.activation(k)) {
			p.add(armGraph, hit.Doc, hit.Score, i+1)
		}
	}
	if h.uses(memory.ModeSemantic) && vector != nil {
		p.fillVectors(vector, h.space)
	}
	return p
}

func (h *hunt) activation(k int) graph.Activation {
	seeds := h.graph.Match(foldedWords(h.what.Query), h.rows.count, h.live)
	return graph.Activation{Seeds: seeds, Limit: h.rows.count, Live: h.live, Accept: h.accept, K: k}
}

// prior weighs a row by its age, half for every 30 days that it is older than
// the newest commit of the view (I6), and puts bare names in their place.
func (h *hunt) prior() func(doc uint32) prior {
	weight := defaultRecency
	if h.what.RecencyWeight != nil {
		weight = *h.what.RecencyWeight
	}
	named := h.bearers(h.what.Query)
	return func(doc uint32) prior {
		r := h.rows.at(doc)
		p := prior{recency: weight * recencyShare * halved(h.at-r.event)}
		switch {
		case named[r.id]:
			p.name = nameShare
		case r.kind == memory.Entity:
			p.name = -nameShare
		}
		return p
	}
}

func (h *hunt) bySmallerID(a, b uint32) int { return h.rows.at(a).id.Compare(h.rows.at(b).id) }

func atLeast(ranked []*candidate, least *float64) []*candidate {
	if least == nil {
		return ranked
	}
	for i, c := range ranked {
		if c.score < *least {
			return ranked[:i]
		}
	}
	return ranked
}
