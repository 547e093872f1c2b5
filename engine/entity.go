package engine

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"loci/engine/analysis"
	"loci/engine/memory"
)

// EntityWrite makes or extends an entity with observations and relations.
type EntityWrite struct {
	outcome
	Result *memory.EntityResult

	what   *memory.EntityRequest
	entity *memory.Memory
	seen   []*memory.Memory // observations
	ready  []*prepared      // of the entity, then of its observations
}

func (w *EntityWrite) result() replayable { return w.Result }

// Entity prepares an entity.
func (v *View) Entity(ctx context.Context, who memory.Caller, what *memory.EntityRequest) (*EntityWrite, error) {
	in, err := project(who, what.Project)
	if err != nil {
		return nil, err
	}
	w := &EntityWrite{outcome: outcome{who: who, basis: v.basis()}, what: what, Result: &memory.EntityResult{}}
	w.entity = &memory.Memory{
		Type: memory.Entity, Content: what.Name, EntityType: what.EntityType, Aliases: distinct(what.Aliases),
		Project: in, Metadata: what.Metadata, Source: memory.SourceUser,
	}
	for i := range what.Observations {
		w.seen = append(w.seen, observationOf(&what.Observations[i], in))
	}
	w.ready, err = v.prepare(ctx, append([]*memory.Memory{w.entity}, w.seen...)...)
	return w, err
}

func observationOf(o *memory.ObservationInput, project string) *memory.Memory {
	return &memory.Memory{
		Type: memory.Observation, Content: o.Content, Source: or(o.Source, memory.SourceUser), Project: project,
		ValidFrom: o.ValidFrom, ValidTo: o.ValidTo, Confidence: o.Confidence,
	}
}

func (w *EntityWrite) stage(s *stage) error {
	targets, err := w.targets(s)
	if err != nil {
		return err
	}
	if known := s.findEntity(w.what.Name, w.entity.Project); known != nil {
		w.Result.Action, w.Result.EntityID = memory.Updated, known.id
		err = w.extend(s, known)
	} else {
		w.entity.ID = memory.NewIDAt(s.time())
		w.Result.Action, w.Result.EntityID = memory.Created, w.entity.ID
		err = s.create(w.entity, w.ready[0])
	}
	if err == nil {
		err = w.observe(s)
	}
	if err == nil {
		err = w.relate(s, targets)
	}
	w.Result.Message = fmt.Sprintf("Entity %s: %d observations and %d relations added.",
		w.Result.Action, w.Result.ObservationsAdded, w.Result.RelationsAdded)
	return err
}

// targets checks the ids among the relations' ends before anything is
// written (I3). A name is resolved later: it can always be made.
func (w *EntityWrite) targets(s *stage) ([]*row, error) {
	found := make([]*row, len(w.what.Relations))
	for i, rel := range w.what.Relations {
		id, err := memory.ParseID(rel.To)
		if err != nil {
			continue
		}
		r, err := s.seen(w.who, id)
		if err != nil || r.kind != memory.Entity {
			return nil, &memory.Error{
				Code: memory.NotFound, Detail: "a relation points to an entity that does not exist",
				Fields: []memory.FieldError{{Field: fmt.Sprintf("relations[%d].to", i), Message: "names no entity"}},
			}
		}
		found[i] = r
	}
	return found, nil
}

// extend adds to a known entity what is new.
func (w *EntityWrite) extend(s *stage, known *row) error {
	m, err := s.record(known)
	if err != nil {
		return err
	}
	names := append(slices.Clone(m.Aliases), w.entity.Aliases...)
	if analysis.NameKey(w.what.Name) != analysis.NameKey(m.Content) {
		names = append(names, w.what.Name)
	}
	aliases := distinctNames(m.Content, names)
	metadata := mergeObjects(m.Metadata, w.entity.Metadata)
	retyped := m.EntityType != w.entity.EntityType
	if !retyped && len(aliases) == len(m.Aliases) && bytes.Equal(metadata, m.Metadata) {
		return nil
	}
	m.EntityType, m.Aliases, m.Metadata = w.entity.EntityType, aliases, metadata
	if retyped {
		ready := s.kit.analyse(m)
		ready.vector, ready.next = w.ready[0].vector, w.ready[0].next
		return s.replace(m, ready)
	}
	return s.amend(m, known)
}

