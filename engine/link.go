package engine

import (
	"slices"

	"loci/engine/analysis"
	"loci/engine/graph"
	"loci/engine/memory"
)

// unknownType is the entityType of an entity of which only the name is known.
const unknownType = "unknown"

// maxLinks bounds the entities of one memory, named and found together.
const maxLinks = 64

// link ties a record to entities: those the caller named, which are made if
// need be, and those whose names stand in its text. What it was tied to
// before stays.
func (s *stage) link(m *memory.Memory, names []string) ([]memory.Link, error) {
	links := slices.Clone(s.named(m.Entities))
	for _, name := range names {
		node, err := s.entityNamed(name, m.Project)
		if err != nil {
			return nil, err
		}
		links = addLink(links, node)
	}
	for _, r := range s.mentioned(m) {
		links = addLink(links, r)
	}
	return links, nil
}

// mentioned finds the known entities whose names stand in the text. Most
// tenants know few names, and some none: those pay nothing.
func (s *stage) mentioned(m *memory.Memory) []*row {
	if s.graph.MaxNameWords() == 0 {
		return nil
	}
	var found []*row
	words := foldedWords(m.Title + "\n" + m.Content + "\n" + m.Reasoning)
	for _, node := range s.graph.Match(words, s.rows.count, s.counts) {
		if r := s.newest(memory.ID(node)); r != nil && r.current() && reaches(r.project, m.Project) {
			found = append(found, r)
		}
	}
	return found
}

// counts is the writer's own sight of a row.
func (s *stage) counts(doc uint32) bool { return s.rows.at(doc).current() }

// reaches reports whether an entity of one project may be linked in another:
// its own, or the common one.
func reaches(entity, project string) bool { return entity == "" || entity == project }

func addLink(links []memory.Link, entity *row) []memory.Link {
	known := slices.ContainsFunc(links, func(l memory.Link) bool { return l.EntityID == entity.id })
	if known || len(links) >= maxLinks {
		return links
	}
	return append(links, memory.Link{EntityID: entity.id, Name: entity.name})
}

// named fills in the names of links and drops entities that are gone.
func (s *stage) named(links []memory.Link) []memory.Link {
	kept := []memory.Link{}
	for _, l := range links {
		if r := s.newest(l.EntityID); r != nil && r.current() {
			kept = append(kept, memory.Link{EntityID: r.id, Name: r.name})
		}
	}
	return kept
}

// entityNamed finds an entity by name or alias, or makes one of which only
// the name is known.
func (s *stage) entityNamed(name, project string) (*row, error) {
	if r := s.findEntity(name, project); r != nil {
		return r, nil
	}
	m := &memory.Memory{
		ID: memory.NewIDAt(s.time()), Type: memory.Entity, Content: name, EntityType: unknownType, Project: project,
	}
	// No vector: a bare name is found by its words and by the graph, and
	// embedding it here would hold up the mailbox.
	if err := s.create(m, s.kit.analyse(m)); err != nil {
		return nil, err
	}
	return s.newest(m.ID), nil
}

// findEntity prefers the project's own entity to the common one.
func (s *stage) findEntity(name, project string) *row {
	var common *row
	for _, node := range s.graph.Named(analysis.NameKey(name), s.rows.count, s.counts) {
		r := s.newest(memory.ID(node))
		if r == nil || !r.current() {
			continue
		}
		if r.project == project {
			return r
		}
		if r.project == "" && common == nil {
			common = r
		}
	}
	return common
}

func nodeOf(id memory.ID) graph.Node { return graph.Node(id) }
