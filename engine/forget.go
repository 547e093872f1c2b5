package engine

import (
	"fmt"

	"loci/engine/memory"
)

// Delete erases one memory with its history.
type Delete struct {
	outcome
	id   memory.ID
	when memory.Match
}

// NewDelete prepares an erasure.
func NewDelete(who memory.Caller, id memory.ID, when memory.Match) *Delete {
	return &Delete{outcome{who: who}, id, when}
}

func (w *Delete) stage(s *stage) error {
	r, err := s.seen(w.who, w.id)
	if err != nil {
		return err
	}
	if err := matches(w.when, r.version); err != nil {
		return err
	}
	_, err = s.forget(r)
	return err
}

// forget erases a record and what hangs on it: an entity takes its
// observations and relations along, and a memory that had been replaced by
// the erased one counts again. It says how many records are gone.
func (s *stage) forget(r *row) (int, error) {
	if !r.current() {
		return 0, nil
	}
	if err := s.reinstate(r); err != nil {
		return 0, err
	}
	s.erase(r)
	if r.kind != memory.Entity {
		return 1, nil
	}
	gone := 1
	for _, doc := range s.hanging(r.id) {
		if hung := s.rows.at(doc); hung.current() {
			s.erase(hung)
			gone++
		}
	}
	return gone, nil
}

// hanging lists the observations and relations of an entity.
func (s *stage) hanging(entity memory.ID) []uint32 {
	var docs []uint32
	for _, doc := range s.graph.Links(nodeOf(entity), s.rows.count, s.counts) {
		if r := s.rows.at(doc); r.kind == memory.Observation && r.entity == entity {
			docs = append(docs, doc)
		}
	}
	for _, e := range s.graph.Edges(nodeOf(entity), s.rows.count, s.counts) {
		docs = append(docs, e.Doc)
	}
	return docs
}

// reinstate gives the memory that r had replaced its validity back.
func (s *stage) reinstate(r *row) error {
	old := s.newest(r.supersedes)
	if old == nil || !old.current() || old.supersededBy != r.id {
		return nil
	}
	before := old
	for before != nil && before.superseded {
		before = before.prev
	}
	m, err := s.record(old)
	if err != nil {
		return err
	}
	m.SupersededBy = memory.ID{}
	if before != nil {
		m.ValidTo = fromMicros(before.validTo)
		if m.Type == memory.Decision {
			m.Status = memory.StatusAccepted
		}
	}
	return s.amend(m, old)
}

// Forget erases memories by id or by filter, or says what it would erase.
type Forget struct {
	outcome
	Result *memory.ForgetResult
	what   *memory.ForgetRequest
	filter memory.Filter
}

func (w *Forget) result() replayable { return w.Result }

// NewForget prepares an erasure of many.
func NewForget(who memory.Caller, what *memory.ForgetRequest) (*Forget, error) {
	w := &Forget{outcome: outcome{who: who}, what: what, Result: &memory.ForgetResult{}}
	if what.Filter == nil {
		return w, nil
	}
	filter, err := memory.ParseFilter(what.Filter.Selection.Filter)
	if err != nil {
		return nil, memory.BadField("filter.filter", err.Error())
	}
	w.filter = filter
	return w, nil
}

// listMost bounds the ids in an answer.
const listMost = 1000

func (w *Forget) stage(s *stage) error {
	rows, err := w.chosen(s)
	if err != nil {
		return err
	}
	res := w.Result
	res.DryRun, res.Count, res.Matched = w.what.Dry(), len(rows), []memory.ID{}
	for _, r := range rows[:min(len(rows), listMost)] {
		res.Matched = append(res.Matched, r.id)
	}
	if res.DryRun {
		res.Message = fmt.Sprintf("%d memories match. Nothing was erased: send dryRun false to erase them.", res.Count)
		return nil
	}
	for _, r := range rows {
		gone, err := s.forget(r)
		if err != nil {
			return err
		}
		res.Erased += gone
	}
	res.Message = fmt.Sprintf("%d memories erased.", res.Erased)
	return nil
}

// chosen finds the rows that are meant. An unknown id is an error before
// anything is erased: a caller that names ids wants to know.
func (w *Forget) chosen(s *stage) ([]*row, error) {
	var rows []*row
	if w.what.Filter == nil {
		for i, id := range w.what.IDs {
			r, err := s.seen(w.who, id)
			if err != nil {
				return nil, &memory.Error{
					Code: memory.NotFound, Detail: "no memory " + id.String(),
					Fields: []memory.FieldError{{Field: fmt.Sprintf("ids[%d]", i), Message: "names no memory"}},
				}
			}
			rows = append(rows, r)
		}
		return rows, nil
	}
	sieve := sieve{who: w.who, want: &w.what.Filter.Selection, filter: w.filter, everything: true}
	for doc := range s.rows.count {
		if r := s.rows.at(doc); r.current() && sieve.passes(r) {
			rows = append(rows, r)
		}
	}
	return rows, nil
}