// distinctNames drops aliases that read the same as the name or as another.
func distinctNames(name string, aliases []string) []string {
	seen := map[string]bool{analysis.NameKey(name): true}
	var kept []string
	for _, alias := range aliases {
		if key := analysis.NameKey(alias); !seen[key] {
			seen[key] = true
			kept = append(kept, alias)
		}
	}
	return kept
}

func (w *EntityWrite) observe(s *stage) error {
	known, err := w.observed(s)
	if err != nil {
		return err
	}
	for i, m := range w.seen {
		if key := observationKey(m); known[key] {
			continue
		} else {
			known[key] = true
		}
		m.ID, m.EntityID = memory.NewIDAt(s.time()), w.Result.EntityID
		m.Entities = []memory.Link{{EntityID: m.EntityID}}
		if err := s.create(m, w.ready[i+1]); err != nil {
			return err
		}
		w.Result.ObservationsAdded++
	}
	return nil
}

func observationKey(m *memory.Memory) string {
	return fmt.Sprint(analysis.Normal(m.Content), micros(m.ValidFrom), micros(m.ValidTo))
}

// observed collects what has been seen of the entity already.
func (w *EntityWrite) observed(s *stage) (map[string]bool, error) {
	known := map[string]bool{}
	if len(w.seen) == 0 {
		return known, nil
	}
	for _, doc := range s.graph.Links(nodeOf(w.Result.EntityID), s.rows.count, s.counts) {
		r := s.rows.at(doc)
		if r.kind != memory.Observation {
			continue
		}
		m, err := s.record(r)
		if err != nil {
			return nil, err
		}
		known[observationKey(m)] = true
	}
	return known, nil
}

func (w *EntityWrite) relate(s *stage, targets []*row) error {
	for i := range w.what.Relations {
		to := targets[i]
		if to == nil {
			made, err := s.entityNamed(w.what.Relations[i].To, w.entity.Project)
			if err != nil {
				return err
			}
			to = made
		}
		if err := w.arrow(s, &w.what.Relations[i], to); err != nil {
			return err
		}
	}
	return nil
}

// arrow adds a relation, or brings a known one (same ends, kind and start of
// validity) up to date.
func (w *EntityWrite) arrow(s *stage, rel *memory.RelationInput, to *row) error {
	next := &memory.Memory{
		Type: memory.Relation, Content: rel.Evidence, From: w.Result.EntityID, To: to.id, RelationType: rel.RelationType,
		Weight: 1, ValidFrom: rel.ValidFrom, ValidTo: rel.ValidTo, Project: w.entity.Project, Source: memory.SourceUser,
	}
	if rel.Weight != nil {
		next.Weight = *rel.Weight
	}
	known, err := w.knownArrow(s, next)
	if err != nil {
		return err
	}
	if known == nil {
		next.ID = memory.NewIDAt(s.time())
		w.Result.RelationsAdded++
		return s.create(next, &prepared{})
	}
	if known.Weight == next.Weight && known.ValidTo.Equal(next.ValidTo) && (next.Content == "" || known.Content == next.Content) {
		return nil
	}
	known.Weight, known.ValidTo, known.Content = next.Weight, next.ValidTo, or(next.Content, known.Content)
	return s.replace(known, &prepared{})
}

func (w *EntityWrite) knownArrow(s *stage, next *memory.Memory) (*memory.Memory, error) {
	for _, e := range s.graph.Edges(nodeOf(next.From), s.rows.count, s.counts) {
		if memory.ID(e.From) != next.From || memory.ID(e.To) != next.To {
			continue
		}
		m, err := s.record(s.rows.at(e.Doc))
		if err != nil {
			return nil, err
		}
		if m.RelationType == next.RelationType && m.ValidFrom.Equal(next.ValidFrom) {
			return m, nil
		}
	}
	return nil, nil
}
