package httpedge

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/valyala/fasthttp"

	"loci/engine/memory"
)

var requests = sync.Pool{New: func() any { return new(Request) }}

// run is the life of one request.
func (s *Server) run(e *entry, fast *fasthttp.RequestCtx) {
	r := requests.Get().(*Request)
	*r = Request{server: s, entry: e, fast: fast, start: time.Now(), ID: requestID(fast), scratch: r.scratch}
	s.metrics.running.Add(1)
	r.Set(headerRequestID, r.ID)
	r.Set("X-Content-Type-Options", "nosniff")
	if err := r.work(); err != nil {
		r.refuse(err)
	}
	r.compress()
	r.finish()
	s.metrics.running.Add(-1)
	*r = Request{scratch: keepSmall(r.scratch)}
	requests.Put(r)
}

// keepSmall lets a rare giant go to the collector instead of the pool.
func keepSmall(b []byte) []byte {
	if cap(b) > 256<<10 {
		return nil
	}
	return b[:0]
}

// work admits the request and hands it to its handler. A panic becomes an
// internal error: one request is lost, not the process.
func (r *Request) work() (err error) {
	ctx, cancel := context.WithTimeout(r.server.base, r.server.deadline(&r.entry.Route))
	defer cancel()
	r.ctx = ctx
	defer func() {
		if p := recover(); p != nil {
			err = r.panicked(p)
		}
	}()
	if err := r.admit(); err != nil {
		return err
	}
	return r.entry.Handle(r)
}

// admit does what comes before every handler, cheapest first.
func (r *Request) admit() error {
	if err := r.refuseQueryCredential(); err != nil {
		return err
	}
	if err := r.authenticate(); err != nil {
		return err
	}
	if r.entry.Doc.Body != nil {
		if err := r.readBody(); err != nil {
			return err
		}
	}
	if r.entry.Doc.Once {
		return r.readOnce()
	}
	return nil
}

func (r *Request) panicked(p any) error {
	r.server.options.Log.Error("panic in handler", keyRequestID, r.ID, keyRoute, r.entry.Path,
		keyError, fmt.Sprint(p), keyStack, string(debug.Stack()))
	r.fast.Response.ResetBody()
	return &memory.Error{Code: memory.Internal, Detail: "something went wrong on our side", Cause: fmt.Errorf("panic: %v", p)}
}

// requestID is the caller's, if it is sane, else a new one (E3).
func requestID(fast *fasthttp.RequestCtx) string {
	if given := fast.Request.Header.Peek(headerRequestID); saneID(given) {
		return string(given)
	}
	return memory.NewID().String()
}

func saneID(id []byte) bool {
	for _, c := range id {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return len(id) >= 1 && len(id) <= 128
}
