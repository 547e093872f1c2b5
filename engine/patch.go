package engine

import (
	"context"
	"slices"

	"loci/engine/memory"
)

// Patch changes a memory; the version it had becomes history.
type Patch struct {
	outcome
	Result *memory.Memory

	what  *memory.PatchRequest
	when  memory.Match
	base  uint32 // the version it was prepared on
	next  *memory.Memory
	ready *prepared
}

// Patch prepares a change on the version that this view shows. If another
// write comes between, the write fails with [ErrStale] and is prepared again.
func (v *View) Patch(ctx context.Context, who memory.Caller, id memory.ID, when memory.Match, what *memory.PatchRequest) (*Patch, error) {
	m, err := v.Get(who, id)
	if err != nil {
		return nil, err
	}
	w := &Patch{outcome: outcome{who: who, basis: v.basis()}, what: what, when: when, base: m.Version, next: m}
	if err := matches(when, m.Version); err != nil {
		return nil, err
	}
	if err := w.apply(m); err != nil {
		return nil, err
	}
	ready, err := v.prepare(ctx, m)
	if err != nil {
		return nil, err
	}
	w.ready = ready[0]
	if m.Type == memory.Relation {
		w.ready.vector, w.ready.next = nil, nil
	}
	return w, nil
}

func matches(when memory.Match, version uint32) error {
	if when == nil || slices.Contains(when, version) {
		return nil
	}
	return memory.Refuse(memory.PreconditionFailed, "the memory has changed: If-Match does not name its present version")
}

func (w *Patch) stage(s *stage) error {
	r, err := s.seen(w.who, w.next.ID)
	if err != nil {
		return err
	}
	if r.version != w.base {
		if err := matches(w.when, r.version); err != nil {
			return err
		}
		return ErrStale
	}
	if w.next.Type == memory.Entity {
		if err := w.freeName(s, r); err != nil {
			return err
		}
	}
	if err := w.relink(s); err != nil {
		return err
	}
	w.Result = w.next
	return s.replace(w.next, w.ready)
}

// freeName refuses a name that another entity of the project bears: two
// entities of one name could not be told apart.
func (w *Patch) freeName(s *stage, r *row) error {
	for _, key := range nameKeys(w.next) {
		for _, node := range s.graph.Named(key, s.rows.count, s.counts) {
			other := s.newest(memory.ID(node))
			if other != nil && other.current() && other.id != r.id && other.project == w.next.Project {
				return memory.Refuse(memory.Conflict, "another entity bears this name: "+other.id.String())
			}
		}
	}
	return nil
}

func (w *Patch) relink(s *stage) error {
	m := w.next
	if m.Type == memory.Entity || m.Type == memory.Relation || m.Type == memory.Observation {
		return nil
	}
	if w.what.Entities.Given {
		m.Entities = nil
	}
	links, err := s.link(m, w.what.Entities.Value)
	m.Entities = links
	return err
}

// apply lays the request over the memory, and refuses what the kind does not
// have or must not lose.
func (w *Patch) apply(m *memory.Memory) error {
	if err := w.fits(m.Type); err != nil {
		return err
	}
	in, err := w.projectOf(m)
	if err != nil {
		return err
	}
	p := w.what
	m.Project = in
	set(&m.Content, p.Content)
	set(&m.Content, p.Decision)
	set(&m.Content, p.Name)
	set(&m.Title, p.Title)
	set(&m.Category, p.Category)
	set(&m.AgentID, p.AgentID)
	set(&m.SessionID, p.SessionID)
	set(&m.Source, p.Source)
	set(&m.MemoryType, p.MemoryType)
	set(&m.Confidence, p.Confidence)
	set(&m.OccurredAt, p.OccurredAt)
	set(&m.ValidFrom, p.ValidFrom)
	set(&m.ValidTo, p.ValidTo)
	set(&m.Metadata, p.Metadata)
	set(&m.Reasoning, p.Reasoning)
	set(&m.Alternatives, p.Alternatives)
	set(&m.Status, p.Status)
	set(&m.EntityType, p.EntityType)
	if p.Tags.Given {
		m.Tags = distinct(p.Tags.Value)
	}
	if p.Aliases.Given {
		m.Aliases = distinctNames(m.Content, p.Aliases.Value)
	}
	return sound(m)
}

func set[T any](to *T, f memory.Field[T]) {
	if f.Given {
		*to = f.Value
	}
}

func (w *Patch) projectOf(m *memory.Memory) (string, error) {
	if !w.what.Project.Given {
		return m.Project, nil
	}
	return project(w.who, w.what.Project.Value)
}

// sound checks what can only be judged on the whole memory.
func sound(m *memory.Memory) error {
	if !m.ValidFrom.IsZero() && !m.ValidTo.IsZero() && !m.ValidTo.After(m.ValidFrom) {
		return memory.BadField("validTo", "must be later than validFrom")
	}
	if m.Type == memory.Entity && len([]rune(m.Content)) > 200 {
		return memory.BadField("name", "has more than 200 characters")
	}
	return nil
}

// fits refuses fields that the kind does not have.
func (w *Patch) fits(kind memory.Type) error {
	p := w.what
	for _, f := range []struct {
		given bool
		name  string
		kinds []memory.Type
	}{
		{p.Title.Given, "title", []memory.Type{memory.Decision}},
		{p.Decision.Given, "decision", []memory.Type{memory.Decision}},
		{p.Reasoning.Given, "reasoning", []memory.Type{memory.Decision}},
		{p.Alternatives.Given, "alternatives", []memory.Type{memory.Decision}},
		{p.Status.Given, "status", []memory.Type{memory.Decision}},
		{p.EntityType.Given, "entityType", []memory.Type{memory.Entity}},
		{p.Name.Given, "name", []memory.Type{memory.Entity}},
		{p.Aliases.Given, "aliases", []memory.Type{memory.Entity}},
		{p.Entities.Given, "entities", []memory.Type{memory.Fact, memory.Message, memory.Decision}},
		{p.MemoryType.Given, "memoryType", []memory.Type{memory.Fact, memory.Message}},
	} {
		if f.given && !slices.Contains(f.kinds, kind) {
			return memory.BadField(f.name, "is no field of a memory of type "+string(kind))
		}
	}
	return nil
}
