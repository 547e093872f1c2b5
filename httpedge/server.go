package httpedge

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

// readBuffer bounds the header of a request (E5).
const readBuffer = 16 << 10

// Server serves the routes of its Options on one or more listeners.
type Server struct {
	options Options
	fast    *fasthttp.Server
	entries []*entry
	metrics *meters
	spec    document // /openapi.json
	page    document // /api for people

	// base is the parent of every request's context.
	base   context.Context
	cancel context.CancelCauseFunc
	gate   *gate // counts connections over all listeners

	mu struct {
		sync.Mutex
		listeners []*listener
		stopped   bool
	}
}

var errStopped = errors.New("the server stops")

// New builds a server; nothing runs before Serve.
func New(options Options) (*Server, error) {
	options = options.withDefaults()
	if err := options.validate(); err != nil {
		return nil, err
	}
	s := &Server{options: options}
	s.metrics = newMeters(func() float64 { return float64(s.gate.open.Load()) })
	s.base, s.cancel = context.WithCancelCause(context.Background())
	s.gate = newGate(options.Connections, s.busyAnswer)
	for _, r := range append(s.ownRoutes(), options.Routes...) {
		s.entries = append(s.entries, newEntry(r, s.metrics))
	}
	if err := s.buildDocuments(); err != nil {
		return nil, fmt.Errorf("httpedge documents: %w", err)
	}
	s.fast = s.newFast()
	return s, nil
}

func (s *Server) newFast() *fasthttp.Server {
	return &fasthttp.Server{
		Handler:               s.newRouter().Handler,
		ErrorHandler:          s.unreadable,
		Logger:                quiet{s.options.Log},
		Name:                  "loci",
		NoDefaultServerHeader: true,
		NoDefaultContentType:  true,
		SecureErrorLogMessage: true,
		CloseOnShutdown:       true,
		ReadBufferSize:        readBuffer,
		Concurrency:           s.options.Connections + 1024, // our gate refuses first, and politely
		MaxRequestBodySize:    s.options.BodyLimit,
		ReadTimeout:           s.options.ReadTimeout,
		WriteTimeout:          s.options.WriteTimeout,
		IdleTimeout:           s.options.IdleTimeout,
		// Nothing here takes forms; a body stays the bytes that were sent.
		DisablePreParseMultipartForm: true,
	}
}

// Serve answers requests from the listener until Shutdown, then returns nil.
// It owns the listener.
func (s *Server) Serve(from net.Listener) error {
	l := &listener{Listener: from, gate: s.gate}
	s.mu.Lock()
	stopped := s.mu.stopped
	if !stopped {
		s.mu.listeners = append(s.mu.listeners, l)
	}
	s.mu.Unlock()
	if stopped {
		return l.Close()
	}
	if err := s.fast.Serve(l); err != nil {
		return fmt.Errorf("serve %s: %w", from.Addr(), err)
	}
	return nil
}

// Shutdown stops accepting, lets what runs finish, and returns. If ctx ends
// first, running work is told to stop and the error says so. It may be called
// twice, and before Serve.
func (s *Server) Shutdown(ctx context.Context) error {
	s.closeListeners()
	err := s.fast.ShutdownWithContext(ctx)
	s.cancel(errStopped)
	s.gate.wait()
	if err != nil {
		return fmt.Errorf("shut down http: %w", err)
	}
	return nil
}

func (s *Server) closeListeners() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mu.stopped = true
	for _, l := range s.mu.listeners {
		_ = l.Close() // it cannot be of use any more, whatever it says
	}
}

func (s *Server) stopping() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mu.stopped
}

// OpenAPI is the document at /openapi.json. The caller must not change it.
func (s *Server) OpenAPI() []byte { return s.spec.body }

// deadline is the time a route's work may take.
func (s *Server) deadline(r *Route) time.Duration {
	if r.writes() {
		return s.options.WriteDeadline
	}
	return s.options.ReadDeadline
}
