package rest

import (
	"context"

	"loci/engine/memory"
	"loci/httpedge"
)

// maps is what the routes over the graph and over time need.
type maps interface {
	memory.Explorer
	Timeline(ctx context.Context, who memory.Caller, what *memory.TimelineRequest) (*memory.Page, error)
}

func exploreRoutes(service maps) []httpedge.Route {
	return []httpedge.Route{{
		Method: "GET", Path: "/api/entities", Scope: memory.ScopeRead,
		Handle: fromQuery(service.Entities),
		Doc: httpedge.Doc{
			ID: "listEntities", Group: "Explore", Summary: "List entities", Text: "cursor leads to the next page.",
			Query: memory.EntityQuery{}, Result: memory.EntityPage{}, Example: "entityType=person&limit=10",
		},
	}, {
		Method: "GET", Path: "/api/entities/{id}", Scope: memory.ScopeRead,
		Handle: lookAtEntity(service),
		Doc: httpedge.Doc{
			ID: "getEntity", Group: "Explore", Summary: "Get an entity", Text: "With its observations, its relations, and its neighbours within depth.",
			Query: memory.LookQuery{}, Result: memory.EntityView{}, Example: "depth=2", ExampleID: exampleID,
		},
	}, {
		Method: "GET", Path: "/api/graph", Scope: memory.ScopeRead,
		Handle: fromQuery(service.Graph),
		Doc: httpedge.Doc{
			ID: "graph", Group: "Explore", Summary: "Draw the graph around an entity", Text: "Nodes and edges for drawing.",
			Query: memory.GraphQuery{}, Result: memory.Drawing{}, Example: "entity=Ada&depth=2",
		},
	}, {
		Method: "GET", Path: "/api/timeline", Scope: memory.ScopeRead,
		Handle: fromQuery(service.Timeline),
		Doc: httpedge.Doc{
			ID: "timeline", Group: "Explore", Summary: "Read the timeline", Text: "Memories by the time they speak of.",
			Query: memory.TimelineRequest{}, Result: memory.Page{}, Example: "from=2026-01-01&to=2027-01-01&limit=10",
		},
	}}
}

func lookAtEntity(service memory.Explorer) func(*httpedge.Request) error {
	return func(r *httpedge.Request) error {
		id, err := r.ParamID("id")
		if err != nil {
			return err
		}
		var what memory.LookQuery
		if err := r.Query(&what); err != nil {
			return err
		}
		if err := check(&what); err != nil {
			return err
		}
		view, err := service.Look(r.Context(), r.Caller, id, &what)
		if err != nil {
			return err
		}
		return r.OK(view)
	}
}
