package actors

import (
	"context"

	"loci/engine"
	"loci/engine/memory"
)

// read runs a read on the caller's goroutine, on the view that is the newest
// when its turn comes. A tenant that sleeps is woken before a slot is taken: a
// tenant that loads slowly must not hold up the reads of others.
func read[T any](ctx context.Context, s *System, who memory.Caller, run func(*engine.View) (T, error)) (found T, err error) {
	t, err := s.enterRead(who.Tenant)
	if err != nil {
		return found, err
	}
	defer t.gate.leave(oneRead)
	if _, err := s.view(ctx, t); err != nil {
		return found, err
	}
	if err := s.takeSlot(ctx); err != nil {
		return found, err
	}
	defer s.slots.give()
	return guarded(ctx, s, t, run)
}

func (s *System) takeSlot(ctx context.Context) error {
	err := s.slots.take(ctx, s.life.Done())
	if err != nil && ctx.Err() == nil {
		s.count.refusedReads.Add(1)
	}
	return err
}

// guarded runs a read; its panic is an answer like any other.
func guarded[T any](ctx context.Context, s *System, t *tenant, run func(*engine.View) (T, error)) (found T, err error) {
	defer s.caught(t.id, &err)
	found, err = run(t.view.Load())
	return found, readable(ctx, err)
}

// embed turns a question into a vector, before a slot is taken.
func (s *System) embed(ctx context.Context, who memory.Caller, text string) (vector []float32, err error) {
	defer s.caught(who.Tenant, &err)
	vector, err = s.kit.EmbedQuery(ctx, text)
	return vector, readable(ctx, err)
}

// Search finds the memories that answer a question best.
func (s *System) Search(ctx context.Context, who memory.Caller, what *memory.SearchRequest) (*memory.SearchResult, error) {
	if who.Once.Key != "" {
		return s.searchOnce(ctx, who, what)
	}
	var vector []float32
	if what.Mode != memory.ModeText && what.Mode != memory.ModeGraph {
		var err error
		if vector, err = s.embed(ctx, who, what.Query); err != nil {
			return nil, err
		}
	}
	return read(ctx, s, who, func(v *engine.View) (*memory.SearchResult, error) { return v.Search(ctx, who, what, vector) })
}

// searchOnce notes, by a write, when the question was first asked; the answer
// is then that of that moment.
func (s *System) searchOnce(ctx context.Context, who memory.Caller, what *memory.SearchRequest) (*memory.SearchResult, error) {
	asked, err := carry(ctx, s, who, onePlace, func(*tenant) (*engine.Ask, error) { return s.kit.Ask(ctx, who, what) })
	if err != nil {
		return nil, err
	}
	return read(ctx, s, who, asked.Answer)
}

// Context makes one block for a prompt.
func (s *System) Context(ctx context.Context, who memory.Caller, what *memory.ContextRequest) (*memory.ContextResult, error) {
	vector, err := s.embed(ctx, who, engine.ContextQuery(what).Query)
	if err != nil {
		return nil, err
	}
	return read(ctx, s, who, func(v *engine.View) (*memory.ContextResult, error) { return v.Context(ctx, who, what, vector) })
}

// Get reads one memory.
func (s *System) Get(ctx context.Context, who memory.Caller, id memory.ID) (*memory.Memory, error) {
	return read(ctx, s, who, func(v *engine.View) (*memory.Memory, error) { return v.Get(who, id) })
}

// History reads every version of a memory.
func (s *System) History(ctx context.Context, who memory.Caller, id memory.ID) (*memory.History, error) {
	return read(ctx, s, who, func(v *engine.View) (*memory.History, error) { return v.History(who, id) })
}

// List reads memories, newest first.
func (s *System) List(ctx context.Context, who memory.Caller, what *memory.ListRequest) (*memory.Page, error) {
	return read(ctx, s, who, func(v *engine.View) (*memory.Page, error) { return v.List(ctx, who, what) })
}

// Timeline reads memories by the time they speak of.
func (s *System) Timeline(ctx context.Context, who memory.Caller, what *memory.TimelineRequest) (*memory.Page, error) {
	return read(ctx, s, who, func(v *engine.View) (*memory.Page, error) { return v.Timeline(ctx, who, what) })
}

// Entities reads entities.
func (s *System) Entities(ctx context.Context, who memory.Caller, what *memory.EntityQuery) (*memory.EntityPage, error) {
	return read(ctx, s, who, func(v *engine.View) (*memory.EntityPage, error) { return v.Entities(ctx, who, what) })
}

// Look reads one entity with what is known of it.
func (s *System) Look(ctx context.Context, who memory.Caller, id memory.ID, what *memory.LookQuery) (*memory.EntityView, error) {
	return read(ctx, s, who, func(v *engine.View) (*memory.EntityView, error) { return v.Look(ctx, who, id, what) })
}

// Graph draws the surroundings of an entity.
func (s *System) Graph(ctx context.Context, who memory.Caller, what *memory.GraphQuery) (*memory.Drawing, error) {
	return read(ctx, s, who, func(v *engine.View) (*memory.Drawing, error) { return v.Graph(ctx, who, what) })
}
