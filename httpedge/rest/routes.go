package rest

import (
	"slices"

	"loci/engine/memory"
	"loci/httpedge"
)

// exampleID stands for a memory in the documentation.
const exampleID = "0199f7f4-6f1c-7cc0-8a53-5d0e3c8f1a2b"

// Routes are the operations of the memory API over a service, in the order in
// which people should read of them.
func Routes(service memory.Service) []httpedge.Route {
	return slices.Concat(
		learnRoutes(service),
		decideRoutes(service),
		entityRoutes(service),
		searchRoutes(service),
		memoryRoutes(service),
		forgetRoutes(service),
		exploreRoutes(service),
	)
}
