package actors

import (
	"context"

	"loci/engine"
	"loci/engine/memory"
	"loci/storage"
)

// write is what an actor needs to know of a write: engine.Write, less what only
// the engine needs.
type write interface {
	Err() error
	Fail(error)
}

// change is what a group of writes came to.
type change interface {
	Batch() *storage.Batch
	Empty() bool
}

// partition is one opened tenant as its actor sees it. All methods are called
// by the actor only.
type partition interface {
	View() *engine.View
	Stage(writes []write) change
	Publish(c change)
	Worn() bool
	Spent() bool
	Check(ctx context.Context) (*engine.Report, error)
}

// ground is what a system stands on; tests bring their own.
type ground struct {
	open func(ctx context.Context, t memory.TenantID) (partition, error)
	log  Log
	// health is nil, or why the store refuses writes.
	health func() error
}

func groundOf(store *storage.Store, o *Options) ground {
	log := o.Log
	if log == nil {
		log = localLog{store}
	}
	open := func(ctx context.Context, t memory.TenantID) (partition, error) {
		p, err := engine.Open(ctx, store.Partition(t), o.Kit)
		if err != nil {
			return nil, err
		}
		return &opened{Partition: p}, nil
	}
	return ground{open, log, store.Err}
}

// opened is the real partition.
type opened struct {
	*engine.Partition
	writes []engine.Write // scratch
}

func (o *opened) Stage(writes []write) change {
	o.writes = o.writes[:0]
	for _, w := range writes {
		o.writes = append(o.writes, w.(engine.Write))
	}
	defer func() { clear(o.writes) }() // hold on to no request
	return o.Partition.Stage(o.writes)
}

func (o *opened) Publish(c change) { o.Partition.Publish(c.(*engine.Change)) }
