package httpedge

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/valyala/fasthttp"

	"loci/engine/memory"
	"loci/httpedge/wire"
)

const problemType = "application/problem+json"

// refuse answers with a problem. Headers that a router or a check has set
// (Allow, WWW-Authenticate) stay.
func (r *Request) refuse(err error) {
	problem := asProblem(err)
	k := lookUp(problem.Code)
	if problem.Code == memory.Unauthenticated {
		r.Set("WWW-Authenticate", r.challenge())
	}
	if problem.Code == memory.Internal {
		r.failure = err
	}
	writeProblem(r.fast, r.server.options.PublicURL, r.ID, k, problem)
}

// asProblem turns any error into what the client may read. Work that ran out
// of time, or that a shutdown ended, may be tried again.
func asProblem(err error) *memory.Error {
	if _, ok := errors.AsType[*memory.Error](err); ok {
		return memory.AsError(err)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return memory.Busy("the work took too long and was given up; whether it was done is not known", time.Second)
	case errors.Is(err, context.Canceled):
		return memory.Busy("the server is stopping", time.Second)
	}
	return memory.AsError(err)
}

func writeProblem(fast *fasthttp.RequestCtx, publicURL, requestID string, k kind, problem *memory.Error) {
	if after := retryAfter(problem); after > 0 {
		fast.Response.Header.Set("Retry-After", strconv.Itoa(after))
	}
	fast.Response.Header.Del("ETag")
	fast.Response.Header.SetContentType(problemType)
	fast.Response.SetStatusCode(k.status)
	fast.Response.SetBody(appendProblem(nil, publicURL, requestID, k, problem))
}

// retryAfter is in whole seconds, at least one, for refusals that pass.
func retryAfter(problem *memory.Error) int {
	if problem.Code != memory.Overloaded && problem.Code != memory.RateLimited {
		return 0
	}
	return max(1, int(math.Ceil(problem.RetryAfter.Seconds())))
}

// appendProblem writes RFC 9457 with our own members. The type is the place on
// our documentation page that explains the code.
func appendProblem(dst []byte, publicURL, requestID string, k kind, problem *memory.Error) []byte {
	dst = append(dst, `{"type":`...)
	dst = wire.AppendString(dst, typeURI(publicURL, k.code))
	dst = append(dst, `,"title":`...)
	dst = wire.AppendString(dst, k.title)
	dst = append(dst, `,"status":`...)
	dst = strconv.AppendInt(dst, int64(k.status), 10)
	dst = append(dst, `,"detail":`...)
	dst = wire.AppendString(dst, problem.Detail)
	dst = append(dst, `,"code":`...)
	dst = wire.AppendString(dst, string(k.code))
	dst = append(dst, `,"requestId":`...)
	dst = wire.AppendString(dst, requestID)
	if len(problem.Fields) > 0 {
		dst = append(dst, `,"errors":`...)
		dst, _ = wire.AppendPlain(dst, problem.Fields) // two texts each: it cannot fail
	}
	return append(dst, '}')
}

func typeURI(publicURL string, code memory.Code) string {
	return fmt.Sprintf("%s/api#error-%s", publicURL, code)
}
