package httpedge

import (
	"loci/engine/memory"
)

// Route is one operation: how it is asked for, who may ask, what it does and
// how it is described to people and programs.
type Route struct {
	Method string
	Path   string // with parameters in braces: /api/memories/{id}
	// Scope is the right that a credential needs; empty means public.
	Scope  memory.Scope
	Handle func(*Request) error
	Doc    Doc
}

// Doc describes a route. Types are given by a zero value, such as
// memory.LearnRequest{}; their fields, limits and sentences come from the
// struct tags.
type Doc struct {
	ID      string // operationId, such as learn
	Group   string // heading under which it is shown
	Summary string // one line
	Text    string // what a reader should know beyond the fields

	Body   any    // request body, nil if there is none
	Query  any    // query parameters, nil if there are none
	Result any    // answer, nil if it is not JSON of ours
	Media  string // another content type that it may answer with
	// Plain says that the answer has no success member: it is not of the memory API.
	Plain bool

	Once  bool // takes Idempotency-Key
	Match bool // takes If-Match
	ETag  bool // answers with an ETag, takes If-None-Match

	// Example is a request that works: a JSON body, or a query string.
	Example string
	// ExampleID fills the {id} of the path in examples.
	ExampleID string
}

// writes reports whether the route may change something, which gives it more time.
func (r *Route) writes() bool { return r.Scope == memory.ScopeWrite || r.Scope == memory.ScopeAdmin }

func (r *Route) public() bool { return r.Scope == "" }
