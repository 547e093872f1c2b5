package rest

import (
	"loci/engine/memory"
	"loci/httpedge"
)

func forgetRoutes(service memory.Editor) []httpedge.Route {
	return []httpedge.Route{{
		Method: "POST", Path: "/api/forget", Scope: memory.ScopeWrite,
		Handle: fromBody(service.Forget),
		Doc: httpedge.Doc{
			ID: "forget", Group: "Memories", Summary: "Erase many memories",
			Text: "By ids or by a filter. Without dryRun set to false it only says what would be erased.",
			Body: memory.ForgetRequest{}, Result: memory.ForgetResult{}, Once: true,
			Example: `{"filter":{"project":"kitchen","tags":["drinks"]},"dryRun":true}`,
		},
	}}
}
