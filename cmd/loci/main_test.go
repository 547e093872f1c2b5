package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"
)

// TestMain lets the scripts and the kill test run this test binary as the
// program itself, and looks for goroutines left behind by everything else.
func TestMain(m *testing.M) {
	testscript.Main(leakFree{m}, map[string]func(){"loci": main})
}

type leakFree struct{ *testing.M }

func (l leakFree) Run() int {
	code := l.M.Run()
	http.DefaultClient.CloseIdleConnections()
	err := goleak.Find(
		// fasthttp starts these two once and has no way to end them.
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1"),
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// house is a whole server inside the test, on a free port and a folder of its
// own, with the program's commands at hand.
type house struct {
	t    *testing.T
	data string
	url  string
	key  string // of tenant "default"
	main *Main
}

const bootstrapKey = "loci_0123456789abcdefghijklmnopqrstuvwxyz-TEST"

// startHouse starts a server on an empty store.
func startHouse(t *testing.T, flags ...string) *house {
	h := &house{t: t, data: t.TempDir(), key: bootstrapKey}
	h.start(flags...)
	return h
}

func (h *house) start(flags ...string) {
	h.t.Helper()
	listening := make(chan net.Addr, 1)
	ended := make(chan int, 1)
	log := &safeBuffer{}
	h.main = &Main{
		Program: "loci", Stdin: strings.NewReader(""), Stdout: log, Stderr: log, Env: h.env,
		Listening: func(a net.Addr) { listening <- a },
	}
	args := append([]string{"serve", "--addr", "127.0.0.1:0", "--data", h.data}, flags...)
	go func() { ended <- h.main.Run(context.Background(), args) }()
	select {
	case a := <-listening:
		h.url = "http://" + a.String()
	case code := <-ended:
		h.t.Fatalf("serve ended with %d: %s", code, log)
	}
	h.t.Cleanup(h.stop)
}

func (h *house) stop() {
	http.DefaultClient.CloseIdleConnections()
	h.main.Close()
}

// env gives the server its key and hides the environment of the test.
func (h *house) env(name string) (string, bool) {
	return bootstrapKey, name == "LOCI_BOOTSTRAP_KEY"
}

// cli runs a command on the house's data folder, which may be served or not.
func (h *house) cli(args ...string) (out string, code int) {
	h.t.Helper()
	var stdout, stderr bytes.Buffer
	m := &Main{Program: "loci", Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Env: h.env}
	code = m.Run(context.Background(), append(args, "--data", h.data))
	h.t.Logf("loci %s: %d\n%s", strings.Join(args, " "), code, stderr.String())
	return strings.TrimSpace(stdout.String()), code
}

// mustCLI is cli for what has to work.
func (h *house) mustCLI(args ...string) string {
	h.t.Helper()
	out, code := h.cli(args...)
	if code != exitOK {
		h.t.Fatalf("loci %s: exit code %d", strings.Join(args, " "), code)
	}
	return out
}

// answer is what came back over HTTP.
type answer struct {
	status int
	header http.Header
	body   string
}

// json reads the body, which must be an object.
func (a answer) json(t *testing.T) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(a.body), &v); err != nil {
		t.Fatalf("%v in %s", err, a.body)
	}
	return v
}

// ask sends one request.
func (h *house) ask(key, method, path, body string) answer {
	h.t.Helper()
	a, err := ask(h.url, key, method, path, body)
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

// mustAsk is ask for what has to be answered with 200.
func (h *house) mustAsk(key, method, path, body string) map[string]any {
	h.t.Helper()
	a := h.ask(key, method, path, body)
	if a.status != http.StatusOK {
		h.t.Fatalf("%s %s: %d %s", method, path, a.status, a.body)
	}
	return a.json(h.t)
}

func ask(url, key, method, path, body string) (answer, error) {
	request, err := http.NewRequest(method, url+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	return do(request)
}

func do(request *http.Request) (answer, error) {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(text)}, err
}

// safeBuffer takes writes from many goroutines.
type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
