package engine

import (
	"context"

	"loci/engine/analysis"
	"loci/engine/memory"
)

// Entities lists entities, newest first.
func (v *View) Entities(ctx context.Context, who memory.Caller, what *memory.EntityQuery) (*memory.EntityPage, error) {
	after, err := parsePlace(what.Cursor)
	if err != nil {
		return nil, err
	}
	limit := what.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	named := v.bearers(what.Name)
	o := order{key: func(r *row) int64 { return r.created }, descending: true}
	rows := v.first(limit+1, o, after, func(r *row) bool {
		return r.kind == memory.Entity && who.Sees(r.project) && is(what.Project, r.project) && is(what.EntityType, r.sort) &&
			(named == nil || named[r.id]) && (what.AsOf.IsZero() || r.trueAt(micros(what.AsOf)))
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	page := &memory.EntityPage{Entities: []memory.EntityStub{}}
	if len(rows) > limit {
		rows = rows[:limit]
		page.Cursor = o.place(rows[limit-1]).String()
	}
	for _, r := range rows {
		page.Entities = append(page.Entities, v.stub(who, r))
	}
	page.Count = len(page.Entities)
	return page, nil
}

// bearers is who bears a name or alias; nil if no name is asked for.
func (v *View) bearers(name string) map[memory.ID]bool {
	if name == "" {
		return nil
	}
	named := map[memory.ID]bool{}
	for _, node := range v.graph.Named(analysis.NameKey(name), v.rows.count, v.live) {
		named[memory.ID(node)] = true
	}
	return named
}

func (v *View) stub(who memory.Caller, r *row) memory.EntityStub {
	mentions := 0
	for _, doc := range v.graph.Links(nodeOf(r.id), v.rows.count, v.live) {
		if linked := v.rows.at(doc); linked.id != r.id && who.Sees(linked.project) {
			mentions++
		}
	}
	return memory.EntityStub{ID: r.id, Name: r.name, EntityType: r.sort, Mentions: mentions}
}

// Look reads one entity with what is known of it.
func (v *View) Look(ctx context.Context, who memory.Caller, id memory.ID, what *memory.LookQuery) (*memory.EntityView, error) {
	r, err := v.visible(who, id)
	if err != nil || r.kind != memory.Entity {
		return nil, memory.Refuse(memory.NotFound, "no entity "+id.String())
	}
	asOf := micros(what.AsOf)
	rows := []*row{r}
	for _, doc := range v.graph.Links(nodeOf(id), v.rows.count, v.live) {
		o := v.rows.at(doc)
		if o.kind == memory.Observation && o.entity == id && who.Sees(o.project) && o.holds(asOf) {
			rows = append(rows, o)
		}
	}
	read, err := v.read(rows)
	if err != nil {
		return nil, err
	}
	if len(read) == 0 || read[0].ID != id {
		return nil, memory.Refuse(memory.NotFound, "no entity "+id.String())
	}
	view := &memory.EntityView{Entity: *read[0], Observations: []memory.Memory{}, Neighbours: []memory.EntityStub{}}
	for _, m := range read[1:] {
		view.Observations = append(view.Observations, *m)
	}
	walk := v.walk(who, r, max(1, what.Depth), drawMost, asOf)
	for _, reached := range walk.rows[1:] {
		view.Neighbours = append(view.Neighbours, v.stub(who, reached))
	}
	view.Relations, err = v.arrows(walk.edges, func(e *row) bool { return e.ends[0] == id || e.ends[1] == id })
	if err == nil {
		err = ctx.Err()
	}
	return view, err
}

// holds reports whether a row was true at asOf; without asOf every row does.
func (r *row) holds(asOf int64) bool { return asOf == none || r.trueAt(asOf) }

// drawMost is how many entities are reached when nobody says.
const drawMost = 100

// Graph draws the neighbourhood of an entity, given by id or name.
func (v *View) Graph(ctx context.Context, who memory.Caller, what *memory.GraphQuery) (*memory.Drawing, error) {
	start := v.byNameOrID(who, what.Entity)
	if start == nil {
		return nil, &memory.Error{
			Code: memory.NotFound, Detail: "no such entity",
			Fields: []memory.FieldError{{Field: "entity", Message: "names no entity"}},
		}
	}
	limit := what.Limit
	if limit == 0 {
		limit = drawMost
	}
	walk := v.walk(who, start, max(1, what.Depth), limit, micros(what.AsOf))
	drawing := &memory.Drawing{Nodes: []memory.EntityStub{}}
	for _, r := range walk.rows {
		drawing.Nodes = append(drawing.Nodes, v.stub(who, r))
	}
	edges, err := v.arrows(walk.edges, func(e *row) bool { return walk.reached[e.ends[0]] && walk.reached[e.ends[1]] })
	drawing.Edges = edges
	if err == nil {
		err = ctx.Err()
	}
	return drawing, err
}

func (v *View) byNameOrID(who memory.Caller, s string) *row {
	if id, err := memory.ParseID(s); err == nil {
		if r, err := v.visible(who, id); err == nil && r.kind == memory.Entity {
			return r
		}
		return nil
	}
	for _, node := range v.graph.Named(analysis.NameKey(s), v.rows.count, v.live) {
		if r, err := v.visible(who, memory.ID(node)); err == nil {
			return r
		}
	}
	return nil
}

// stroll is what a walk along relations reached, in breadth-first order.
type stroll struct {
	rows    []*row
	edges   []*row // relations met, each once
	reached map[memory.ID]bool
}

func (v *View) walk(who memory.Caller, start *row, depth, limit int, asOf int64) *stroll {
	w := &stroll{rows: []*row{start}, reached: map[memory.ID]bool{start.id: true}}
	met := map[uint32]bool{}
	for ring := w.rows; depth > 0 && len(ring) > 0; depth-- {
		var next []*row
		for _, at := range ring {
			for _, e := range v.graph.Edges(nodeOf(at.id), v.rows.count, v.live) {
				edge := v.rows.at(e.Doc)
				if met[e.Doc] || !who.Sees(edge.project) || !edge.holds(asOf) {
					continue
				}
				met[e.Doc] = true
				w.edges = append(w.edges, edge)
				next = w.reach(v, who, edge, limit, next)
			}
		}
		ring = next
	}
	return w
}

func (w *stroll) reach(v *View, who memory.Caller, edge *row, limit int, next []*row) []*row {
	for _, id := range edge.ends {
		r, err := v.visible(who, id)
		if err != nil || w.reached[id] || len(w.rows) >= limit {
			continue
		}
		w.reached[id] = true
		w.rows = append(w.rows, r)
		next = append(next, r)
	}
	return next
}

func (v *View) arrows(edges []*row, wanted func(*row) bool) ([]memory.Arrow, error) {
	var rows []*row
	for _, e := range edges {
		if wanted(e) {
			rows = append(rows, e)
		}
	}
	read, err := v.read(rows)
	arrows := []memory.Arrow{}
	for _, m := range read {
		from, to := v.find(m.From), v.find(m.To)
		if from == nil || to == nil {
			continue
		}
		arrows = append(arrows, memory.Arrow{
			ID: m.ID, From: m.From, FromName: from.name, To: m.To, ToName: to.name, RelationType: m.RelationType,
			Evidence: m.Content, Weight: m.Weight, ValidFrom: m.ValidFrom, ValidTo: m.ValidTo,
		})
	}
	return arrows, err
}
