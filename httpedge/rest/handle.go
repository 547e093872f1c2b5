package rest

import (
	"context"

	"loci/engine/memory"
	"loci/httpedge"
)

// call is an operation of the service that takes one request.
type call[Q, A any] func(ctx context.Context, who memory.Caller, what *Q) (*A, error)

// fromBody makes the handler of an operation whose request is the body.
func fromBody[Q, A any](do call[Q, A]) func(*httpedge.Request) error {
	return func(r *httpedge.Request) error {
		what := new(Q)
		if err := r.Decode(what); err != nil {
			return err
		}
		return answer(r, what, do)
	}
}

// fromQuery makes the handler of an operation whose request is the query.
func fromQuery[Q, A any](do call[Q, A]) func(*httpedge.Request) error {
	return func(r *httpedge.Request) error {
		what := new(Q)
		if err := r.Query(what); err != nil {
			return err
		}
		return answer(r, what, do)
	}
}

func answer[Q, A any](r *httpedge.Request, what *Q, do call[Q, A]) error {
	if err := check(what); err != nil {
		return err
	}
	result, err := do(r.Context(), r.Caller, what)
	if err != nil {
		return err
	}
	return r.OK(result)
}

// check holds a request against its own Check, or against its fields' rules if
// they are all there is (R1).
func check(what any) error {
	if own, ok := what.(interface{ Check() error }); ok {
		return own.Check()
	}
	return memory.Check(what)
}
