package engine

import (
	"sync"

	"loci/engine/analysis"
	"loci/engine/graph"
	"loci/engine/hnsw"
	"loci/engine/inverted"
	"loci/engine/memory"
)

// indexes is everything in memory that finds rows: one writer, many readers,
// append-only.
type indexes struct {
	rows  table
	byID  sync.Map // memory.ID -> *row, the newest version
	text  *inverted.Index
	space *hnsw.Flat
	graph *graph.Graph

	// Only the writer touches what follows.
	interned map[string]string
	known    known
}

func newIndexes(dim int) *indexes {
	return &indexes{
		text: inverted.New(), space: hnsw.NewFlat(dim), graph: graph.New(),
		interned: map[string]string{}, known: newKnown(),
	}
}

// intern keeps one copy of each label: a tenant has few projects, agents,
// tags and categories, and many rows.
func (x *indexes) intern(s string) string {
	if kept, ok := x.interned[s]; ok {
		return kept
	}
	if len(x.interned) < 1<<16 {
		x.interned[s] = s
	}
	return s
}

// newest finds the row of the newest version, staged ones included.
func (x *indexes) newest(id memory.ID) *row {
	if r, ok := x.byID.Load(id); ok {
		return r.(*row)
	}
	return nil
}

// prepared is what the arms need of a record's text; it is made outside the
// mailbox.
type prepared struct {
	vector []float32 // of the generation in use; nil: the record has none
	next   []float32 // of the next generation, if there is one
	terms  []string
	prints prints // of a fact: what duplicates are recognised by
}

// add takes one version of a record into every index.
func (x *indexes) add(m *memory.Memory, p *prepared) (*row, error) {
	prev := x.newest(m.ID)
	r, err := newRow(m, prev, x.intern)
	if err != nil {
		return nil, err
	}
	r.length = len(p.terms)
	if err := x.rows.add(r); err != nil {
		return nil, err
	}
	if prev != nil {
		prev.until.Store(r.from)
	}
	if m.Type.Searchable() {
		x.text.Add(r.doc, p.terms)
	}
	if p.vector != nil {
		x.space.Add(r.doc, p.vector)
	}
	x.addToGraph(m, r)
	x.known.add(r, p.prints)
	x.byID.Store(m.ID, r)
	return r, nil
}

func (x *indexes) addToGraph(m *memory.Memory, r *row) {
	switch m.Type {
	case memory.Entity:
		for _, key := range nameKeys(m) {
			x.graph.AddName(key, graph.Node(m.ID), r.doc)
		}
		x.graph.AddLink(graph.Node(m.ID), r.doc)
	case memory.Relation:
		x.graph.AddEdge(graph.Node(m.From), graph.Node(m.To), m.Weight, r.doc)
	case memory.Observation:
		x.graph.AddLink(graph.Node(m.EntityID), r.doc)
	}
	for _, l := range m.Entities {
		if l.EntityID != m.EntityID {
			x.graph.AddLink(graph.Node(l.EntityID), r.doc)
		}
	}
}

// nameKeys lists the keys under which an entity is known, each once.
func nameKeys(m *memory.Memory) []string {
	keys := []string{analysis.NameKey(m.Content)}
	seen := map[string]bool{keys[0]: true}
	for _, alias := range m.Aliases {
		if key := analysis.NameKey(alias); !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	return keys
}
