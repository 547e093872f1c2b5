package actors

import (
	"context"

	"loci/engine"
	"loci/engine/memory"
)

// itemsPerPlace is how many items of a batch take one more place: a batch of
// 1,000 counts as 63 writes, so that 65 of them fill a queue of 4,096, and 256
// clients that send batches of 100 find room.
const itemsPerPlace = 16

// Learn remembers one thing.
func (s *System) Learn(ctx context.Context, who memory.Caller, what *memory.LearnRequest) (*memory.LearnResult, error) {
	w, err := carry(ctx, s, who, onePlace, func(v *engine.View) (*engine.Learn, error) { return v.Learn(ctx, who, what) })
	if err != nil {
		return nil, err
	}
	return w.Result, nil
}

// LearnBatch remembers many things in one commit.
func (s *System) LearnBatch(ctx context.Context, who memory.Caller, what *memory.BatchRequest) (*memory.BatchResult, error) {
	places := onePlace + int64(len(what.Items)/itemsPerPlace)
	w, err := carry(ctx, s, who, places, func(v *engine.View) (*engine.LearnBatch, error) { return v.LearnBatch(ctx, who, what) })
	if err != nil {
		return nil, err
	}
	return w.Result, nil
}

// Decide remembers a decision.
func (s *System) Decide(ctx context.Context, who memory.Caller, what *memory.DecideRequest) (*memory.DecideResult, error) {
	w, err := carry(ctx, s, who, onePlace, func(v *engine.View) (*engine.Decide, error) { return v.Decide(ctx, who, what) })
	if err != nil {
		return nil, err
	}
	return w.Result, nil
}

// Entity remembers an entity with its observations and relations.
func (s *System) Entity(ctx context.Context, who memory.Caller, what *memory.EntityRequest) (*memory.EntityResult, error) {
	w, err := carry(ctx, s, who, onePlace, func(v *engine.View) (*engine.EntityWrite, error) { return v.Entity(ctx, who, what) })
	if err != nil {
		return nil, err
	}
	return w.Result, nil
}

// Patch changes a memory, prepared on the version that is the newest now.
func (s *System) Patch(ctx context.Context, who memory.Caller, id memory.ID, when memory.Match, what *memory.PatchRequest) (*memory.Memory, error) {
	w, err := carry(ctx, s, who, onePlace, func(v *engine.View) (*engine.Patch, error) { return v.Patch(ctx, who, id, when, what) })
	if err != nil {
		return nil, err
	}
	return w.Result, nil
}

// Delete erases one memory with its history.
func (s *System) Delete(ctx context.Context, who memory.Caller, id memory.ID, when memory.Match) error {
	_, err := carry(ctx, s, who, onePlace, func(*engine.View) (*engine.Delete, error) { return engine.NewDelete(who, id, when), nil })
	return err
}

// Forget erases many, or says what it would erase.
func (s *System) Forget(ctx context.Context, who memory.Caller, what *memory.ForgetRequest) (*memory.ForgetResult, error) {
	w, err := carry(ctx, s, who, onePlace, func(*engine.View) (*engine.Forget, error) { return engine.NewForget(who, what) })
	if err != nil {
		return nil, err
	}
	return w.Result, nil
}
