package httpedge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"loci/engine/memory"
	"loci/httpedge"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// fasthttp keeps one clock for the Date header for the life of the process,
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1"),
		// and the cleaner of a stopped pool sleeps its last ten seconds out.
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2"))
}

// keys is an authenticator over a fixed set of credentials.
type keys map[string]memory.Caller

func (k keys) Authenticate(_ context.Context, credential string) (memory.Caller, error) {
	who, ok := k[credential]
	if !ok {
		return memory.Caller{}, memory.Refuse(memory.Unauthenticated, "the credential is not known")
	}
	return who, nil
}

var (
	tenantA, tenantB = memory.NewTenantID(), memory.NewTenantID()
	testKeys         = keys{
		"key-a":    {Tenant: tenantA, KeyID: memory.NewID(), Scopes: []memory.Scope{memory.ScopeRead, memory.ScopeWrite}},
		"key-b":    {Tenant: tenantB, KeyID: memory.NewID(), Scopes: []memory.Scope{memory.ScopeAdmin}},
		"key-read": {Tenant: tenantA, KeyID: memory.NewID(), Scopes: []memory.Scope{memory.ScopeRead}},
	}
)

// echo answers with what it was sent.
type echo struct {
	Content string `json:"content" rule:"max=2000000"`
}

type echoed struct {
	memory.Outcome
	Content string `json:"content"`
	Tenant  string `json:"tenant"`
	Key     string `json:"key"`
	Sum     string `json:"sum"`
}

// testRoutes are small routes that show what the edge does around a handler.
func testRoutes(extra ...httpedge.Route) []httpedge.Route {
	return append([]httpedge.Route{
		{Method: "POST", Path: "/echo", Scope: memory.ScopeWrite, Handle: handleEcho,
			Doc: httpedge.Doc{ID: "echo", Group: "Test", Summary: "Echo", Body: echo{}, Result: echoed{}, Once: true, Example: `{"content":"x"}`}},
		{Method: "GET", Path: "/open/{id}", Handle: func(r *httpedge.Request) error { return r.OK(&echoed{Content: r.Param("id")}) },
			Doc: httpedge.Doc{ID: "open", Group: "Test", Summary: "Open", Result: echoed{}, ExampleID: "1"}},
		{Method: "GET", Path: "/panic", Handle: func(*httpedge.Request) error { panic("boom: secret") },
			Doc: httpedge.Doc{ID: "panic", Group: "Test", Summary: "Panic", Result: echoed{}}},
	}, extra...)
}

func handleEcho(r *httpedge.Request) error {
	var what echo
	if err := r.Decode(&what); err != nil {
		return err
	}
	once := r.Caller.Once
	result := &echoed{Content: what.Content, Tenant: r.Caller.Tenant.String(), Key: once.Key, Sum: string(hexOf(once.Body[:4]))}
	if once.Key == "replay" {
		result.MarkReplayed()
	}
	return r.OK(result)
}

func hexOf(b []byte) (out []byte) {
	for _, c := range b {
		out = append(out, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
	}
	return out
}

// house is a running server.
type house struct {
	*httpedge.Server
	t    *testing.T
	addr string
	url  string
	logs *logBuffer
	http *http.Client
}

type logBuffer struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.String()
}

// open starts a server on a free port and stops it at the end of the test.
func open(t *testing.T, o httpedge.Options) *house {
	t.Helper()
	if o.Routes == nil {
		o.Routes = testRoutes()
	}
	if o.Auth == nil {
		o.Auth = testKeys
	}
	logs := &logBuffer{}
	o.Log = slog.New(slog.NewJSONHandler(logs, nil))
	srv, err := httpedge.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	transport := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 16}
	h := &house{srv, t, ln.Addr().String(), "http://" + ln.Addr().String(), logs, &http.Client{Transport: transport, Timeout: 20 * time.Second}}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := errors.Join(srv.Shutdown(ctx), <-served); err != nil {
			t.Errorf("shutdown: %v", err)
		}
	})
	return h
}

// reply is an answer, read whole.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// call sends a request; headers come in pairs.
func (h *house) call(method, path string, body string, headers ...string) reply {
	h.t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	req, err := http.NewRequest(method, h.url+path, reader)
	if err != nil {
		h.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := h.http.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	all, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return reply{res.StatusCode, res.Header, all}
}

const bearerA = "Bearer key-a"

// echo sends a good POST as tenant A.
func (h *house) echo(content string, headers ...string) reply {
	body, _ := json.Marshal(echo{content})
	return h.call("POST", "/echo", string(body), append([]string{"Authorization", bearerA}, headers...)...)
}

// problem is a refusal as a client reads it.
type problem struct {
	Type, Title, Detail, Code, RequestID string
	Status                               int
	Errors                               []memory.FieldError
}

// expectProblem checks everything that all refusals have in common.
func expectProblem(t *testing.T, r reply, status int, code memory.Code) problem {
	t.Helper()
	var p problem
	if r.status != status || r.header.Get("Content-Type") != "application/problem+json" {
		t.Fatalf("got %d %s %s, want a problem with %d", r.status, r.header.Get("Content-Type"), r.body, status)
	}
	if err := json.Unmarshal(r.body, &p); err != nil {
		t.Fatalf("%s: %v", r.body, err)
	}
	if p.Status != status || p.Code != string(code) || p.Title == "" || p.Detail == "" || !strings.HasSuffix(p.Type, "/api#error-"+string(code)) {
		t.Errorf("got %s, want status %d and code %s", r.body, status, code)
	}
	if p.RequestID == "" || p.RequestID != r.header.Get("X-Request-Id") {
		t.Errorf("requestId %q, header %q (E3)", p.RequestID, r.header.Get("X-Request-Id"))
	}
	return p
}

// expectField checks that a problem names a field.
func expectField(t *testing.T, p problem, field string) {
	t.Helper()
	for _, f := range p.Errors {
		if f.Field == field {
			return
		}
	}
	t.Errorf("%+v does not name %s", p.Errors, field)
}

// stillServes shows that the connection or at least the server goes on.
func (h *house) stillServes() {
	h.t.Helper()
	if r := h.echo("still here"); r.status != 200 {
		h.t.Errorf("afterwards: %d %s", r.status, r.body)
	}
}
