package httpedge

import (
	"loci/engine/memory"
)

// This is the one file that knows status numbers (E4).

const (
	statusOK          = 200
	statusNoContent   = 204
	statusNotModified = 304
	statusFirstError  = 400 // from here on the access log speaks by default
)

// kind is a row of the table: what a code looks like in HTTP.
type kind struct {
	code   memory.Code
	status int
	title  string
}

// kinds is the table of the wire contract, in the order of its statuses.
var kinds = []kind{
	{memory.Invalid, 400, "The request is not valid"},
	{memory.Unauthenticated, 401, "A credential is needed"},
	{memory.QuotaExhausted, 402, "The quota is used up"},
	{memory.Forbidden, 403, "The credential does not allow this"},
	{memory.NotFound, 404, "There is no such thing"},
	{memory.MethodNotAllowed, 405, "The method is not allowed here"},
	{memory.Conflict, 409, "The request conflicts with what is there"},
	{memory.PreconditionFailed, 412, "The condition does not hold"},
	{memory.TooLarge, 413, "The request is too large"},
	{memory.Unsupported, 415, "The format is not supported"},
	{memory.Unprocessable, 422, "The request cannot be carried out"},
	{memory.RateLimited, 429, "Too many requests"},
	{memory.Internal, 500, "Something went wrong on our side"},
	{memory.Overloaded, 503, "The service is busy"},
}

// Two refusals that HTTP itself has a number for, before any route is known.
var (
	kindSlow      = kind{memory.Invalid, 408, "The request took too long to arrive"}
	kindBigHeader = kind{memory.TooLarge, 431, "The request's header is too large"}
)

var kindOf = func() map[memory.Code]kind {
	table := make(map[memory.Code]kind, len(kinds))
	for _, k := range kinds {
		table[k.code] = k
	}
	return table
}()

// lookUp finds the row of a code; a code that is not in the table is a bug of
// ours, and internal to the client.
func lookUp(code memory.Code) kind {
	if k, ok := kindOf[code]; ok {
		return k
	}
	return kindOf[memory.Internal]
}
