package rest

import (
	"loci/engine/memory"
	"loci/httpedge"
)

func entityRoutes(service memory.Writer) []httpedge.Route {
	return []httpedge.Route{{
		Method: "POST", Path: "/api/entity", Scope: memory.ScopeWrite,
		Handle: fromBody(service.Entity),
		Doc: httpedge.Doc{
			ID: "entity", Group: "Write", Summary: "Remember an entity",
			Text: "Makes an entity, or adds to the one of this name: observations, other names, and relations to other entities.",
			Body: memory.EntityRequest{}, Result: memory.EntityResult{}, Once: true,
			Example: `{"name":"Ada","entityType":"person","observations":["Writes about engines.",{"content":"Lives in London.","validFrom":"2026-01-01"}],"aliases":["Ada Lovelace"],"relations":[{"to":"Charles","relationType":"works_with","weight":0.8}]}`,
		},
	}}
}
