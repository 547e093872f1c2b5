package httpedge_test

import (
	"encoding/json"
	"strings"
	"testing"

	"loci/engine/memory"
	"loci/httpedge"
)

func TestRequestIDs(t *testing.T) {
	h := open(t, httpedge.Options{})
	for _, c := range []struct {
		name, given string
		kept        bool
	}{
		{"none", "", false}, {"sane", "Abc-1.2_3", true}, {"longest", strings.Repeat("x", 128), true},
		{"too long", strings.Repeat("x", 129), false}, {"space", "a b", false}, {"quote", `a"b`, false}, {"beyond ASCII", "ä", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := h.call("GET", "/healthz", "", "X-Request-Id", c.given).header.Get("X-Request-Id")
			if (got == c.given) != c.kept || got == "" {
				t.Errorf("%q came back as %q", c.given, got)
			}
			if _, err := memory.ParseID(got); !c.kept && err != nil {
				t.Errorf("ours is %q: %v", got, err)
			}
		})
	}
	for _, path := range []string{"/nowhere", "/healthz/", "/panic", "/echo"} {
		if h.call("GET", path, "", "X-Request-Id", "mine").header.Get("X-Request-Id") != "mine" {
			t.Errorf("%s lost the request id (E3)", path)
		}
	}
}

func TestRouting(t *testing.T) {
	h := open(t, httpedge.Options{})
	expectProblem(t, h.call("GET", "/nowhere", ""), 404, memory.NotFound)
	expectProblem(t, h.call("GET", "/healthz/", ""), 404, memory.NotFound)
	expectProblem(t, h.call("GET", "/HEALTHZ", ""), 404, memory.NotFound)
	expectProblem(t, h.call("GET", "//healthz", ""), 404, memory.NotFound)

	r := h.call("DELETE", "/echo", "")
	expectProblem(t, r, 405, memory.MethodNotAllowed)
	if got := r.header.Get("Allow"); got != "OPTIONS, POST" {
		t.Errorf("Allow %q", got)
	}
	expectProblem(t, h.call("BREW", "/echo", ""), 405, memory.MethodNotAllowed)

	r = h.call("OPTIONS", "/open/1", "")
	if r.status != 204 || r.header.Get("Allow") != "GET, HEAD, OPTIONS" || len(r.body) != 0 {
		t.Errorf("OPTIONS: %d %q %s", r.status, r.header.Get("Allow"), r.body)
	}
	if r := h.call("OPTIONS", "/nowhere", ""); r.status != 404 {
		t.Errorf("OPTIONS of nothing: %d", r.status)
	}

	get, head := h.call("GET", "/open/abc", ""), h.call("HEAD", "/open/abc", "")
	if head.status != 200 || len(head.body) != 0 || head.header.Get("Content-Length") != get.header.Get("Content-Length") {
		t.Errorf("HEAD: %d %q %s", head.status, head.body, head.header)
	}
	if !strings.Contains(string(get.body), `"content":"abc"`) || !strings.HasPrefix(string(get.body), `{"success":true,`) {
		t.Errorf("GET: %s", get.body)
	}
}

func TestAuthentication(t *testing.T) {
	h := open(t, httpedge.Options{AccessLog: httpedge.LogAll})
	const bare, tried = `Bearer realm="loci"`, `Bearer realm="loci", error="invalid_token"`
	for _, c := range []struct{ name, header, challenge string }{
		{"none", "", bare}, {"unknown", "Bearer nope", tried}, {"other scheme", "Basic a2V5LWE=", tried}, {"no scheme", "key-a", tried},
		{"empty", "Bearer ", tried}, {"two", "Bearer key-a key-a", tried}, {"list", "Bearer key-a,Bearer key-b", tried},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := h.call("POST", "/echo", `{"content":"x"}`, "Authorization", c.header)
			expectProblem(t, r, 401, memory.Unauthenticated)
			if got := r.header.Get("WWW-Authenticate"); got != c.challenge {
				t.Errorf("challenge %q, want %q", got, c.challenge)
			}
		})
	}
	r := h.call("POST", "/echo", `{"content":"x"}`, "Authorization", "Bearer key-read")
	expectProblem(t, r, 403, memory.Forbidden)
	if !strings.Contains(r.header.Get("WWW-Authenticate"), `error="insufficient_scope", scope="memory:write"`) {
		t.Errorf("challenge %q", r.header.Get("WWW-Authenticate"))
	}
	for header, tenant := range map[string]memory.TenantID{"bearer key-a": tenantA, "Bearer  key-b": tenantB} {
		r := h.call("POST", "/echo", `{"content":"x"}`, "Authorization", header)
		var got echoed
		if json.Unmarshal(r.body, &got); got.Tenant != tenant.String() {
			t.Errorf("%s: %d %s", header, r.status, r.body)
		}
	}
	if log := h.logs.String(); strings.Contains(log, "key-a") || strings.Contains(log, "nope") {
		t.Errorf("a credential was logged (E6): %s", log)
	}
}

