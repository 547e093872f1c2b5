package actors

import (
	"context"
	"errors"

	"loci/engine"
	"loci/engine/memory"
)

// itemsPerPlace is how many items of a batch take one more place: a batch of
// 1,000 counts as 126 writes, so that 32 of them fill a queue of 4,096.
const itemsPerPlace = 8

// Learn remembers one thing.
func (s *System) Learn(ctx context.Context, who memory.Caller, what *memory.LearnRequest) (*memory.LearnResult, error) {
	w, err := carry(ctx, s, who, onePlace, func(*tenant) (*engine.Learn, error) { return s.kit.Learn(ctx, who, what) })
	if err != nil {
		return nil, err
	}
	return w.Result, nil
}

// LearnBatch remembers many things in one commit.
func (s *System) LearnBatch(ctx context.Context, who memory.Caller, what *memory.BatchRequest) (*memory.BatchResult, error) {
	places := onePlace + int64(len(what.Items)/itemsPerPlace)
	w, err := carry(ctx, s, who, places, func(*tenant) (*engine.LearnBatch, error) { return s.kit.LearnBatch(ctx, who, what) })
	if err != nil {
		return nil, err
	}
	return w.Result, nil
}

// Decide remembers a decision.
func (s *System) Decide(ctx context.Context, who memory.Caller, what *memory.DecideRequest) (*memory.DecideResult, error) {
	w, err := carry(ctx, s, who, onePlace, func(t *tenant) (*engine.Decide, error) {
		v, err := s.view(ctx, t)
		if err != nil {
			return nil, err
		}
		return s.kit.Decide(ctx, v, who, what)
	})
	if err != nil {
		return nil, err
	}
	return w.Result, nil
}

// Entity remembers an entity with its observations and relations.
func (s *System) Entity(ctx context.Context, who memory.Caller, what *memory.EntityRequest) (*memory.EntityResult, error) {
	w, err := carry(ctx, s, who, onePlace, func(*tenant) (*engine.EntityWrite, error) { return s.kit.Entity(ctx, who, what) })
	if err != nil {
		return nil, err
	}
	return w.Result, nil
}

// patchTries is how often a patch is prepared: it loses its race only to
// another change of the same memory.
const patchTries = 5

// Patch changes a memory. It is prepared on the version that is the newest now;
// if another change comes first, it is prepared again.
func (s *System) Patch(ctx context.Context, who memory.Caller, id memory.ID, when memory.Match, what *memory.PatchRequest) (*memory.Memory, error) {
	for range patchTries {
		w, err := s.patch(ctx, who, id, when, what)
		if err == nil {
			return w.Result, nil
		}
		if !errors.Is(err, engine.ErrStale) {
			return nil, err
		}
	}
	return nil, memory.Refuse(memory.Conflict, "the memory is being changed by others: read it and try again")
}

func (s *System) patch(ctx context.Context, who memory.Caller, id memory.ID, when memory.Match, what *memory.PatchRequest) (*engine.Patch, error) {
	return carry(ctx, s, who, onePlace, func(t *tenant) (*engine.Patch, error) {
		v, err := s.view(ctx, t)
		if err != nil {
			return nil, err
		}
		return s.kit.Patch(ctx, v, who, id, when, what)
	})
}

// Delete erases one memory with its history.
func (s *System) Delete(ctx context.Context, who memory.Caller, id memory.ID, when memory.Match) error {
	_, err := carry(ctx, s, who, onePlace, func(*tenant) (*engine.Delete, error) { return s.kit.Delete(who, id, when), nil })
	return err
}

// Forget erases many, or says what it would erase.
func (s *System) Forget(ctx context.Context, who memory.Caller, what *memory.ForgetRequest) (*memory.ForgetResult, error) {
	w, err := carry(ctx, s, who, onePlace, func(*tenant) (*engine.Forget, error) { return s.kit.Forget(who, what) })
	if err != nil {
		return nil, err
	}
	return w.Result, nil
}
