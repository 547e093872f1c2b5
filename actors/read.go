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

// ask is read with a question that must be embedded first, for the view that
// it is then asked of, and before a slot is taken.
func ask[T any](ctx context.Context, s *System, who memory.Caller, text string, run func(*engine.View, engine.Question) (T, error)) (found T, err error) {
	t, err := s.enterRead(who.Tenant)
	if err != nil {
		return found, err
	}
	defer t.gate.leave(oneRead)
	v, err := s.view(ctx, t)
	if err != nil {
		return found, err
	}
	question, err := s.embed(ctx, t, v, text)
	if err != nil {
		return found, err
	}
	if err := s.takeSlot(ctx); err != nil {
		return found, err
	}
	defer s.slots.give()
	defer s.caught(t.id, &err)
	found, err = run(v, question)
	return found, readable(ctx, err)
}

func (s *System) embed(ctx context.Context, t *tenant, v *engine.View, text string) (q engine.Question, err error) {
	defer s.caught(t.id, &err)
	if text == "" {
		return engine.Question{}, nil
	}
	q, err = v.Embed(ctx, text)
	return q, readable(ctx, err)
}

// Search finds the memories that answer a question best.
func (s *System) Search(ctx context.Context, who memory.Caller, what *memory.SearchRequest) (*memory.SearchResult, error) {
	if who.Once.Key != "" {
		return s.searchOnce(ctx, who, what)
	}
	text := what.Query
	if what.Mode == memory.ModeText || what.Mode == memory.ModeGraph {
		text = "" // these need no vector
	}
	return ask(ctx, s, who, text, func(v *engine.View, q engine.Question) (*memory.SearchResult, error) {
		return v.Search(ctx, who, what, q)
	})
}

// searchOnce notes, by a write, when the question was first asked; the answer
// is then that of that moment.
func (s *System) searchOnce(ctx context.Context, who memory.Caller, what *memory.SearchRequest) (*memory.SearchResult, error) {
	asked, err := carry(ctx, s, who, onePlace, func(v *engine.View) (*engine.Ask, error) { return v.Ask(ctx, who, what) })
	if err != nil {
		return nil, err
	}
	return read(ctx, s, who, asked.Answer)
}

// Context makes one block for a prompt.
func (s *System) Context(ctx context.Context, who memory.Caller, what *memory.ContextRequest) (*memory.ContextResult, error) {
	text := engine.ContextQuery(what).Query
	return ask(ctx, s, who, text, func(v *engine.View, q engine.Question) (*memory.ContextResult, error) {
		return v.Context(ctx, who, what, q)
	})
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
