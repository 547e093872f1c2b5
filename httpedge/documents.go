package httpedge

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"

	"loci/httpedge/wire"
)

// document is something that never changes while the server runs.
type document struct {
	media string
	body  []byte
	etag  string
}

func newDocument(media string, body []byte) document {
	sum := sha256.Sum256(body)
	return document{media, body, `"` + hex.EncodeToString(sum[:12]) + `"`}
}

func (s *Server) buildDocuments() error {
	spec, err := openAPI(&s.options, s.entries)
	if err != nil {
		return err
	}
	page, err := renderPage(&s.options, s.entries)
	if err != nil {
		return err
	}
	s.spec = newDocument("application/json", spec)
	s.page = newDocument("text/html; charset=utf-8", page)
	return nil
}

// show answers with a document, or with 304 if the client has it.
func (d *document) show(r *Request) error {
	r.Set("Cache-Control", "public, no-cache")
	if r.fresh(d.etag) {
		return nil
	}
	r.Set("ETag", d.etag)
	return r.Send(d.media, d.body)
}

func (s *Server) showSpec(r *Request) error { return s.spec.show(r) }

// pagePolicy allows the page its own inline style and nothing else: no script,
// no frame, no network.
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (s *Server) showPage(r *Request) error {
	r.fast.Response.Header.Add("Vary", "Accept")
	accept := r.fast.Request.Header.Peek("Accept")
	if bytes.Contains(accept, plainJSON) && !bytes.Contains(accept, []byte("text/html")) {
		return s.showLinks(r)
	}
	r.Set("Content-Security-Policy", pagePolicy)
	r.Set("Referrer-Policy", "no-referrer")
	return s.page.show(r)
}

// linksShape is the page for programs.
type linksShape struct {
	Name    string            `json:"name"`
	Version string            `json:"version"`
	Links   map[string]string `json:"links" doc:"Addresses of the documents and checks of this server."`
}

func (s *Server) showLinks(r *Request) error {
	at := func(path string) string { return s.options.PublicURL + path }
	body, err := wire.AppendPlain(nil, linksShape{s.options.Name, s.options.Version, map[string]string{
		"documentation": at("/api"), "openapi": at("/openapi.json"), "health": at("/healthz"), "ready": at("/readyz"), "metrics": at("/metrics"),
	}})
	if err != nil {
		return err
	}
	return r.Send("application/json", body)
}
