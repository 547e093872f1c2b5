package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"loci/bench/cpu"
	"loci/bench/rawhttp"
)

// target is a server to measure: one that runs already, or a process started
// for it with an empty store (I1).
type target struct {
	addr, key string
	cmd       *exec.Cmd // nil for a server that ran already
	done      chan struct{}
	dir       string
}

// readyWithin is how long a server may take from its start to /readyz.
const readyWithin = 15 * time.Second

// bootstrapKey is a credential for a server that nobody else can reach and
// whose store lives for seconds.
const bootstrapKey = "loci_bench_0123456789abcdef0123456789abcdef"

// openTarget finds or starts the server that the suite names.
func openTarget(ctx context.Context, s Suite) (*target, error) {
	if s.URL != "" {
		addr, err := address(s.URL)
		return &target{addr: addr, key: s.Key}, err
	}
	t, err := startTarget(s)
	if err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	if err := t.ready(ctx); err != nil {
		said := t.said()
		t.stop()
		return nil, fmt.Errorf("start server: %w%s", err, said)
	}
	return t, nil
}

func startTarget(s Suite) (*target, error) {
	addr, err := freeAddr()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(s.Temp, "loci-bench-")
	if err != nil {
		return nil, err
	}
	t := &target{addr: addr, key: bootstrapKey, dir: dir, done: make(chan struct{})}
	if err := t.launch(s); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	return t, nil
}

func (t *target) launch(s Suite) error {
	output, err := os.Create(t.logFile())
	if err != nil {
		return err
	}
	defer func() { _ = output.Close() }()
	program, err := filepath.Abs(s.Server) // it will run in another folder
	if err != nil {
		return err
	}
	args := []string{"serve", "--addr", t.addr, "--data", filepath.Join(t.dir, "data")}
	t.cmd = exec.Command(program, append(args, s.ServerArgs...)...)
	t.cmd.Env = childEnv(os.Environ())
	t.cmd.Stdout, t.cmd.Stderr = output, output
	t.cmd.Dir = t.dir // a configuration file lying about must not be found
	if err := t.cmd.Start(); err != nil {
		return err
	}
	go func() { _ = t.cmd.Wait(); close(t.done) }()
	return nil
}

// childEnv takes our own settings out, so that the server under test runs by
// its defaults whoever starts the suite.
func childEnv(ours []string) []string {
	var theirs []string
	for _, one := range ours {
		if !strings.HasPrefix(one, "LOCI_") {
			theirs = append(theirs, one)
		}
	}
	return append(theirs, "LOCI_BOOTSTRAP_KEY="+bootstrapKey)
}

func (t *target) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, readyWithin, fmt.Errorf("not ready within %v", readyWithin))
	defer cancel()
	conn, err := rawhttp.New(t.addr, time.Second)
	if err != nil {
		return err
	}
	defer conn.Close()
	ask, again := rawhttp.Get(t.addr, "/readyz"), time.NewTicker(10*time.Millisecond)
	defer again.Stop()
	for {
		if status, _, err := conn.Do(ask); err == nil && status == 200 {
			return nil
		}
		select {
		case <-again.C:
		case <-t.done:
			return errors.New("it ended before it was ready")
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// cpu is nil for a server whose process is not known.
func (t *target) cpu() func() (time.Duration, error) {
	if t.cmd == nil {
		return nil
	}
	return func() (time.Duration, error) { return cpu.OfProcess(t.cmd.Process.Pid) }
}

// stop asks a started server to end, and makes it end after five seconds; then
// its store is removed. A server that ran already is left alone.
func (t *target) stop() {
	if t.cmd == nil {
		return
	}
	_ = t.cmd.Process.Signal(syscall.SIGTERM)
	patience := time.AfterFunc(5*time.Second, func() { _ = t.cmd.Process.Kill() })
	<-t.done
	patience.Stop()
	_ = os.RemoveAll(t.dir)
}

func (t *target) logFile() string { return filepath.Join(t.dir, "output") }

// said is the end of what the server printed, for an error message.
func (t *target) said() string {
	file, err := os.Open(t.logFile())
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err == nil {
		_, _ = file.Seek(max(info.Size()-2000, 0), io.SeekStart)
	}
	text, _ := io.ReadAll(file)
	if len(text) == 0 {
		return ""
	}
	return "; it said:\n" + string(text)
}

// freeAddr asks the kernel for a loopback address that nobody listens on.
func freeAddr() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String(), nil
}
