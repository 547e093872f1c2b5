package engine

import (
	"context"
	"errors"
	"fmt"

	"loci/engine/memory"
	"loci/storage"
)

// Outdated reports that the tenant's vectors are of another embedder than the
// chosen one.
func (v *View) Outdated() bool { return v.next != nil }

// Reembedding gives a tenant vectors of its next generation, step by step,
// beside its ordinary work. It needs no memory of its own: what is done is
// what is stored, so it goes on after a restart where it was. Searches use the
// old vectors until [Switch].
type Reembedding struct {
	view  *View
	todo  []*row
	total int
}

// stepRecords is how many records one step embeds: a commit of 64 vectors is
// small, and a step is short enough to stop within a second.
const stepRecords = 64

// Reembedding finds out what is left to be done.
func (v *View) Reembedding(ctx context.Context) (*Reembedding, error) {
	snap := v.store.Read()
	defer snap.Close()
	r := &Reembedding{view: v}
	todo, total, err := v.withoutNext(ctx, snap)
	r.todo, r.total = todo, total
	return r, err
}

// withoutNext lists the rows that have no vector of the next generation. Every
// version counts: the older ones answer knownAt.
func (v *View) withoutNext(ctx context.Context, snap *storage.Snapshot) (todo []*row, total int, err error) {
	done := map[recordKey]bool{}
	err = snap.Vectors(v.next.number, func(id memory.ID, version uint32, packed []byte) error {
		done[recordKey{id, version}] = len(packed) == 2*v.next.dim
		return ctx.Err()
	})
	for doc := range v.rows.count {
		r := v.rows.at(doc)
		if !r.kind.Searchable() || r.erased.Load() != forever {
			continue
		}
		total++
		if !done[recordKey{r.id, r.version}] {
			todo = append(todo, r)
		}
	}
	return todo, total, err
}

// Progress says how many records have their new vector, of how many.
func (r *Reembedding) Progress() (done, total int) { return r.total - len(r.todo), r.total }

// Step embeds the next records and gives the write that stores their vectors;
// nil when nothing is left.
func (r *Reembedding) Step(ctx context.Context) (*Reembed, error) {
	if len(r.todo) == 0 {
		return nil, nil
	}
	rows := r.todo[:min(stepRecords, len(r.todo))]
	w := &Reembed{generation: r.view.next.number}
	texts := make([]string, 0, len(rows))
	snap := r.view.store.Read()
	defer snap.Close()
	for _, row := range rows {
		m, err := readRecord(snap, row)
		if isNotFound(err) && row.erased.Load() != forever {
			continue
		}
		if err != nil {
			return nil, err
		}
		w.rows, texts = append(w.rows, row), append(texts, meaningText(m))
	}
	vectors, err := r.view.vectorsOf(ctx, r.view.next.embedder, texts, memory.EmbedDocument)
	if err != nil {
		return nil, err
	}
	w.vectors, r.todo = vectors, r.todo[len(rows):]
	return w, nil
}

// Reembed stores vectors of the next generation.
type Reembed struct {
	outcome
	generation uint16
	rows       []*row
	vectors    [][]float32
}

// Count is how many records it holds.
func (w *Reembed) Count() int { return len(w.rows) }

func (w *Reembed) stage(s *stage) error {
	if s.next == nil || s.next.number != w.generation {
		return ErrStale
	}
	for i, r := range w.rows {
		if r.erased.Load() == forever {
			s.putNext(r.id, r.version, w.vectors[i])
		}
	}
	return nil
}

// ErrUnfinished says that not every record has its new vector yet.
var ErrUnfinished = errors.New("not everything is embedded anew")

// Switch makes the next generation the one in use, in one commit: the mark
// changes and the old vectors go. The partition is then spent and must be
// opened anew.
type Switch struct{ outcome }

// NewSwitch prepares the switch.
func NewSwitch() *Switch { return &Switch{} }

func (w *Switch) stage(s *stage) error {
	if s.next == nil {
		return nil // somebody was faster
	}
	if err := s.complete(); err != nil {
		return err
	}
	s.batch.PutMeta(metaEmbedder, s.next.mark())
	s.batch.DeleteMeta(metaNext)
	s.spent = true
	return s.dropOld()
}

// dropOld removes the vectors of the generation in use, and of any that was
// begun after it and left.
func (s *stage) dropOld() error {
	for g := s.now.number; g < s.next.number; g++ {
		err := s.disk().Vectors(g, func(id memory.ID, version uint32, _ []byte) error {
			s.batch.DeleteVector(g, id, version)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// complete looks at storage, and at nothing staged here: if a write of this
// very group is still without its vector, the switch comes a little later.
func (s *stage) complete() error {
	if !s.batch.Empty() {
		return ErrUnfinished
	}
	todo, total, err := s.View().withoutNext(context.Background(), s.disk())
	if err != nil {
		return err
	}
	if len(todo) > 0 {
		return fmt.Errorf("%d of %d records are left: %w", len(todo), total, ErrUnfinished)
	}
	return nil
}
