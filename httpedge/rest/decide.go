package rest

import (
	"loci/engine/memory"
	"loci/httpedge"
)

func decideRoutes(service memory.Writer) []httpedge.Route {
	return []httpedge.Route{{
		Method: "POST", Path: "/api/decide", Scope: memory.ScopeWrite,
		Handle: fromBody(service.Decide),
		Doc: httpedge.Doc{
			ID: "decide", Group: "Write", Summary: "Remember a decision",
			Text: "Stores a decision with its reasons and what else was considered. related names earlier decisions that it resembles.",
			Body: memory.DecideRequest{}, Result: memory.DecideResult{}, Once: true,
			Example: `{"title":"Storage engine","decision":"We use Pebble.","reasoning":"It is embedded and commits in groups.","alternatives":["SQLite","bbolt"],"project":"loci"}`,
		},
	}}
}
