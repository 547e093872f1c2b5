// Package rest is the memory API over HTTP: for each operation of a
// [memory.Service] a route, its description and an example that works.
//
// A handler decodes, checks, calls and encodes; it decides nothing. What may
// be sent is said by the request types of engine/memory, what is refused by
// httpedge, what happens by the service.
//
// Invariants that the code cites:
//
//	R1  The service sees only requests that have passed their own Check.
//	R2  A record that the caller may not see is not_found, never forbidden:
//	    the service says so, and an id that cannot be one says the same.
//	R3  Every success is a 200, also of writes that made something new: what
//	    was done is said by "action", and a replay answers as the first did.
//
// Caveat: in a batch an item that breaks a rule, has an unknown field or a
// wrong type is refused alone and the rest goes on; a body that is not valid
// JSON or not valid text is refused whole.
package rest
