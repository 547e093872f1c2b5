package engine

import (
	"cmp"
	"context"
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
	now  generation  // whose vectors searches use
	next *generation // whose vectors the tenant is being given; nil: none
	view atomic.Pointer[View]

	// Only the writer touches what follows.
	last   int64 // the newest commit time
	docs   int   // current searchable rows
	length int64 // and the sum of their lengths
	gone   int   // erased rows that are still in memory
	marked bool  // the mark of the generation in use is in storage
	begun  bool  // so is that of the next
	spent  bool  // the generation was switched: open anew before the next write
	sweep  int   // writes until expired answers are looked for again
}

// Open loads a tenant: it reads every record and builds the indexes anew.
func Open(ctx context.Context, store *storage.Partition, kit Kit) (*Partition, error) {
	snap := store.Read()
	defer snap.Close()
	return load(ctx, store, snap, kit)
}

func load(ctx context.Context, store *storage.Partition, snap *storage.Snapshot, kit Kit) (*Partition, error) {
	p := &Partition{store: store, kit: kit}
	if err := p.findGenerations(snap); err != nil {
		return nil, fmt.Errorf("open tenant %s: %w", store.Tenant(), err)
	}
	p.indexes = newIndexes(p.now.dim)
	if err := p.loadRows(ctx, snap); err != nil {
		return nil, fmt.Errorf("open tenant %s: %w", store.Tenant(), err)
	}
	p.publish()
	return p, nil
}

type loaded struct {
	m      *memory.Memory
	vector []float32
}

// loadRows adds every version in the order of their commits, as they were
// added when they were written.
func (p *Partition) loadRows(ctx context.Context, snap *storage.Snapshot) error {
	all, err := readAll(ctx, snap, &p.now)
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

func readAll(ctx context.Context, snap *storage.Snapshot, g *generation) ([]loaded, error) {
	type version struct {
		id memory.ID
		n  uint32
	}
	vectors := map[version][]float32{}
	err := snap.Vectors(g.number, func(id memory.ID, n uint32, packed []byte) error {
		if len(packed) != 2*g.dim {
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
		store: p.store, kit: p.kit, now: p.now, next: p.next, indexes: p.indexes, rows: p.rows,
		at: p.last, published: p.last, docs: p.docs, length: p.length,
	})
}

// Worn reports that most rows in memory have been erased: the partition
// should be opened anew.
func (p *Partition) Worn() bool { return p.gone > 1000 && p.gone > int(p.rows.count)/2 }

// Spent reports that the generation of vectors was switched: the partition
// must be opened anew before it takes another write.
func (p *Partition) Spent() bool { return p.spent }
