package engine

import (
	"context"

	"loci/engine/memory"
)

// Ask is a search sent with an Idempotency-Key. What is kept under the key is
// not the answer but the moment it was given: asked again, the same view
// gives the same answer, and what has been erased since stays erased.
type Ask struct {
	outcome
	what     *memory.SearchRequest
	question Question
	ctx      context.Context // of this one request; it ends with it
	asked    askedAt
}

// askedAt is the moment of the first answer.
type askedAt struct {
	At, Now  int64
	replayed bool
}

func (a *askedAt) MarkReplayed() { a.replayed = true }

func (w *Ask) result() replayable { return &w.asked }

// Ask prepares a search that is to be answered once.
func (v *View) Ask(ctx context.Context, who memory.Caller, what *memory.SearchRequest) (*Ask, error) {
	question, err := v.Embed(ctx, what.Query)
	return &Ask{outcome: outcome{who: who}, what: what, question: question, ctx: ctx}, err
}

func (w *Ask) stage(s *stage) error {
	v := s.View()
	w.asked = askedAt{At: v.at, Now: v.moment()}
	return nil
}

// Answer runs the search, after the commit, on the caller's goroutine.
func (w *Ask) Answer(v *View) (*memory.SearchResult, error) {
	h, err := v.before(w.asked.At).hunt(w.who, w.what, w.asked.Now)
	if err != nil {
		return nil, err
	}
	res, err := h.run(w.ctx, w.question)
	if err == nil {
		res.Replayed = w.asked.replayed
	}
	return res, err
}
