package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"loci/engine/memory"
	"loci/storage"
)

// Partition is one tenant, opened.
type Partition struct {
	store *storage.Partition
	kit   Kit
	*indexes
	view atomic.Pointer[View]

	// Only the writer touches what follows.
	last   int64 // the newest commit time
	docs   int   // current searchable rows
	length int64 // and the sum of their lengths
	gone   int   // erased rows that are still in memory
	marked bool  // the embedder's mark is in storage
	sweep  int   // writes until expired answers are looked for again
}

// generation numbers the vectors of one embedder. There is one so far.
const generation = 1

// metaEmbedder names the key that says whose vectors these are.
const metaEmbedder = "embedder"

// mark is what is stored under metaEmbedder.
type mark struct {
	ID         string `json:"id"`
	Dim        int    `json:"dim"`
	Generation int    `json:"generation"`
}

// Open loads a tenant: it reads every record and builds the indexes anew.
func Open(ctx context.Context, store *storage.Partition, kit Kit) (*Partition, error) {
	snap := store.Read()
	defer snap.Close()
	return load(ctx, store, snap, kit)
}

func load(ctx context.Context, store *storage.Partition, snap *storage.Snapshot, kit Kit) (*Partition, error) {
	p := &Partition{store: store, kit: kit, indexes: newIndexes(kit.Embedder.Dim())}
	if err := p.loadMark(snap); err != nil {
		return nil, fmt.Errorf("open tenant %s: %w", store.Tenant(), err)
	}
	if err := p.loadRows(ctx, snap); err != nil {
		return nil, fmt.Errorf("open tenant %s: %w", store.Tenant(), err)
	}
	p.publish()
	return p, nil
}

// loadMark refuses vectors of another embedder: mixed vectors would find
// nothing and say nothing.
func (p *Partition) loadMark(snap *storage.Snapshot) error {
	raw, err := snap.Meta(metaEmbedder)
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	var m mark
	if err == nil {
		err = json.Unmarshal(raw, &m)
	}
	if err != nil {
		return fmt.Errorf("read the embedder's mark: %w", err)
	}
	if m.ID != p.kit.Embedder.ID() || m.Dim != p.kit.Embedder.Dim() {
		return fmt.Errorf("its vectors are of embedder %s (%d), this server has %s (%d)",
			m.ID, m.Dim, p.kit.Embedder.ID(), p.kit.Embedder.Dim())
	}
	p.marked = true
	return nil
}

type loaded struct {
	m      *memory.Memory
	vector []float32
}

// loadRows adds every version in the order of their commits, as they were
// added when they were written.
func (p *Partition) loadRows(ctx context.Context, snap *storage.Snapshot) error {
	all, err := readAll(ctx, snap, p.kit.Embedder.Dim())
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b loaded) int {
		return cmp.Or(a.m.UpdatedAt.Compare(b.m.UpdatedAt), a.m.ID.Compare(b.m.ID), cmp.Compare(a.m.Version, b.m.Version))
	})
	for _, l := range all {
		ready := p.kit.analyse(l.m)
		ready.vector = l.vector
		if _, err := p.take(l.m, ready); err != nil {
			return err
		}
	}
	return nil
}

func readAll(ctx context.Context, snap *storage.Snapshot, dim int) ([]loaded, error) {
	type version struct {
		id memory.ID
		n  uint32
	}
	vectors := map[version][]float32{}
	err := snap.Vectors(generation, func(id memory.ID, n uint32, packed []byte) error {
		if len(packed) != 2*dim {
			return fmt.Errorf("vector of %s version %d has %d bytes: %w", id, n, len(packed), errCorrupt)
		}
		vectors[version{id, n}] = unpackVector(packed)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	var all []loaded
	err = snap.Records(func(id memory.ID, n uint32, body []byte) error {
		m, err := decodeRecord(id, n, body)
		if err == nil {
			all = append(all, loaded{m, vectors[version{id, n}]})
			err = ctx.Err()
		}
		return err
	})
	return all, err
}

// take adds a version to the indexes and keeps the counts.
func (p *Partition) take(m *memory.Memory, ready *prepared) (*row, error) {
	prev := p.newest(m.ID)
	r, err := p.add(m, ready)
	if err != nil {
		return nil, err
	}
	if prev != nil {
		p.uncount(prev)
	}
	p.count(r)
	p.last = max(p.last, r.from)
	return r, nil
}

func (p *Partition) count(r *row) {
	if r.kind.Searchable() {
		p.docs++
		p.length += int64(r.length)
	}
}

func (p *Partition) uncount(r *row) {
	if r.kind.Searchable() {
		p.docs--
		p.length -= int64(r.length)
	}
}

// View is what readers see now.
func (p *Partition) View() *View { return p.view.Load() }

func (p *Partition) publish() {
	p.view.Store(&View{
		store: p.store, kit: p.kit, indexes: p.indexes, rows: p.rows,
		at: p.last, now: p.last, docs: p.docs, length: p.length,
	})
}

// Worn reports that most rows in memory have been erased: the partition
// should be opened anew.
func (p *Partition) Worn() bool { return p.gone > 1000 && p.gone > int(p.rows.count)/2 }
