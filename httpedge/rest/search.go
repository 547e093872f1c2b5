package rest

import (
	"loci/engine/memory"
	"loci/httpedge"
)

func searchRoutes(service memory.Finder) []httpedge.Route {
	return []httpedge.Route{{
		Method: "POST", Path: "/api/search", Scope: memory.ScopeRead,
		Handle: fromBody(service.Search),
		Doc: httpedge.Doc{
			ID: "search", Group: "Find", Summary: "Search",
			Text: "Finds the memories that answer a question best, by meaning, by words and by the graph at once. Equal requests on an equal memory get equal answers.",
			Body: memory.SearchRequest{}, Result: memory.SearchResult{},
			Example: `{"query":"What does Ada like to drink?","limit":5,"types":["fact","decision"],"filter":{"rank":{"gte":3}},"explain":true}`,
		},
	}, {
		Method: "POST", Path: "/api/context", Scope: memory.ScopeRead,
		Handle: fromBody(service.Context),
		Doc: httpedge.Doc{
			ID: "context", Group: "Find", Summary: "Make a context block",
			Text: "One block of what is known of a topic, ready for a prompt and within a number of tokens; each line has its source and date.",
			Body: memory.ContextRequest{}, Result: memory.ContextResult{},
			Example: `{"topic":"Ada","tokenBudget":500}`,
		},
	}}
}
