package embed

import (
	"sync/atomic"
	"time"

	"loci/engine/memory"
)

// Stats is what a [Pool] did and holds. Counters only rise.
type Stats struct {
	Passes, Texts, Tokens int64         // that went through the model
	Busy                  time.Duration // spent in the model, added up over workers

	CacheHits, CacheMisses int64 // queries

	Full   int64 // requests refused because there was no place
	Late   int64 // requests refused because their deadline was too near
	Gone   int64 // requests whose caller stopped waiting
	Failed int64 // texts the model had an error for
	Panics int64

	Workers                       int
	QueriesTaken, DocumentsTaken  int           // places, of MaxWaiting each
	QueryTokens, DocumentTokens   int           // waiting
	QueryTenants, DocumentTenants int           // that hold a place
	PerToken                      time.Duration // of one worker, by the last passes
}

// counts are the counters behind Stats.
type counts struct {
	passes, texts, tokens, busy      atomic.Int64
	hits, misses                     atomic.Int64
	full, late, gone, failed, panics atomic.Int64
}

// Stats reads the counters. They are not of one instant.
func (p *Pool) Stats() Stats {
	c := &p.counts
	s := Stats{
		Passes: c.passes.Load(), Texts: c.texts.Load(), Tokens: c.tokens.Load(),
		Busy:      time.Duration(c.busy.Load()),
		CacheHits: c.hits.Load(), CacheMisses: c.misses.Load(),
		Full: c.full.Load(), Late: c.late.Load(), Gone: c.gone.Load(),
		Failed: c.failed.Load(), Panics: c.panics.Load(),
		Workers: p.options.Workers,
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	queries, documents := &p.mu.lanes[memory.EmbedQuery], &p.mu.lanes[memory.EmbedDocument]
	s.QueriesTaken, s.QueryTokens, s.QueryTenants = queries.places, queries.tokens, len(queries.lines)
	s.DocumentsTaken, s.DocumentTokens, s.DocumentTenants = documents.places, documents.tokens, len(documents.lines)
	s.PerToken = p.mu.pace.of(1)
	return s
}

// pace is how fast passes went lately. It adds up tokens and time, the older
// by a sixteenth less with each pass, so that full passes count for more than
// the short ones of an idle pool, which cost more per token.
type pace struct{ tokens, nanos float64 }

func (c *pace) note(tokens int, took time.Duration) {
	const keep = 1 - 1.0/16
	c.tokens = c.tokens*keep + float64(tokens)
	c.nanos = c.nanos*keep + float64(took)
}

// of is how long one worker takes for the tokens; 0 before the first pass.
func (c *pace) of(tokens int) time.Duration {
	if c.tokens == 0 {
		return 0
	}
	return time.Duration(float64(tokens) * c.nanos / c.tokens)
}
