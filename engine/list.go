package engine

import (
	"cmp"
	"container/heap"
	"context"
	"slices"

	"loci/engine/memory"
)

// List gives memories newest first.
func (v *View) List(ctx context.Context, who memory.Caller, what *memory.ListRequest) (*memory.Page, error) {
	s, err := newSieve(who, &what.Selection)
	if err != nil {
		return nil, err
	}
	if !what.KnownAt.IsZero() {
		v = v.before(micros(what.KnownAt))
	}
	s.asOf, s.now = micros(what.AsOf), v.moment()
	s.everything = what.IncludeSuperseded == nil || *what.IncludeSuperseded
	newest := order{key: func(r *row) int64 { return r.created }, descending: true}
	return v.page(ctx, s, newest, what.Cursor, what.Limit)
}

// Timeline gives memories by the time they speak of, earliest first.
func (v *View) Timeline(ctx context.Context, who memory.Caller, what *memory.TimelineRequest) (*memory.Page, error) {
	want := memory.Selection{Project: what.Project, DateRangeStart: what.From, DateRangeEnd: what.To}
	s, err := newSieve(who, &want)
	if err != nil {
		return nil, err
	}
	s.everything = true
	earliest := order{key: func(r *row) int64 { return r.event }}
	return v.page(ctx, s, earliest, what.Cursor, what.Limit)
}

// order sorts rows by a key, ties by id in the same direction.
type order struct {
	key        func(*row) int64
	descending bool
}

func (o order) compare(a, b place) int {
	c := cmp.Or(cmp.Compare(a.key, b.key), a.id.Compare(b.id))
	if o.descending {
		return -c
	}
	return c
}

func (o order) place(r *row) place { return place{o.key(r), r.id} }

func (v *View) page(ctx context.Context, s *sieve, o order, cursor string, limit int) (*memory.Page, error) {
	after, err := parsePlace(cursor)
	if err != nil {
		return nil, err
	}
	if limit == 0 {
		limit = defaultLimit
	}
	rows := v.first(limit+1, o, after, s.passes)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	page := &memory.Page{Memories: []memory.Memory{}}
	if len(rows) > limit {
		rows = rows[:limit]
		page.Cursor = o.place(rows[limit-1]).String()
	}
	read, err := v.read(rows)
	if err != nil {
		return nil, err
	}
	for _, m := range read {
		page.Memories = append(page.Memories, *m)
	}
	page.Count = len(page.Memories)
	return page, nil
}

// first finds the first k live rows behind a place: one pass with a heap of
// k, so that a page of a large tenant needs no sort of everything.
func (v *View) first(k int, o order, after *place, passes func(*row) bool) []*row {
	best := &rowHeap{order: o}
	for doc := range v.rows.count {
		r := v.rows.at(doc)
		if after != nil && o.compare(o.place(r), *after) <= 0 {
			continue
		}
		if len(best.rows) == k && o.compare(o.place(r), o.place(best.rows[0])) >= 0 {
			continue
		}
		if !r.seen(v.at, v.published) || !passes(r) {
			continue
		}
		heap.Push(best, r)
		if len(best.rows) > k {
			heap.Pop(best)
		}
	}
	slices.SortFunc(best.rows, func(a, b *row) int { return o.compare(o.place(a), o.place(b)) })
	return best.rows
}

// rowHeap keeps the last of the rows, in its order, on top.
type rowHeap struct {
	order
	rows []*row
}

func (h *rowHeap) Len() int { return len(h.rows) }
func (h *rowHeap) Less(i, j int) bool {
	return h.compare(h.place(h.rows[i]), h.place(h.rows[j])) > 0
}
func (h *rowHeap) Swap(i, j int) { h.rows[i], h.rows[j] = h.rows[j], h.rows[i] }
func (h *rowHeap) Push(x any)    { h.rows = append(h.rows, x.(*row)) }
func (h *rowHeap) Pop() any {
	last := h.rows[len(h.rows)-1]
	h.rows = h.rows[:len(h.rows)-1]
	return last
}
