package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"

	"loci/actors"
	"loci/cmd/loci/config"
	"loci/cmd/loci/desk"
	"loci/engine/memory"
	"loci/httpedge"
	"loci/httpedge/rest"
	"loci/storage"
)

// Options of a node. All are needed.
type Options struct {
	Settings *config.Settings
	Version  string
	Log      *slog.Logger
}

// Node is a running server.
type Node struct {
	Options
	welcome  Welcome
	counts   counts
	store    *storage.Store
	system   *actors.System
	desk     *desk.Desk
	listener net.Listener
	embedder memory.Embedder
	failed   chan error

	stops    []step // in the order of the start (I3)
	stopOnce sync.Once
	stopErr  error
}

type step struct {
	name string
	stop func(context.Context) error
}

// Start starts a server; when it returns nil the server answers. The context
// is for the start only.
func Start(ctx context.Context, o Options) (*Node, error) {
	n := &Node{Options: o, failed: make(chan error, 1)}
	if err := n.start(ctx); err != nil {
		return nil, errors.Join(err, n.Stop(ctx))
	}
	return n, nil
}

func (n *Node) start(ctx context.Context) error {
	for _, part := range []func(context.Context) error{
		n.openStore, n.listen, n.startEmbedder, n.startActors, n.bootstrap, n.startEdge, n.startDesk, n.startDebug,
	} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (n *Node) onStop(name string, stop func(context.Context) error) {
	n.stops = append(n.stops, step{name, stop})
}

func (n *Node) openStore(context.Context) error {
	if err := os.MkdirAll(n.Settings.Data, 0o700); err != nil {
		return fmt.Errorf("make data folder: %w", err)
	}
	store, err := storage.Open(desk.StoreDir(n.Settings.Data), storage.Options{
		CacheBytes: int64(n.Settings.CacheSize), Events: n.storageEvents(),
	})
	if desk.Locked(err) {
		return fmt.Errorf("the store in %s is in use by another process; stop it, or choose another folder with --data", n.Settings.Data)
	}
	if err != nil {
		return err
	}
	n.store = store
	n.onStop("store", func(context.Context) error { return store.Close() })
	return nil
}

func (n *Node) listen(context.Context) error {
	listener, err := net.Listen("tcp", n.Settings.Addr)
	if err != nil {
		return fmt.Errorf("listen on --addr %s: %w", n.Settings.Addr, err)
	}
	n.listener = listener
	n.warnIfOpen("--addr", listener.Addr())
	n.onStop("listener", func(context.Context) error {
		if err := listener.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			return err
		}
		return nil // the edge has closed it
	})
	return nil
}

// warnIfOpen says what an operator may not have meant.
func (n *Node) warnIfOpen(flag string, addr net.Addr) {
	if tcp, ok := addr.(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		n.Log.Warn("this address can be reached from other machines, without TLS; put a proxy in front", keyFlag, flag, keyAddr, addr.String())
	}
}

func (n *Node) startActors(ctx context.Context) error {
	kit := kitOf(n.embedder)
	system, err := actors.New(n.store, actors.Options{
		Kit: kit, Idle: n.Settings.TenantIdle, Queue: n.Settings.Queue, Events: n.actorEvents(),
	})
	if err != nil {
		return err
	}
	n.system = system
	n.onStop("actors", system.Close)
	n.desk = desk.New(n.store, kit, system)
	finished, err := n.desk.FinishDeletes(ctx)
	for _, name := range finished {
		n.Log.Info("finished the deletion of a tenant", keyName, name)
	}
	return err
}

func (n *Node) startEdge(context.Context) error {
	edge, err := httpedge.New(httpedge.Options{
		Auth: n.store.Control(), Routes: append(rest.Routes(n.system), rest.EmbeddingRoutes(vectors{n.embedder})...),
		PublicURL: n.URL(), Version: n.Version, Log: n.Log,
		AccessLog: httpedge.AccessLog(n.Settings.AccessLog),
		Ready:     n.store.Err, Metrics: n.writeMetrics,
		BodyLimit: int(n.Settings.BodyLimit), Connections: n.Settings.MaxConnections,
		ReadTimeout: n.Settings.ReadTimeout, IdleTimeout: n.Settings.IdleTimeout,
	})
	if err != nil {
		return err
	}

	served := make(chan struct{})
	go func() {
		defer close(served)
		if err := edge.Serve(n.listener); err != nil {
			n.failed <- fmt.Errorf("serve on %s: %w", n.listener.Addr(), err)
		}
	}()
	n.onStop("edge", func(ctx context.Context) error {
		err := edge.Shutdown(ctx)
		<-served
		if errors.Is(err, context.DeadlineExceeded) {
			// A client that never finishes its request must not make a stop a failure.
			n.Log.Warn("requests were cut off at the end of --shutdown-grace", keyError, err)
			return nil
		}
		return err
	})
	return nil
}

// startDesk opens the admin socket. A server works without one, so a path
// that is too long for a socket is only said.
func (n *Node) startDesk(context.Context) error {
	server, err := desk.Listen(n.Settings.Data, n.desk)
	if errors.Is(err, desk.ErrLongPath) {
		n.Log.Warn("no admin socket: loci key, tenant and check will not work while this server runs; use a shorter --data", keyError, err)
		return nil
	}
	if err != nil {
		return err
	}
	n.onStop("admin socket", server.Close)
	return nil
}

// URL is the address that clients are told.
func (n *Node) URL() string { return n.Settings.URL(n.listener.Addr()) }

// Addr is where the server listens.
func (n *Node) Addr() net.Addr { return n.listener.Addr() }

// Failed tells when the server cannot serve any more.
func (n *Node) Failed() <-chan error { return n.failed }

// Stop stops everything in the reverse order of the start (I3), finishing
// what runs until the context ends. It may be called twice.
func (n *Node) Stop(ctx context.Context) error {
	n.stopOnce.Do(func() { n.stopErr = n.stop(ctx) })
	return n.stopErr
}

// stop goes on after an error, except from the actors to the store: while an
// actor may still write, the store stays open until the process ends.
func (n *Node) stop(ctx context.Context) error {
	var wrong []error
	for i := len(n.stops) - 1; i >= 0; i-- {
		s := n.stops[i]
		if err := s.stop(ctx); err != nil {
			wrong = append(wrong, fmt.Errorf("stop %s: %w", s.name, err))
			if s.name == "actors" {
				break
			}
		}
	}
	return errors.Join(wrong...)
}
