package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"loci/engine/memory"
	"loci/httpedge"
	"loci/httpedge/rest"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// fasthttp keeps one clock for the Date header for the life of the process,
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1"),
		// and the cleaner of a stopped pool sleeps its last ten seconds out.
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2"))
}

var (
	tenantA, tenantB = memory.NewTenantID(), memory.NewTenantID()
	both             = []memory.Scope{memory.ScopeRead, memory.ScopeWrite}
)

// keyring knows two tenants, a key that may only read, and one that is revoked.
type keyring struct{}

func (keyring) Authenticate(_ context.Context, credential string) (memory.Caller, error) {
	switch credential {
	case "loci_a":
		return memory.Caller{Tenant: tenantA, KeyID: memory.NewID(), Scopes: both}, nil
	case "loci_b":
		return memory.Caller{Tenant: tenantB, KeyID: memory.NewID(), Scopes: both}, nil
	case "loci_reader":
		return memory.Caller{Tenant: tenantA, KeyID: memory.NewID(), Scopes: both[:1]}, nil
	case "loci_revoked":
		return memory.Caller{}, memory.Refuse(memory.Unauthenticated, "the credential has been revoked")
	}
	return memory.Caller{}, memory.Refuse(memory.Unauthenticated, "the credential is not known")
}

// house is the memory API over a fake, on a real port.
type house struct {
	*fake
	*httpedge.Server
	t    *testing.T
	addr string
	http *http.Client
}

func open(t *testing.T) *house { return openWith(t, httpedge.Options{}) }

func openWith(t *testing.T, o httpedge.Options) *house {
	t.Helper()
	service := newFake()
	o.Auth, o.Routes = keyring{}, append(rest.Routes(service), rest.EmbeddingRoutes(tiny{service})...)
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
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := errors.Join(srv.Shutdown(ctx), <-served); err != nil {
			t.Errorf("shutdown: %v", err)
		}
	})
	return &house{service, srv, t, ln.Addr().String(), &http.Client{Transport: transport, Timeout: 20 * time.Second}}
}

type reply struct {
	status int
	header http.Header
	body   []byte
	reused bool // the connection had served a request before
}

// call sends a request with a credential; more headers come in pairs.
func (h *house) call(key, method, path, body string, headers ...string) reply {
	h.t.Helper()
	req, err := http.NewRequest(method, "http://"+h.addr+path, bytes.NewReader([]byte(body)))
	if err != nil {
		h.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	var r reply
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { r.reused = info.Reused }}
	res, err := h.http.Do(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	r.status, r.header = res.StatusCode, res.Header
	if r.body, err = io.ReadAll(res.Body); err != nil {
		h.t.Fatal(err)
	}
	return r
}

// member reads a text member of a JSON answer.
func (r reply) member(name string) string {
	var all map[string]any
	_ = json.Unmarshal(r.body, &all)
	text, _ := all[name].(string)
	return text
}

// remember stores a fact and gives its id.
func (h *house) remember(key, content string) string {
	h.t.Helper()
	body, _ := json.Marshal(map[string]string{"content": content})
	r := h.call(key, "POST", "/api/learn", string(body))
	if r.status != 200 {
		h.t.Fatalf("learn: %d %s", r.status, r.body)
	}
	return r.member("id")
}

type problem struct {
	Code, Detail, RequestID string
	Status                  int
	Errors                  []memory.FieldError
}

func expectProblem(t *testing.T, r reply, status int, code memory.Code) problem {
	t.Helper()
	var p problem
	if err := json.Unmarshal(r.body, &p); err != nil || r.header.Get("Content-Type") != "application/problem+json" {
		t.Fatalf("got %d %s %s, want a problem with %d", r.status, r.header.Get("Content-Type"), r.body, status)
	}
	if r.status != status || p.Status != status || p.Code != string(code) || p.RequestID != r.header.Get("X-Request-Id") {
		t.Fatalf("got %d %s, want %d %s", r.status, r.body, status, code)
	}
	return p
}

func (p problem) names(field string) bool {
	for _, f := range p.Errors {
		if f.Field == field || strings.HasPrefix(f.Field, field+"[") {
			return true
		}
	}
	return false
}
