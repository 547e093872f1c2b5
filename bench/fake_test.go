package bench

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/valyala/fasthttp"
	"go.uber.org/goleak"

	"loci/engine/memory"
)

// fakeRole makes this test binary act as the server under test, so that the
// suite starts, measures and stops a real process: "server" answers, "broken"
// ends at once.
const fakeRole = "BENCH_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(fakeRole) {
	case "server":
		os.Exit(fakeMain(os.Args[1:]))
	case "broken":
		fmt.Println("the disk is on fire")
		os.Exit(1)
	}
	// fasthttp's own: they end up to ten seconds after Shutdown, or never.
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2"),
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1"))
}

// fakeMain understands "serve --addr A --data D" and ends by SIGTERM.
func fakeMain(args []string) int {
	flags := flag.NewFlagSet("serve", flag.ExitOnError)
	addr, data := flags.String("addr", "", ""), flags.String("data", "", "")
	if args[0] != "serve" || flags.Parse(args[1:]) != nil || *data == "" {
		return 2
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	go func() {
		_ = (&fasthttp.Server{Handler: newFake(os.Getenv("LOCI_BOOTSTRAP_KEY")).handle}).Serve(listener)
	}()
	<-ended
	return 0
}

// fake is the smallest server that keeps the contract the suite relies on: it
// checks every request as the real one does and knows duplicates.
type fake struct {
	key string
	mu  struct {
		sync.Mutex
		known map[string]bool
	}
}

func newFake(key string) *fake {
	f := &fake{key: key}
	f.mu.known = map[string]bool{}
	return f
}

func (f *fake) handle(ctx *fasthttp.RequestCtx) {
	path := string(ctx.Path())
	if path == "/readyz" {
		return
	}
	if string(ctx.Request.Header.Peek("Authorization")) != "Bearer "+f.key {
		ctx.Error(`{"code":"unauthenticated"}`, fasthttp.StatusUnauthorized)
		return
	}
	answer, err := f.answer(path, ctx.PostBody())
	if err != nil {
		ctx.Error(err.Error(), fasthttp.StatusBadRequest)
		return
	}
	ctx.SetBodyString(answer)
}

func (f *fake) answer(path string, body []byte) (string, error) {
	switch path {
	case "/api/learn":
		var r memory.LearnRequest
		if err := decode(body, &r); err != nil {
			return "", err
		}
		return f.learn(&r)
	case "/api/learn/batch":
		var r memory.BatchRequest
		if err := decode(body, &r); err != nil {
			return "", err
		}
		return f.batch(&r)
	case "/api/search":
		var r memory.SearchRequest
		if err := decode(body, &r); err != nil {
			return "", err
		}
		return `{"success":true,"results":[{"content":"x"}],"count":1}`, r.Check()
	}
	return "", fmt.Errorf("no route %s", path)
}

func (f *fake) learn(r *memory.LearnRequest) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	action := memory.Added
	if f.mu.known[r.Content] {
		action = memory.Skipped
	}
	f.mu.known[r.Content] = true
	return fmt.Sprintf(`{"success":true,"action":%q}`, action), r.Check()
}

func (f *fake) batch(r *memory.BatchRequest) (string, error) {
	var items []string
	for i := range r.Items {
		item, err := f.learn(&r.Items[i])
		if err != nil {
			return "", err
		}
		items = append(items, item)
	}
	return `{"success":true,"results":[` + strings.Join(items, ",") + `]}`, nil
}

func decode(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// serveFake runs a handler in this process for the length of a test.
func serveFake(t *testing.T, handle fasthttp.RequestHandler) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, done := &fasthttp.Server{Handler: handle}, make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Shutdown(); <-done })
	return "http://" + listener.Addr().String()
}
