package httpedge

import (
	"context"
	"strings"
	"time"

	"github.com/valyala/fasthttp"

	"loci/engine/memory"
	"loci/httpedge/wire"
)

// Request is one request on its way through a handler. It must not be kept
// after the handler returned: it is used again (E1).
type Request struct {
	// Caller is who asks; zero on public routes.
	Caller memory.Caller
	// ID is the X-Request-Id of the answer.
	ID string

	server  *Server
	entry   *entry
	fast    *fasthttp.RequestCtx
	ctx     context.Context
	start   time.Time
	body    []byte // as sent, or decompressed; fasthttp's or ours, never the service's
	scratch []byte // where answers are built
	sent    bool   // a credential came with the request
	failure error  // what an internal error hides from the client, for the log
}

// Context carries the deadline of the work.
func (r *Request) Context() context.Context { return r.ctx }

// Param is a parameter of the path.
func (r *Request) Param(name string) string {
	value, _ := r.fast.UserValue(name).(string)
	return strings.Clone(value) // the router's string lies in fasthttp's buffer (E1)
}

// ParamID is a parameter of the path that names a record. What cannot be an
// id names nothing: not_found.
func (r *Request) ParamID(name string) (memory.ID, error) {
	id, err := memory.ParseID(r.Param(name))
	if err != nil || id.IsZero() {
		return memory.ID{}, memory.Refuse(memory.NotFound, "there is no record with this id")
	}
	return id, nil
}

// Decode reads the body into a request struct, strictly. It is there only on
// routes whose Doc names a Body.
func (r *Request) Decode(into any) error { return wire.Decode(r.body, into) }

// Query reads the query parameters into a request struct, strictly.
func (r *Request) Query(into any) error { return wire.DecodeQuery(r.fast.QueryArgs().All(), into) }

// Set sets a header of the answer.
func (r *Request) Set(name, value string) { r.fast.Response.Header.Set(name, value) }

// OK answers with the JSON of a result, given by pointer, "success" first.
func (r *Request) OK(result any) error {
	body, err := wire.Append(r.scratch[:0], result)
	r.scratch = body
	if err != nil {
		return err
	}
	if w, ok := result.(interface{ WasReplayed() bool }); ok && w.WasReplayed() {
		r.Set(headerReplayed, "true")
	}
	return r.send("application/json", body)
}

// Send answers with a body of another kind; it is copied.
func (r *Request) Send(contentType string, body []byte) error { return r.send(contentType, body) }

func (r *Request) send(contentType string, body []byte) error {
	if !r.entry.public() {
		r.Set("Cache-Control", "private, no-cache")
	}
	r.fast.Response.Header.SetContentType(contentType)
	r.fast.Response.SetStatusCode(statusOK)
	r.fast.Response.SetBody(body)
	return nil
}
