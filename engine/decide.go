package engine

import (
	"context"

	"loci/engine/memory"
)

// Decide is a decision to keep.
type Decide struct {
	outcome
	Result *memory.DecideResult

	what     *memory.DecideRequest
	decision *memory.Memory
	ready    *prepared
}

func (w *Decide) result() replayable { return w.Result }

// Decide prepares a decision, and looks for earlier ones like it.
func (v *View) Decide(ctx context.Context, who memory.Caller, what *memory.DecideRequest) (*Decide, error) {
	in, err := project(who, what.Project)
	if err != nil {
		return nil, err
	}
	m := &memory.Memory{
		Type: memory.Decision, Title: what.Title, Content: what.Decision, Reasoning: what.Reasoning,
		Alternatives: what.Alternatives, Status: or(what.Status, memory.StatusAccepted), Project: in,
		AgentID: what.AgentID, Tags: distinct(what.Tags), Confidence: what.Confidence, Metadata: what.Metadata,
		Supersedes: what.Supersedes, Source: memory.SourceUser,
	}
	ready, err := v.prepare(ctx, m)
	if err != nil {
		return nil, err
	}
	w := &Decide{outcome: outcome{who: who, basis: v.basis()}, what: what, decision: m, ready: ready[0], Result: &memory.DecideResult{}}
	w.Result.Related = v.relatedDecisions(who, w.ready.vector)
	return w, nil
}

func (w *Decide) stage(s *stage) error {
	var old *row
	if !w.what.Supersedes.IsZero() {
		found, err := s.seen(w.who, w.what.Supersedes)
		if err != nil || found.kind != memory.Decision {
			return noPredecessor()
		}
		old = found
	}
	m := w.decision
	m.ID = memory.NewIDAt(s.time())
	links, err := s.link(m, nil)
	if err != nil {
		return err
	}
	m.Entities = links
	if old != nil {
		if _, err := s.supersede(old, m); err != nil {
			return err
		}
	}
	w.Result.ID, w.Result.Message, w.Result.Links = m.ID, "Decided.", orEmpty(links)
	return s.create(m, w.ready)
}

// relatedScore is the least cosine at which an earlier decision is named.
const relatedScore, relatedMost = 0.5, 3

func (v *View) relatedDecisions(who memory.Caller, vector []float32) []memory.Related {
	related := []memory.Related{}
	if vector == nil {
		return related
	}
	accept := func(doc uint32) bool {
		r := v.rows.at(doc)
		return r.kind == memory.Decision && v.live(doc) && who.Sees(r.project)
	}
	snap := v.store.Read()
	defer snap.Close()
	for _, hit := range v.space.Search(vector, v.rows.count, accept, relatedMost) {
		if float64(hit.Score) < relatedScore {
			break
		}
		if m, err := readRecord(snap, v.rows.at(hit.Doc)); err == nil {
			related = append(related, memory.Related{ID: m.ID, Type: m.Type, Title: m.Title, Score: round6(float64(hit.Score))})
		}
	}
	return related
}
