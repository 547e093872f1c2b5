package httpedge

import (
	"bytes"

	"loci/engine/memory"
)

// ownRoutes are those that every server has, whatever it is for.
func (s *Server) ownRoutes() []Route {
	get := func(path string, handle func(*Request) error, doc Doc) Route {
		doc.Group, doc.Plain = "Server", true
		return Route{Method: "GET", Path: path, Handle: handle, Doc: doc}
	}
	return []Route{
		get("/healthz", s.health, Doc{ID: "health", Summary: "Is the process alive", Media: "text/plain", Text: "200 as long as the process answers at all."}),
		get("/readyz", s.ready, Doc{ID: "ready", Summary: "Is the server ready", Media: "text/plain", Text: "200 when it can do its work, 503 while it cannot or is stopping."}),
		get("/metrics", s.showMetrics, Doc{ID: "metrics", Summary: "Metrics", Media: "text/plain", Text: "Counters and histograms in the Prometheus text format."}),
		get("/openapi.json", s.showSpec, Doc{ID: "openapi", Summary: "This description", Media: "application/json", Text: "OpenAPI 3.1 of every route, made from the route table."}),
		get("/api", s.showPage, Doc{ID: "documentation", Summary: "Documentation", Media: "text/html", Result: linksShape{}, Text: "A page for people; with Accept: application/json the name, the version and links."}),
	}
}

func (s *Server) health(r *Request) error {
	return r.Send("text/plain; charset=utf-8", []byte("ok\n"))
}

func (s *Server) ready(r *Request) error {
	if s.stopping() {
		return memory.Busy("the server is stopping", 0)
	}
	if err := s.options.Ready(); err != nil {
		return &memory.Error{Code: memory.Overloaded, Detail: "the server is not ready", Cause: err}
	}
	return r.Send("text/plain; charset=utf-8", []byte("ready\n"))
}

func (s *Server) showMetrics(r *Request) error {
	var out bytes.Buffer
	if err := s.writeMetrics(&out); err != nil {
		return err
	}
	return r.Send("text/plain; version=0.0.4; charset=utf-8", out.Bytes())
}
