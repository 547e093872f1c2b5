package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"loci/engine/graph"
	"loci/engine/memory"
	"loci/storage"
)

// Report is what a check found. No problems means that storage is sound and,
// for a live tenant, that every index agrees with it.
type Report struct {
	Tenant    memory.TenantID `json:"tenant"`
	Records   int             `json:"records"`
	Versions  int             `json:"versions"`
	Vectors   int             `json:"vectors"`
	Terms     int             `json:"terms"`
	Entities  int             `json:"entities"`
	Relations int             `json:"relations"`
	Problems  []string        `json:"problems"`
}

// problemsMost bounds a report: after that many the case is clear.
const problemsMost = 100

func (r *Report) problem(format string, args ...any) {
	if len(r.Problems) < problemsMost {
		r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
	}
}

// CheckStored examines a tenant at rest: every key and body, and that the
// records agree with one another.
func CheckStored(ctx context.Context, store *storage.Partition, kit Kit) (*Report, error) {
	snap := store.Read()
	defer snap.Close()
	report := &Report{Tenant: store.Tenant(), Problems: []string{}}
	_, err := examine(ctx, store, snap, kit, report)
	return report, err
}

// Check examines a live tenant: what is in storage, and that the indexes in
// memory hold exactly that (I4). The tenant's actor calls it between commits.
func (p *Partition) Check(ctx context.Context) (*Report, error) {
	snap := p.store.Read()
	defer snap.Close()
	report := &Report{Tenant: p.store.Tenant(), Problems: []string{}}
	fresh, err := examine(ctx, p.store, snap, p.kit, report)
	if err == nil && fresh != nil {
		compareIndexes(p.indexes, fresh.indexes, report)
		if p.docs != fresh.docs || p.length != fresh.length {
			report.problem("statistics: %d documents of length %d in memory, %d of %d in storage", p.docs, p.length, fresh.docs, fresh.length)
		}
	}
	return report, err
}

// examine reads everything and gives the partition built from it; nil if it
// cannot be built, which is then a problem and not an error.
func examine(ctx context.Context, store *storage.Partition, snap *storage.Snapshot, kit Kit, report *Report) (*Partition, error) {
	if _, err := snap.Verify(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		report.problem("storage: %v", err)
		return nil, nil
	}
	fresh, err := load(ctx, store, snap, kit)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		report.problem("records: %v", err)
		return nil, nil
	}
	fresh.countInto(report)
	fresh.checkVersions(report)
	fresh.checkTies(report)
	return fresh, fresh.checkVectors(snap, report)
}

func (p *Partition) countInto(report *Report) {
	for doc := range p.rows.count {
		r := p.rows.at(doc)
		report.Versions++
		if !r.current() {
			continue
		}
		report.Records++
		switch r.kind {
		case memory.Entity:
			report.Entities++
		case memory.Relation:
			report.Relations++
		}
	}
	p.text.Each(p.rows.count, func(string, []uint32, []uint16) bool { report.Terms++; return true })
}

// checkVersions holds that the versions of a record run from 1 without a gap,
// in the order of their commits.
func (p *Partition) checkVersions(report *Report) {
	for doc := range p.rows.count {
		switch r := p.rows.at(doc); {
		case r.prev == nil && r.version != 1:
			report.problem("%s: its history begins at version %d", r.id, r.version)
		case r.prev != nil && r.version != r.prev.version+1:
			report.problem("%s: version %d comes after %d", r.id, r.version, r.prev.version)
		}
	}
}

// checkTies holds that what a record leans on is there.
func (p *Partition) checkTies(report *Report) {
	exists := func(id memory.ID, kind memory.Type) bool {
		r := p.newest(id)
		return r != nil && (kind == "" || r.kind == kind)
	}
	for doc := range p.rows.count {
		r := p.rows.at(doc)
		if !r.current() {
			continue
		}
		if r.kind == memory.Observation && !exists(r.entity, memory.Entity) {
			report.problem("%s: observes an entity that does not exist: %s", r.id, r.entity)
		}
		if r.kind == memory.Relation && (!exists(r.ends[0], memory.Entity) || !exists(r.ends[1], memory.Entity)) {
			report.problem("%s: relates an entity that does not exist", r.id)
		}
		if r.superseded && !exists(r.supersededBy, "") {
			report.problem("%s: superseded by a memory that does not exist: %s", r.id, r.supersededBy)
		}
	}
}

