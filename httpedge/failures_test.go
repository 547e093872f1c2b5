package httpedge_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"loci/engine/memory"
)

// failures are what a handler may return, and what a client then sees: the
// table of the wire contract, and what is not in it.
var failures = []struct {
	err    error
	status int
	code   memory.Code
	retry  string
}{
	{memory.BadField("a", "b"), 400, memory.Invalid, ""},
	{memory.Refuse(memory.Unauthenticated, "d"), 401, memory.Unauthenticated, ""},
	{memory.Refuse(memory.QuotaExhausted, "d"), 402, memory.QuotaExhausted, ""},
	{memory.Refuse(memory.Forbidden, "d"), 403, memory.Forbidden, ""},
	{fmt.Errorf("look up: %w", memory.Refuse(memory.NotFound, "d")), 404, memory.NotFound, ""},
	{memory.Refuse(memory.MethodNotAllowed, "d"), 405, memory.MethodNotAllowed, ""},
	{memory.Refuse(memory.Conflict, "d"), 409, memory.Conflict, ""},
	{memory.Refuse(memory.PreconditionFailed, "d"), 412, memory.PreconditionFailed, ""},
	{memory.Refuse(memory.TooLarge, "d"), 413, memory.TooLarge, ""},
	{memory.Refuse(memory.Unsupported, "d"), 415, memory.Unsupported, ""},
	{memory.Refuse(memory.Unprocessable, "d"), 422, memory.Unprocessable, ""},
	{&memory.Error{Code: memory.RateLimited, Detail: "d", RetryAfter: 1500 * time.Millisecond}, 429, memory.RateLimited, "2"},
	{errors.New("disk on fire"), 500, memory.Internal, ""},
	{&memory.Error{Code: memory.Internal, Detail: "d", Cause: errors.New("disk on fire")}, 500, memory.Internal, ""},
	{memory.Refuse(memory.Code("invented"), "d"), 500, memory.Internal, ""},
	{memory.Busy("d", 0), 503, memory.Overloaded, "1"},
	{fmt.Errorf("commit: %w", context.DeadlineExceeded), 503, memory.Overloaded, "1"},
	{context.Canceled, 503, memory.Overloaded, "1"},
}
