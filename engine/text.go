package engine

import (
	"context"
	"strings"

	"loci/engine/memory"
)

// searchText is what the text arm reads of a record, beside its tags. A
// decision's title counts twice: it is what people ask for.
func searchText(m *memory.Memory) string {
	if m.Type == memory.Fact {
		return m.Content
	}
	var b strings.Builder
	line := func(s string) {
		if s != "" {
			b.WriteString(s)
			b.WriteByte('\n')
		}
	}
	line(m.Title)
	line(m.Title)
	line(m.Content)
	line(m.Reasoning)
	for _, a := range m.Alternatives {
		line(a)
	}
	line(m.EntityType)
	for _, a := range m.Aliases {
		line(a)
	}
	return b.String()
}

// meaningText is what the embedder reads of a record.
func meaningText(m *memory.Memory) string {
	switch m.Type {
	case memory.Decision:
		return m.Title + ". " + m.Content + " " + m.Reasoning
	case memory.Entity:
		return m.Content + " " + m.EntityType
	}
	return m.Content
}

// analyse reads a record for the text arm and for duplicates. Relations are
// arrows, not text.
func (k Kit) analyse(m *memory.Memory) *prepared {
	if !m.Type.Searchable() {
		return &prepared{}
	}
	terms := k.Analyzer.Terms(searchText(m), nil)
	p := &prepared{prints: printsOf(m, terms)}
	for _, tag := range m.Tags {
		terms = k.Analyzer.Terms(tag, terms)
	}
	p.terms = terms
	return p
}

// prepare analyses and embeds records, outside the mailbox, for the
// generations that the view knows.
func (v *View) prepare(ctx context.Context, records ...*memory.Memory) ([]*prepared, error) {
	texts := make([]string, len(records))
	all := make([]*prepared, len(records))
	for i, m := range records {
		texts[i], all[i] = meaningText(m), v.kit.analyse(m)
	}
	if v.now.embedder != nil {
		vectors, err := v.vectorsOf(ctx, v.now.embedder, texts, memory.EmbedDocument)
		if err != nil {
			return nil, err
		}
		for i := range all {
			all[i].vector = vectors[i]
		}
	}
	if v.next != nil {
		vectors, err := v.vectorsOf(ctx, v.next.embedder, texts, memory.EmbedDocument)
		if err != nil {
			return nil, err
		}
		for i := range all {
			all[i].next = vectors[i]
		}
	}
	return all, nil
}
