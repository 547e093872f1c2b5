package engine

import (
	"encoding/json"
	"fmt"
	"math"
	"sync/atomic"

	"loci/engine/memory"
)

// row is what the partition keeps in memory of one version of one record: all
// that filters and ordering need, but not the text, which stays in storage.
// Only until and erased change after the row has been added.
type row struct {
	id      memory.ID
	doc     uint32
	version uint32
	kind    memory.Type
	prev    *row // the version before, nil for the first

	from   int64        // commit time of this version (I1)
	until  atomic.Int64 // commit time of the next version
	erased atomic.Int64 // commit time of the erasure

	created, event, validFrom, validTo int64
	superseded                         bool
	supersededBy, supersedes           memory.ID

	project, agent, session, category, memoryType string
	tags                                          []string
	metadata                                      map[string]any

	entity     memory.ID    // of an observation
	name, sort string       // of an entity: its name and its entityType
	ends       [2]memory.ID // of a relation
	links      []memory.ID
	length     int // terms in the text index
}

// seen is I1: at is the time looked at, now the time of the published view.
func (r *row) seen(at, now int64) bool {
	return r.from <= at && at < r.until.Load() && now < r.erased.Load()
}

// current reports whether the writer, who is ahead of every view, still
// counts this row.
func (r *row) current() bool { return r.until.Load() == forever && r.erased.Load() == forever }

func newRow(m *memory.Memory, prev *row, intern func(string) string) (*row, error) {
	r := &row{
		id: m.ID, version: m.Version, kind: m.Type, prev: prev, from: micros(m.UpdatedAt),
		created: micros(m.CreatedAt), event: micros(m.EventTime()), validFrom: micros(m.ValidFrom), validTo: micros(m.ValidTo),
		superseded: !m.SupersededBy.IsZero(), supersededBy: m.SupersededBy, supersedes: m.Supersedes,
		project: intern(m.Project), agent: intern(m.AgentID), session: intern(m.SessionID),
		category: intern(m.Category), memoryType: intern(m.MemoryType), entity: m.EntityID, ends: [2]memory.ID{m.From, m.To},
	}
	r.until.Store(forever)
	r.erased.Store(forever)
	for _, tag := range m.Tags {
		r.tags = append(r.tags, intern(tag))
	}
	for _, l := range m.Entities {
		r.links = append(r.links, l.EntityID)
	}
	if m.Type == memory.Entity {
		r.name, r.sort = m.Content, intern(m.EntityType)
	}
	if len(m.Metadata) > 0 {
		if err := json.Unmarshal(m.Metadata, &r.metadata); err != nil {
			return nil, fmt.Errorf("metadata of %s: %w", m.ID, err)
		}
	}
	return r, nil
}

const chunkRows = 1024

// table is the rows by doc. The writer appends; a reader holds a copy of the
// header and looks only at docs below its own count, which are never moved.
type table struct {
	chunks []*[chunkRows]*row
	count  uint32
}

func (t *table) add(r *row) error {
	if t.count == math.MaxUint32 {
		return fmt.Errorf("partition is full: %d rows", t.count)
	}
	if t.count%chunkRows == 0 {
		t.chunks = append(t.chunks, new([chunkRows]*row))
	}
	r.doc = t.count
	t.chunks[t.count/chunkRows][t.count%chunkRows] = r
	t.count++
	return nil
}

func (t *table) at(doc uint32) *row { return t.chunks[doc/chunkRows][doc%chunkRows] }
