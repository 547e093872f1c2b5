package engine

import (
	"loci/engine/memory"
)

// hits reads the bodies of one page, all at one instant.
func (h *hunt) hits(page []*candidate) ([]memory.Hit, error) {
	snap := h.store.Read()
	defer snap.Close()
	marks := h.marks()
	hits := make([]memory.Hit, 0, len(page))
	for _, c := range page {
		r := h.rows.at(c.doc)
		m, err := readRecord(snap, r)
		if isNotFound(err) && r.erased.Load() != forever {
			continue // erased since the view was pinned
		}
		if err != nil {
			return nil, err
		}
		hits = append(hits, h.hit(c, m, marks))
	}
	return hits, nil
}

func (h *hunt) hit(c *candidate, m *memory.Memory, marks marker) memory.Hit {
	hit := memory.Hit{
		ID: m.ID, Type: m.Type, Content: m.Content, Title: m.Title, Score: c.score, MatchedBy: c.matchedBy(),
		Entities: orEmpty(h.named(m.Entities)), Tags: orEmpty(m.Tags), Project: m.Project, Category: m.Category,
		AgentID: m.AgentID, SessionID: m.SessionID, MemoryType: m.MemoryType, Confidence: m.Confidence,
		CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt, OccurredAt: m.OccurredAt, ValidFrom: m.ValidFrom, ValidTo: m.ValidTo,
		SupersededBy: m.SupersededBy, Source: m.Source, Metadata: m.Metadata, Highlights: marks.fragments(m.Content),
		Reasoning: m.Reasoning, Status: m.Status, EntityType: m.EntityType, EntityID: m.EntityID,
	}
	if h.what.Explain {
		hit.Scores = c.explain(h.weights())
	}
	return hit
}

// marks is what to mark in the results: the query's terms.
func (h *hunt) marks() marker {
	marks := marker{terms: map[string]bool{}, analyzer: h.kit.Analyzer}
	for _, term := range h.kit.Analyzer.Terms(h.what.Query, nil) {
		marks.terms[term] = true
	}
	return marks
}
