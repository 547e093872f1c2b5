package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"
)

func TestExitCodes(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args string
		want int
	}{
		{"", exitOK},
		{"--help", exitOK},
		{"serve --help", exitOK},
		{"version", exitOK},
		{"config", exitOK},
		{"config --queue 0", exitUsage},
		{"config --config none.yaml", exitUsage},
		{"serve --no-such-flag", exitUsage},
		{"serve --addr here", exitUsage},
		{"dance", exitUsage},
		{"key", exitUsage},
		{"key create --scope fly", exitUsage},
		{"key create --expires-in never", exitUsage},
		{"key list", exitFailed},
		{"check", exitFailed},
		{"bench load --url http://127.0.0.1:1", exitFailed},
	} {
		var out, errs bytes.Buffer
		m := &Main{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Env: func(string) (string, bool) { return "", false }}
		if got := m.Run(context.Background(), strings.Fields(c.args)); got != c.want {
			t.Errorf("loci %s: exit code %d, want %d; %s", c.args, got, c.want, errs.String())
		}
		if (out.Len() > 0) != (c.want == exitOK) || (errs.Len() > 0) != (c.want != exitOK) {
			t.Errorf("loci %s: %d bytes out, %d bytes of errors", c.args, out.Len(), errs.Len())
		}
	}
}

// TestPanicsAreNotSwallowed: only kong's own way out is.
func TestPanicsAreNotSwallowed(t *testing.T) {
	defer func() {
		if got := recover(); got != "a bug" {
			t.Errorf("got %v", got)
		}
	}()
	m := &Main{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}, Env: func(string) (string, bool) { panic("a bug") }}
	m.Run(context.Background(), []string{"config"})
}

// TestCloseStopsTheServer, and lets it be started again on the same folder.
func TestCloseStopsTheServer(t *testing.T) {
	h := startHouse(t)
	id := h.mustAsk(h.key, "POST", "/api/learn", `{"content":"Survives a restart"}`)["id"].(string)
	h.stop()
	if _, err := ask(h.url, h.key, "GET", "/api/memories/"+id, ""); err == nil {
		t.Error("a closed server answers")
	}
	h.start()
	h.mustAsk(h.key, "GET", "/api/memories/"+id, "")
}

// TestSecondSignal ends a server at once that is still finishing a request.
func TestSecondSignal(t *testing.T) {
	k := &killer{t: t, data: t.TempDir()}
	child := k.start()
	conn, err := net.Dial("tcp", strings.TrimPrefix(child.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, err = conn.Write([]byte("POST /api/learn HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\nAuthorization: Bearer " + bootstrapKey + "\r\n\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	// From here on the server waits for the body.
	if line, err := bufio.NewReader(conn).ReadString('\n'); !strings.Contains(line, "100") {
		t.Fatal(line, err)
	}
	ended := make(chan error, 1)
	go func() {
		child.ended.Wait()
		ended <- child.cmd.Wait()
	}()
	// Other processes have no channels to wait on: signals are sent until one
	// finds the server past its first.
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		interrupt(t, child)
		select {
		case <-tick.C:
		case err := <-ended:
			if err == nil || err.Error() != "signal: interrupt" {
				t.Errorf("got %v, want an end by the signal: %s", err, child.stderr)
			}
			return
		}
	}
}

func interrupt(t *testing.T, c *child) {
	t.Helper()
	if err := c.cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
}
