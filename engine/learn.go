package engine

import (
	"bytes"
	"context"
	"slices"

	"loci/engine/analysis"
	"loci/engine/memory"
)

// Learn is a fact to remember.
type Learn struct {
	outcome
	Result *memory.LearnResult

	what  *memory.LearnRequest
	fact  *memory.Memory
	ready *prepared
}

func (w *Learn) result() replayable { return w.Result }

// Learn prepares a fact. The request is the engine's own from now on.
func (v *View) Learn(ctx context.Context, who memory.Caller, what *memory.LearnRequest) (*Learn, error) {
	all, err := v.learns(ctx, who, what)
	if err != nil {
		return nil, err
	}
	return all[0], all[0].err
}

// learns prepares many facts with one call to the embedder. What is wrong
// with one of them stands in its Err.
func (v *View) learns(ctx context.Context, who memory.Caller, whats ...*memory.LearnRequest) ([]*Learn, error) {
	all := make([]*Learn, len(whats))
	facts := make([]*memory.Memory, len(whats))
	for i, what := range whats {
		all[i] = &Learn{outcome: outcome{who: who, basis: v.basis()}, what: what, Result: &memory.LearnResult{}}
		facts[i], all[i].err = factOf(who, what)
	}
	ready, err := v.prepare(ctx, facts...)
	if err != nil {
		return nil, err
	}
	for i, w := range all {
		w.fact, w.ready = facts[i], ready[i]
	}
	return all, nil
}

func factOf(who memory.Caller, what *memory.LearnRequest) (*memory.Memory, error) {
	in, err := project(who, what.Project)
	return &memory.Memory{
		Type: memory.Fact, Content: what.Content, Category: or(what.Category, memory.CategoryInsight),
		Tags: distinct(what.Tags), Project: in, AgentID: what.AgentID, SessionID: what.SessionID,
		Source: or(what.Source, memory.SourceUser), MemoryType: or(what.MemoryType, memory.MemoryTypeSemantic),
		Confidence: what.Confidence, Metadata: what.Metadata, OccurredAt: what.OccurredAt,
		ValidFrom: what.ValidFrom, ValidTo: what.ValidTo, Supersedes: what.Supersedes,
	}, err
}

func (w *Learn) stage(s *stage) error {
	if !w.what.Supersedes.IsZero() {
		return w.succeed(s)
	}
	if w.what.Dedupe != "off" {
		if same := w.same(s); same != nil {
			return w.again(s, same)
		}
	}
	return w.store(s, nil)
}

// succeed stores the fact in the place of another.
func (w *Learn) succeed(s *stage) error {
	old, err := s.seen(w.who, w.what.Supersedes)
	if err != nil || !old.kind.Searchable() {
		return noPredecessor()
	}
	return w.store(s, old)
}

func noPredecessor() error {
	return &memory.Error{
		Code: memory.NotFound, Detail: "the memory to supersede does not exist",
		Fields: []memory.FieldError{{Field: "supersedes", Message: "names no memory"}},
	}
}

func (w *Learn) store(s *stage, old *row) error {
	w.fact.ID = memory.NewIDAt(s.time())
	w.Result.Similar = s.similar(w.ready, func(r *row) bool { return w.who.Sees(r.project) })
	links, err := s.link(w.fact, w.what.Entities)
	if err != nil {
		return err
	}
	w.fact.Entities = links
	clashes := []memory.Clash{}
	if old != nil {
		found, err := s.supersede(old, w.fact)
		if err != nil {
			return err
		}
		clashes = append(clashes, found...)
	}
	w.answer(memory.Added, w.fact.ID, "Learned.", links)
	w.Result.Conflicts = clashes
	return s.create(w.fact, w.ready)
}

func (w *Learn) answer(did memory.Action, id memory.ID, message string, links []memory.Link) {
	r := w.Result
	r.Action, r.ID, r.Message, r.Links = did, id, message, orEmpty(links)
	r.Similar, r.Conflicts = orEmpty(r.Similar), orEmpty(r.Conflicts)
}

// match is a known fact that says the same.
type match struct {
	row   *row
	m     *memory.Memory
	exact bool // but for case, spacing and punctuation
}

// same looks for a fact that already says this: by its normalised text, else
// by its gist and its vector.
func (w *Learn) same(s *stage) *match {
	var near *match
	for _, r := range slices.Backward(s.known.byWords[w.ready.prints.words]) {
		if !r.current() || r.superseded || !w.who.Sees(r.project) {
			continue
		}
		m, err := s.record(r)
		if err != nil || !sameScope(m, w.fact) {
			continue
		}
		if w.isExact(m) {
			return &match{r, m, true}
		}
		if near == nil && w.isNear(s, r, m) {
			near = &match{r, m, false}
		}
	}
	return near
}

