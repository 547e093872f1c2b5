package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// maxSocketPath is a little below what Linux (107 bytes) and macOS (103) take.
const maxSocketPath = 100

// ErrLongPath says that the data folder's path leaves no room for a socket.
var ErrLongPath = errors.New("the path is too long for a socket")

// SocketPath is where a server's desk listens.
func SocketPath(data string) string { return filepath.Join(data, "admin.sock") }

// Server is a desk behind a socket.
type Server struct {
	path string
	http *http.Server
	done chan struct{}
}

// Listen serves the desk on the socket of the data folder. The caller holds
// the store's lock, so a socket file that is already there is a dead server's
// and is removed.
func Listen(data string, d *Desk) (*Server, error) {
	path := SocketPath(data)
	listener, err := listen(path)
	if err != nil {
		return nil, fmt.Errorf("open admin socket %s: %w", path, err)
	}
	s := &Server{path: path, done: make(chan struct{})}
	s.http = &http.Server{Handler: handler(d), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(listener) // always ErrServerClosed: Close is the only end
	}()
	return s, nil
}

func listen(path string) (net.Listener, error) {
	if len(path) > maxSocketPath {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrLongPath, len(path), maxSocketPath)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil { // I1; the data folder itself is 0700
		return nil, errors.Join(err, listener.Close())
	}
	return listener, nil
}

// Close stops taking operations and waits for those that run, until the
// context ends. It may be called twice.
func (s *Server) Close(ctx context.Context) error {
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = errors.Join(err, s.http.Close())
	}
	<-s.done
	return err
}

// failure is how an error crosses the socket.
type failure struct {
	Error string `json:"error"`
}

const maxRequest = 64 << 10

func handler(d *Desk) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /{op}", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
		if err == nil {
			body, err = d.run(r.Context(), r.PathValue("op"), body)
		}
		w.Header().Set("Content-Type", "application/json")
		if err != nil {
			w.WriteHeader(http.StatusUnprocessableEntity)
			body, _ = json.Marshal(failure{err.Error()}) // a struct of one text always encodes
		}
		_, _ = w.Write(body) // the command has gone if this fails
	})
	return mux
}
