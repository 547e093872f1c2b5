package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"runtime"
	"time"
)

// startDebug serves pprof and the rooms' numbers on an address of its own. It
// asks for no credential, so it is off unless it was named.
func (n *Node) startDebug(context.Context) error {
	if n.Settings.AdminAddr == "" {
		return nil
	}
	listener, err := net.Listen("tcp", n.Settings.AdminAddr)
	if err != nil {
		return fmt.Errorf("listen on --admin-addr %s: %w", n.Settings.AdminAddr, err)
	}
	n.Log.Info("debug address is open", keyAddr, listener.Addr().String())
	n.warnIfOpen("--admin-addr", listener.Addr())
	server := &http.Server{Handler: n.debugMux(), ReadHeaderTimeout: 5 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // ends by Close only
	}()
	n.onStop("debug address", func(context.Context) error {
		err := server.Close() // a profile that runs is not worth waiting for
		<-done
		return err
	})
	return nil
}

func (n *Node) debugMux() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("GET /debug/vars", n.debugVars)
	return mux
}

func (n *Node) debugVars(w http.ResponseWriter, _ *http.Request) {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	w.Header().Set("Content-Type", "application/json")
	err := json.NewEncoder(w).Encode(map[string]any{
		"version": n.Version, "goroutines": runtime.NumGoroutine(), "heapBytes": memory.HeapAlloc,
		"gcPauseTotalNs": memory.PauseTotalNs, "storage": n.store.Stats(), "actors": n.system.Stats(),
	})
	if err != nil && !errors.Is(err, net.ErrClosed) {
		n.Log.Debug("write debug numbers", keyError, err)
	}
}