// checkVectors holds that every vector belongs to a version, and that every
// version that must have one does.
func (p *Partition) checkVectors(snap *storage.Snapshot, report *Report) error {
	err := snap.Vectors(p.now.number, func(id memory.ID, version uint32, _ []byte) error {
		report.Vectors++
		r := p.newest(id)
		for r != nil && r.version != version {
			r = r.prev
		}
		if r == nil {
			report.problem("%s: a vector of version %d without its record", id, version)
		}
		return nil
	})
	for doc := range p.rows.count {
		r := p.rows.at(doc)
		needs := r.kind != memory.Relation && r.kind != memory.Entity && p.now.embedder != nil
		if needs && p.space.Vector(doc) == nil {
			report.problem("%s: version %d has no vector", r.id, r.version)
		}
	}
	return err
}

// compareIndexes holds two sets of indexes against each other. Docs differ
// between them, so each entry is named by its record and version, and each
// list is compared as a sum that does not depend on order.
func compareIndexes(live, fresh *indexes, report *Report) {
	for _, part := range []struct {
		name string
		sum  func(*indexes) map[string]uint64
	}{
		{"rows", sumRows}, {"postings", sumPostings}, {"vectors", sumVectors},
		{"names", sumNames}, {"links", sumLinks}, {"relations", sumEdges},
	} {
		compareSums(part.name, part.sum(live), part.sum(fresh), report)
	}
}

func compareSums(name string, live, fresh map[string]uint64, report *Report) {
	for _, key := range slices.Sorted(maps.Keys(live)) {
		if _, ok := fresh[key]; !ok {
			report.problem("%s: %s is in memory but not in storage", name, key)
		} else if live[key] != fresh[key] {
			report.problem("%s: %s differs between memory and storage", name, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(fresh)) {
		if _, ok := live[key]; !ok {
			report.problem("%s: %s is in storage but not in memory", name, key)
		}
	}
}

// kept calls yield for every row that has not been erased.
func (x *indexes) kept(yield func(*row)) {
	for doc := range x.rows.count {
		if r := x.rows.at(doc); r.erased.Load() == forever {
			yield(r)
		}
	}
}

func (r *row) tag() string { return fmt.Sprintf("%s/%d", r.id, r.version) }

func sumText(s string) uint64 {
	sum := sumOf(s)
	var n uint64
	for _, b := range sum[:8] {
		n = n<<8 | uint64(b)
	}
	return n
}

func sumRows(x *indexes) map[string]uint64 {
	sums := map[string]uint64{}
	x.kept(func(r *row) {
		sums[r.tag()] = sumText(fmt.Sprint(r.kind, r.from, r.until.Load(), r.created, r.event, r.validFrom, r.validTo, r.supersededBy,
			r.supersedes, r.project, r.agent, r.session, r.category, r.memoryType, r.tags, r.metadata, r.entity, r.name, r.sort, r.ends, r.links, r.length))
	})
	return sums
}

func sumPostings(x *indexes) map[string]uint64 {
	sums := map[string]uint64{}
	x.text.Each(x.rows.count, func(term string, docs []uint32, freqs []uint16) bool {
		for i, doc := range docs {
			if r := x.rows.at(doc); r.erased.Load() == forever {
				sums[term] += sumText(fmt.Sprint(r.tag(), freqs[i]))
			}
		}
		return true
	})
	return sums
}

func sumVectors(x *indexes) map[string]uint64 {
	sums := map[string]uint64{}
	x.kept(func(r *row) {
		if v := x.space.Vector(r.doc); v != nil {
			sums[r.tag()] = sumText(string(packVector(nil, v)))
		}
	})
	return sums
}

func sumNames(x *indexes) map[string]uint64 {
	sums := map[string]uint64{}
	x.graph.EachName(x.rows.count, func(key string, entity graph.Node, doc uint32) bool {
		if r := x.rows.at(doc); r.erased.Load() == forever {
			sums[key] += sumText(fmt.Sprint(entity, r.tag()))
		}
		return true
	})
	return sums
}

func sumLinks(x *indexes) map[string]uint64 {
	sums := map[string]uint64{}
	x.graph.EachLink(x.rows.count, func(entity graph.Node, doc uint32) bool {
		if r := x.rows.at(doc); r.erased.Load() == forever {
			sums[memory.ID(entity).String()] += sumText(r.tag())
		}
		return true
	})
	return sums
}

func sumEdges(x *indexes) map[string]uint64 {
	sums := map[string]uint64{}
	x.graph.EachEdge(x.rows.count, func(e graph.Edge) bool {
		if r := x.rows.at(e.Doc); r.erased.Load() == forever {
			sums[r.tag()] += sumText(fmt.Sprint(e.From, e.To, e.Weight))
		}
		return true
	})
	return sums
}
