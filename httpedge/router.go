package httpedge

import (
	"log/slog"

	"github.com/fasthttp/router"
	"github.com/valyala/fasthttp"

	"loci/engine/memory"
)

// entry is a route as it is served: with its meters.
type entry struct {
	Route
	meter *meter
}

func newEntry(r Route, m *meters) *entry { return &entry{r, m.of(r.Path)} }

// newRouter registers every entry, a HEAD beside each GET, and entries of
// their own for what matches nothing, so that those are counted, logged and
// answered like the rest.
func (s *Server) newRouter() *router.Router {
	table := router.New()
	table.RedirectTrailingSlash = false
	table.RedirectFixedPath = false
	for _, e := range s.entries {
		handle := s.handler(e)
		table.Handle(e.Method, e.Path, handle)
		if e.Method == fasthttp.MethodGet {
			table.Handle(fasthttp.MethodHead, e.Path, handle)
		}
	}
	table.NotFound = s.fallback("(not found)", func(*Request) error {
		return memory.Refuse(memory.NotFound, "there is nothing at this path")
	})
	table.MethodNotAllowed = s.fallback("(method not allowed)", func(*Request) error {
		return memory.Refuse(memory.MethodNotAllowed, "this path does not take this method; the Allow header lists those it takes")
	})
	table.GlobalOPTIONS = s.fallback("(options)", func(r *Request) error {
		r.fast.SetStatusCode(statusNoContent)
		return nil
	})
	return table
}

func (s *Server) fallback(name string, handle func(*Request) error) fasthttp.RequestHandler {
	return s.handler(newEntry(Route{Path: name, Handle: handle}, s.metrics))
}

func (s *Server) handler(e *entry) fasthttp.RequestHandler {
	return func(fast *fasthttp.RequestCtx) { s.run(e, fast) }
}

// quiet is fasthttp's own log: broken connections, for whoever looks closely.
// Only the pattern is kept, since the values may quote what a client sent (E6).
type quiet struct{ log *slog.Logger }

func (q quiet) Printf(format string, _ ...any) { q.log.Debug("connection", keyError, format) }