func TestCredentialInTheQuery(t *testing.T) {
	h := open(t, httpedge.Options{AccessLog: httpedge.LogAll})
	for _, name := range []string{"api_key", "apikey", "key", "token", "access_token", "API_KEY", "api%5Fkey"} {
		for _, path := range []string{"/echo", "/nowhere"} {
			r := h.call("POST", path+"?a=b&"+name+"=key-a", `{"content":"x"}`, "Authorization", bearerA)
			expectField(t, expectProblem(t, r, 400, memory.Invalid), strings.ToLower(strings.ReplaceAll(name, "%5F", "_")))
		}
	}
	if log := h.logs.String(); strings.Contains(log, "key-a") || strings.Contains(log, "a=b") {
		t.Errorf("a query was logged (E6): %s", log)
	}
	type verify struct {
		Token string `json:"token"`
	}
	public := httpedge.Route{Method: "GET", Path: "/verify", Handle: func(r *httpedge.Request) error {
		var what verify
		if err := r.Query(&what); err != nil {
			return err
		}
		return r.OK(&echoed{Content: what.Token})
	}, Doc: httpedge.Doc{ID: "verify", Group: "Test", Query: verify{}, Example: "token=x"}}
	h = open(t, httpedge.Options{Routes: testRoutes(public)})
	if r := h.call("GET", "/verify?token=once", ""); r.status != 200 {
		t.Errorf("a route that declares the parameter: %d %s", r.status, r.body)
	}
}

func TestPanicIsOneLostRequest(t *testing.T) {
	h := open(t, httpedge.Options{AccessLog: httpedge.LogOff})
	r := h.call("GET", "/panic", "")
	if p := expectProblem(t, r, 500, memory.Internal); strings.Contains(string(r.body), "secret") {
		t.Errorf("the client was told: %+v", p)
	}
	if log := h.logs.String(); !strings.Contains(log, "boom: secret") || !strings.Contains(log, "request_test.go") && !strings.Contains(log, "main_test.go") {
		t.Errorf("the log lacks the panic or its stack: %s", log)
	}
	h.stillServes()
}

func TestIdempotencyKey(t *testing.T) {
	h := open(t, httpedge.Options{})
	for _, bad := range []string{"a b", "é", strings.Repeat("x", 256), "tab\there"} {
		r := h.echo("x", "Idempotency-Key", bad)
		expectField(t, expectProblem(t, r, 400, memory.Invalid), "Idempotency-Key")
	}
	empty := h.raw("POST /echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key-a\r\nContent-Type: application/json\r\nIdempotency-Key: \r\nContent-Length: 2\r\n\r\n{}")
	expectField(t, expectProblem(t, empty, 400, memory.Invalid), "Idempotency-Key")
	twice := h.raw("POST /echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key-a\r\nContent-Type: application/json\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 2\r\n\r\n{}")
	expectField(t, expectProblem(t, twice, 400, memory.Invalid), "Idempotency-Key")
	sum := func(content string, headers ...string) echoed {
		var got echoed
		if err := json.Unmarshal(h.echo(content, headers...).body, &got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	one, same, other := sum("x", "Idempotency-Key", "k"), sum("x", "Idempotency-Key", "k"), sum("y", "Idempotency-Key", "k")
	if one.Key != "k" || one.Sum != same.Sum || one.Sum == other.Sum {
		t.Errorf("sums %v %v %v", one, same, other)
	}
	if none := sum("x"); none.Key != "" || none.Sum != "00000000" {
		t.Errorf("without a key: %v", none)
	}
	if r := h.echo("x", "Idempotency-Key", "replay"); r.header.Get("Idempotent-Replayed") != "true" {
		t.Error("a replay is not marked")
	}
	if r := h.echo("x", "Idempotency-Key", "first"); r.header.Get("Idempotent-Replayed") != "" {
		t.Error("a first answer is marked as a replay")
	}
}

func TestHandlersErrors(t *testing.T) {
	var failure error
	route := httpedge.Route{Method: "GET", Path: "/fails", Handle: func(*httpedge.Request) error { return failure }, Doc: httpedge.Doc{ID: "fails", Group: "Test"}}
	h := open(t, httpedge.Options{Routes: testRoutes(route)})
	for _, c := range failures {
		failure = c.err
		r := h.call("GET", "/fails", "")
		expectProblem(t, r, c.status, c.code)
		if got := r.header.Get("Retry-After"); got != c.retry {
			t.Errorf("%v: Retry-After %q, want %q", c.err, got, c.retry)
		}
		if strings.Contains(string(r.body), "disk") {
			t.Errorf("a cause leaked: %s", r.body)
		}
	}
	if !strings.Contains(h.logs.String(), "disk on fire") {
		t.Error("the cause of an internal error is not in the log")
	}
}
