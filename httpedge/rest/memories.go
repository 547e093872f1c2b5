package rest

import (
	"loci/engine/memory"
	"loci/httpedge"
)

// books is what the routes over single memories need.
type books interface {
	memory.Browser
	memory.Editor
}

func memoryRoutes(service books) []httpedge.Route {
	return []httpedge.Route{{
		Method: "GET", Path: "/api/memories", Scope: memory.ScopeRead,
		Handle: fromQuery(service.List),
		Doc: httpedge.Doc{
			ID: "listMemories", Group: "Memories", Summary: "List memories", Text: "Newest first. cursor leads to the next page.",
			Query: memory.ListRequest{}, Result: memory.Page{}, Example: "types=fact,decision&limit=10",
		},
	}, {
		Method: "GET", Path: "/api/memories/{id}", Scope: memory.ScopeRead,
		Handle: getMemory(service),
		Doc: httpedge.Doc{
			ID: "getMemory", Group: "Memories", Summary: "Get a memory", Text: "Its ETag is its version.",
			Result: memory.Memory{}, ETag: true, ExampleID: exampleID,
		},
	}, {
		Method: "PATCH", Path: "/api/memories/{id}", Scope: memory.ScopeWrite,
		Handle: patchMemory(service),
		Doc: httpedge.Doc{
			ID: "patchMemory", Group: "Memories", Summary: "Change a memory",
			Text: "Changes what is named and leaves the rest; null clears. The version before stays in the history.",
			Body: memory.PatchRequest{}, Result: memory.Memory{}, Match: true, ExampleID: exampleID,
			Example: `{"content":"Ada prefers green tea.","tags":["drinks","tea"],"validTo":null}`,
		},
	}, {
		Method: "DELETE", Path: "/api/memories/{id}", Scope: memory.ScopeWrite,
		Handle: deleteMemory(service),
		Doc: httpedge.Doc{
			ID: "deleteMemory", Group: "Memories", Summary: "Erase a memory",
			Text:   "It is really gone: text, vector, postings, edges and history.",
			Result: Deleted{}, Match: true, ExampleID: exampleID,
		},
	}, {
		Method: "GET", Path: "/api/memories/{id}/history", Scope: memory.ScopeRead,
		Handle: getHistory(service),
		Doc: httpedge.Doc{
			ID: "getHistory", Group: "Memories", Summary: "Get the history of a memory", Text: "Every version, newest first.",
			Result: memory.History{}, ExampleID: exampleID,
		},
	}}
}

func getMemory(service memory.Browser) func(*httpedge.Request) error {
	return func(r *httpedge.Request) error {
		id, err := r.ParamID("id")
		if err != nil {
			return err
		}
		m, err := service.Get(r.Context(), r.Caller, id)
		if err != nil {
			return err
		}
		if r.Fresh(m.Version) {
			return nil
		}
		r.SetVersion(m.Version)
		return r.OK(m)
	}
}

func patchMemory(service memory.Editor) func(*httpedge.Request) error {
	return func(r *httpedge.Request) error {
		id, err := r.ParamID("id")
		if err != nil {
			return err
		}
		var what memory.PatchRequest
		if err := r.Decode(&what); err != nil {
			return err
		}
		if err := what.Check(); err != nil {
			return err
		}
		when, err := r.Match()
		if err != nil {
			return err
		}
		m, err := service.Patch(r.Context(), r.Caller, id, when, &what)
		if err != nil {
			return err
		}
		r.SetVersion(m.Version)
		return r.OK(m)
	}
}

// Deleted answers a DELETE.
type Deleted struct {
	ID      memory.ID `json:"id"`
	Message string    `json:"message"`
}

func deleteMemory(service memory.Editor) func(*httpedge.Request) error {
	return func(r *httpedge.Request) error {
		id, err := r.ParamID("id")
		if err != nil {
			return err
		}
		when, err := r.Match()
		if err != nil {
			return err
		}
		if err := service.Delete(r.Context(), r.Caller, id, when); err != nil {
			return err
		}
		return r.OK(&Deleted{id, "erased, with its history"})
	}
}

func getHistory(service memory.Browser) func(*httpedge.Request) error {
	return func(r *httpedge.Request) error {
		id, err := r.ParamID("id")
		if err != nil {
			return err
		}
		history, err := service.History(r.Context(), r.Caller, id)
		if err != nil {
			return err
		}
		return r.OK(history)
	}
}
