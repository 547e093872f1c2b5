package engine

import (
	"errors"
	"fmt"
	"time"

	"loci/engine/memory"
	"loci/storage"
)

// Change is what a group of writes came to: one batch for storage, and rows
// that wait in the indexes for their commit.
type Change struct {
	batch *storage.Batch
	at    int64
}

// Batch is what must be durable before [Partition.Publish].
func (c *Change) Batch() *storage.Batch { return c.batch }

// Empty reports that there is nothing to commit.
func (c *Change) Empty() bool { return c.batch.Empty() }

// Stage carries out writes in order, each seeing what those before it did,
// into one change. A write that is refused leaves nothing behind (I3) and
// says why in its Err.
func (p *Partition) Stage(writes []Write) *Change {
	s := p.newStage()
	defer s.close()
	for _, w := range writes {
		if w.Err() != nil {
			continue
		}
		if err := s.run(w); err != nil {
			w.Fail(err)
		}
	}
	s.sweepAnswers()
	return &Change{s.batch, s.at}
}

// Publish makes a committed change visible.
func (p *Partition) Publish(c *Change) {
	p.last = c.at
	p.publish()
	c.batch.Close()
}

// stage is the working state of one change.
type stage struct {
	*Partition
	at    int64 // the commit time
	batch *storage.Batch
	fresh map[recordKey]*memory.Memory // staged here, not on disk yet
	once  map[[32]byte]*answer
	snap  *storage.Snapshot // opened when first needed
	buf   []byte
}

type recordKey struct {
	id      memory.ID
	version uint32
}

func (p *Partition) newStage() *stage {
	return &stage{
		Partition: p, batch: p.store.NewBatch(),
		// Times rise even when the clock does not (I1).
		at:    max(p.kit.now().UnixMicro(), p.last+1),
		fresh: map[recordKey]*memory.Memory{}, once: map[[32]byte]*answer{},
	}
}

func (s *stage) close() {
	if s.snap != nil {
		_ = s.snap.Close()
	}
}

func (s *stage) disk() *storage.Snapshot {
	if s.snap == nil {
		s.snap = s.store.Read()
	}
	return s.snap
}

func (s *stage) time() time.Time { return fromMicros(s.at) }

// create stages a new record.
func (s *stage) create(m *memory.Memory, ready *prepared) error {
	m.Version = 1
	m.CreatedAt = s.time()
	return s.put(m, ready)
}

// replace stages a new version of a record; the old one becomes history.
func (s *stage) replace(m *memory.Memory, ready *prepared) error {
	m.Version++
	return s.put(m, ready)
}

func (s *stage) put(m *memory.Memory, ready *prepared) error {
	m.UpdatedAt = s.time()
	if _, err := s.take(m, ready); err != nil {
		return err
	}
	s.stamp()
	s.buf = encodeRecord(s.buf[:0], m)
	s.batch.PutRecord(m.ID, m.Version, s.buf)
	if ready.vector != nil {
		s.buf = packVector(s.buf[:0], ready.vector)
		s.batch.PutVector(s.now.number, m.ID, m.Version, s.buf)
	}
	if ready.next != nil && s.next != nil {
		s.putNext(m.ID, m.Version, ready.next)
	}
	s.fresh[recordKey{m.ID, m.Version}] = m
	return nil
}

// stamp writes with the first record whose vectors there are.
func (s *stage) stamp() {
	if !s.marked {
		s.batch.PutMeta(metaEmbedder, s.now.mark())
		s.marked = true
	}
}

// putNext stages a vector of the next generation.
func (s *stage) putNext(id memory.ID, version uint32, vector []float32) {
	if !s.begun {
		s.batch.PutMeta(metaNext, s.next.mark())
		s.begun = true
	}
	s.buf = packVector(s.buf[:0], vector)
	s.batch.PutVector(s.next.number, id, version, s.buf)
}

// amend stages a new version that differs in fields without weight for the
// embedder: the vector stays, the terms are analysed again. A vector of the
// next generation is left to the one who is making it.
func (s *stage) amend(m *memory.Memory, old *row) error {
	ready := s.kit.analyse(m)
	ready.vector = s.space.Vector(old.doc)
	return s.replace(m, ready)
}

// record reads one version: from this change, else from storage.
func (s *stage) record(r *row) (*memory.Memory, error) {
	if m, ok := s.fresh[recordKey{r.id, r.version}]; ok {
		copied := *m
		return &copied, nil
	}
	return readRecord(s.disk(), r)
}

func readRecord(snap *storage.Snapshot, r *row) (*memory.Memory, error) {
	body, err := snap.Record(r.id, r.version)
	if err != nil {
		return nil, err
	}
	return decodeRecord(r.id, r.version, body)
}

// seen finds the current row of a record that the caller may see, or says
// that there is none: another project's record reads as absent.
func (s *stage) seen(who memory.Caller, id memory.ID) (*row, error) {
	r := s.newest(id)
	if r == nil || !r.current() || !who.Sees(r.project) {
		return nil, notFound(id)
	}
	return r, nil
}

func notFound(id memory.ID) *memory.Error {
	return memory.Refuse(memory.NotFound, "no memory "+id.String())
}

// erase removes every version of a record from storage and from view.
func (s *stage) erase(r *row) {
	if r.current() {
		s.uncount(r)
	}
	for v := r; v != nil; v = v.prev {
		s.batch.DeleteRecord(v.id, v.version)
		if s.space.Vector(v.doc) != nil {
			s.batch.DeleteVector(s.now.number, v.id, v.version)
		}
		if s.next != nil {
			s.batch.DeleteVector(s.next.number, v.id, v.version)
		}
		v.erased.Store(s.at)
		s.gone++
		delete(s.fresh, recordKey{v.id, v.version})
	}
}

// supersede marks old as replaced by the record next, from its start of
// validity on. An old one that was replaced before keeps its first successor;
// the clash is reported.
func (s *stage) supersede(old *row, next *memory.Memory) ([]memory.Clash, error) {
	if old.superseded {
		reason := fmt.Sprintf("%s was already superseded by %s", old.id, old.supersededBy)
		return []memory.Clash{{ID: old.supersededBy, Reason: reason}}, nil
	}
	m, err := s.record(old)
	if err != nil {
		return nil, err
	}
	m.SupersededBy = next.ID
	if next.ValidFrom.IsZero() {
		next.ValidFrom = s.time() // else both would be true before it
	}
	if m.ValidTo.IsZero() || m.ValidTo.After(next.ValidFrom) {
		m.ValidTo = next.ValidFrom
	}
	if m.Type == memory.Decision {
		m.Status = memory.StatusSuperseded
	}
	return nil, s.amend(m, old)
}

// project settles the project of a write: a credential bound to one writes
// nowhere else.
func project(who memory.Caller, asked string) (string, error) {
	switch {
	case who.Project == "" || asked == who.Project:
		return asked, nil
	case asked == "":
		return who.Project, nil
	}
	return "", &memory.Error{
		Code: memory.Forbidden, Detail: "this key is bound to another project",
		Fields: []memory.FieldError{{Field: "project", Message: "is not the project of this key"}},
	}
}

// ErrStale says that a write was prepared on a version that is no longer the
// newest: prepare it again.
var ErrStale = errors.New("prepared on an older version")