// sameScope keeps apart what was said in other projects, by other agents, or
// of other times: two equal words about two days are two facts.
func sameScope(a, b *memory.Memory) bool {
	return a.Project == b.Project && a.AgentID == b.AgentID && a.MemoryType == b.MemoryType &&
		(a.MemoryType != memory.MemoryTypeEpisodic || a.SessionID == b.SessionID) &&
		a.OccurredAt.Equal(b.OccurredAt) && a.ValidFrom.Equal(b.ValidFrom) && a.ValidTo.Equal(b.ValidTo)
}

// isExact compares the words, but for case, spacing and punctuation.
func (w *Learn) isExact(m *memory.Memory) bool {
	return analysis.Normal(m.Content) == analysis.Normal(w.fact.Content)
}

// nearScore is the least cosine between two texts of one gist.
const nearScore = 0.9

// isNear compares the stems in order, articles apart, and the vectors.
func (w *Learn) isNear(s *stage, r *row, m *memory.Memory) bool {
	gist := s.kit.Analyzer.Gist
	return slices.Equal(gist(m.Content, nil), gist(w.fact.Content, nil)) && s.cosine(w.ready.vector, r) >= nearScore
}

// again meets a known fact: what is new in the request is merged into it as a
// new version, so nothing that was said is lost; if nothing is new, nothing
// is written.
func (w *Learn) again(s *stage, known *match) error {
	score := s.cosine(w.ready.vector, known.row)
	w.Result.Similar = []memory.Similar{{ID: known.row.id, Score: score}}
	next := *known.m
	links, err := s.link(&next, w.what.Entities)
	if err != nil {
		return err
	}
	changed := w.merge(&next, links, known.exact)
	if !changed {
		w.answer(memory.Skipped, known.row.id, "Already known.", s.named(next.Entities))
		return nil
	}
	w.answer(memory.Updated, known.row.id, "Known in other words; updated.", s.named(next.Entities))
	if known.exact {
		w.Result.Message = "Known; what was new has been added to it."
		return s.amend(&next, known.row)
	}
	ready := s.kit.analyse(&next)
	ready.vector, ready.next = w.ready.vector, w.ready.next
	return s.replace(&next, ready)
}

func (w *Learn) merge(next *memory.Memory, links []memory.Link, exact bool) (changed bool) {
	if !exact {
		next.Content, changed = w.fact.Content, true
	}
	if tags := distinct(append(slices.Clone(next.Tags), w.fact.Tags...)); len(tags) != len(next.Tags) {
		next.Tags, changed = tags, true
	}
	if len(links) != len(next.Entities) {
		next.Entities, changed = links, true
	}
	if w.fact.Confidence != nil && (next.Confidence == nil || *next.Confidence != *w.fact.Confidence) {
		next.Confidence, changed = w.fact.Confidence, true
	}
	if w.what.Category != "" && w.what.Category != next.Category {
		next.Category, changed = w.what.Category, true
	}
	if merged := mergeObjects(next.Metadata, w.fact.Metadata); !bytes.Equal(merged, next.Metadata) {
		next.Metadata, changed = merged, true
	}
	return changed
}

// LearnBatch is many facts in one commit, each with an outcome of its own.
type LearnBatch struct {
	outcome
	Result *memory.BatchResult
	items  []*Learn
}

func (w *LearnBatch) result() replayable { return w.Result }

// LearnBatch prepares many facts.
func (v *View) LearnBatch(ctx context.Context, who memory.Caller, what *memory.BatchRequest) (*LearnBatch, error) {
	whats := make([]*memory.LearnRequest, len(what.Items))
	for i := range what.Items {
		whats[i] = &what.Items[i]
	}
	items, err := v.learns(ctx, who, whats...)
	return &LearnBatch{outcome: outcome{who: who, basis: v.basis()}, Result: &memory.BatchResult{}, items: items}, err
}

func (w *LearnBatch) stage(s *stage) error {
	w.Result.Results = make([]memory.BatchItem, len(w.items))
	for i, item := range w.items {
		if item.err == nil {
			item.err = s.carry(item)
		}
		w.Result.Results[i] = itemOf(item)
	}
	return nil
}

func itemOf(item *Learn) memory.BatchItem {
	if item.err == nil {
		return memory.BatchItem{LearnResult: item.Result}
	}
	e := memory.AsError(item.err)
	return memory.BatchItem{Error: &memory.ItemError{Code: e.Code, Detail: e.Detail, Errors: e.Fields}}
}
