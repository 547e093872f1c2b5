package actors

import (
	"context"
	"errors"
	"time"

	"loci/engine/memory"
)

// comeBack is the Retry-After of a full queue: a queue of 4,096 writes drains
// in about a quarter of a second.
const comeBack = time.Second

func errFull() error { return memory.Busy("this tenant has too many requests waiting", comeBack) }

func errNodeFull() error { return memory.Busy("the server has too many requests waiting", comeBack) }

func errClosing() error { return memory.Busy("the server is shutting down", 5*time.Second) }

func errDropped() error { return memory.Refuse(memory.NotFound, "this tenant has been deleted") }

func errNobody() error { return memory.Refuse(memory.Unauthenticated, "the request names no tenant") }

// errResting is for a tenant that is being brought back after a failure.
func errResting(left time.Duration, cause error) error {
	return &memory.Error{
		Code: memory.Overloaded, Detail: "this tenant is being recovered",
		RetryAfter: left, Cause: cause,
	}
}

func errNotStored(cause error) error {
	return &memory.Error{
		Code: memory.Internal, Detail: "the write could not be stored; it may be found stored later",
		Cause: cause,
	}
}

func errCrashed(cause error) error {
	return &memory.Error{Code: memory.Internal, Detail: "something went wrong on our side", Cause: cause}
}

// outOfTime is for a request whose deadline passed or whose caller has gone.
func outOfTime(ctx context.Context, what string) error {
	return &memory.Error{
		Code: memory.Overloaded, Detail: "the request ran out of time; " + what,
		RetryAfter: comeBack, Cause: context.Cause(ctx),
	}
}

// readable turns the end of a context, from wherever it came, into an answer.
func readable(ctx context.Context, err error) error {
	var known *memory.Error
	if err == nil || ctx.Err() == nil || errors.As(err, &known) {
		return err
	}
	return outOfTime(ctx, "it was not carried out")
}
