package redis

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// ErrMissing says that there is no redis-server to compare with.
var ErrMissing = errors.New("redis-server not installed")

// Server is a redis-server started for a comparison (I4).
type Server struct {
	Addr string
	cmd  *exec.Cmd
	done chan struct{}
}

// Settings are the options that make a SET as durable as a learn: in the
// append-only file and synced before the answer, and no snapshots beside it.
func Settings() []string {
	return []string{"--appendonly", "yes", "--appendfsync", "always", "--save", ""}
}

// Start runs a redis-server with [Settings] and its files in dir, and waits
// until it answers. It is ErrMissing if none is on the PATH.
func Start(ctx context.Context, dir string) (*Server, error) {
	program, err := exec.LookPath("redis-server")
	if err != nil {
		return nil, ErrMissing
	}
	port, err := freePort()
	if err != nil {
		return nil, fmt.Errorf("start redis-server: %w", err)
	}
	args := []string{"--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--dir", dir}
	cmd := exec.Command(program, append(args, Settings()...)...)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start redis-server: %w", err)
	}
	s := &Server{Addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), cmd: cmd, done: make(chan struct{})}
	go s.wait()
	if err := s.ready(ctx); err != nil {
		s.Stop()
		return nil, fmt.Errorf("start redis-server: %w", err)
	}
	return s, nil
}

// PID is the process to read the processor time of.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Stop ends the server and waits for its end; its data is thrown away, so that
// it needs no warning. It may be stopped twice.
func (s *Server) Stop() {
	_ = s.cmd.Process.Signal(syscall.SIGKILL)
	<-s.done
}

func (s *Server) wait() {
	_ = s.cmd.Wait()
	close(s.done)
}

func (s *Server) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	conn := New(s.Addr, time.Second)
	defer conn.Close()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		if conn.Ping() == nil {
			return nil
		}
		select {
		case <-again.C:
		case <-s.done:
			return errors.New("it ended before it answered")
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Version is the version of the redis-server on the PATH, or empty.
func Version() string {
	out, err := exec.Command("redis-server", "--version").Output()
	if err != nil {
		return ""
	}
	var version string
	if _, err := fmt.Sscanf(string(out), "Redis server v=%s", &version); err != nil {
		return ""
	}
	return version
}

// freePort asks the kernel for a port that nobody listens on. Another process
// could take it before Redis does; Start would then say so.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().(*net.TCPAddr).Port, nil
}
