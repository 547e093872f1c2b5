package httpedge_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"loci/engine/memory"
	"loci/httpedge"
)

func TestHealthAndReadiness(t *testing.T) {
	var ready atomic.Bool
	h := open(t, httpedge.Options{Ready: func() error {
		if !ready.Load() {
			return errors.New("opening the store at /var/secret")
		}
		return nil
	}})
	if r := h.call("GET", "/healthz", ""); r.status != 200 || string(r.body) != "ok\n" {
		t.Errorf("healthz: %d %s", r.status, r.body)
	}
	r := h.call("GET", "/readyz", "")
	if expectProblem(t, r, 503, memory.Overloaded); strings.Contains(string(r.body), "secret") {
		t.Errorf("the cause leaked: %s", r.body)
	}
	ready.Store(true)
	if r := h.call("GET", "/readyz", ""); r.status != 200 {
		t.Errorf("readyz: %d %s", r.status, r.body)
	}
}

func TestMetrics(t *testing.T) {
	h := open(t, httpedge.Options{Metrics: func(w io.Writer) { fmt.Fprintln(w, "loci_other_room 7") }})
	h.echo("x")
	h.call("GET", "/open/1", "")
	h.call("GET", "/open/2", "")
	h.call("GET", "/nowhere/3", "")
	h.call("BREW", "/echo", "")
	h.raw("nonsense\r\n\r\n")
	all := string(h.call("GET", "/metrics", "").body)
	for _, want := range []string{
		`loci_http_requests_total{method="POST",route="/echo",status="200"} 1`,
		`loci_http_requests_total{method="GET",route="/open/{id}",status="200"} 2`,
		`loci_http_requests_total{method="GET",route="(not found)",status="404"} 1`,
		`loci_http_requests_total{method="other",route="(method not allowed)",status="405"} 1`,
		`loci_http_requests_total{method="other",route="(unreadable)",status="400"} 1`,
		`loci_http_request_duration_seconds_bucket{route="/echo",le="+Inf"} 1`,
		"loci_http_requests_running 1", "loci_http_connections_open ", "loci_http_received_body_bytes_total 15", "loci_other_room 7", "process_cpu_seconds_total",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is missing from\n%s", want, all)
		}
	}
}

func TestAccessLog(t *testing.T) {
	for setting, want := range map[httpedge.AccessLog]int{httpedge.LogErrors: 1, httpedge.LogAll: 2, httpedge.LogOff: 0, "": 1} {
		h := open(t, httpedge.Options{AccessLog: setting})
		h.echo("a secret body", "X-Request-Id", "r1")
		h.call("POST", "/echo?colour=secret", `{"content":1}`, "Authorization", bearerA, "X-Request-Id", "r2")
		lines := strings.Split(strings.TrimSpace(h.logs.String()), "\n")
		if lines[0] == "" {
			lines = nil
		}
		if len(lines) != want {
			t.Errorf("%q: %d lines, want %d: %s", setting, len(lines), want, lines)
		}
		for _, line := range lines {
			var entry map[string]any
			if err := json.Unmarshal([]byte(line), &entry); err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"requestId", "method", "route", "status", "durationMs", "bytes", "tenant", "keyId"} {
				if entry[key] == nil {
					t.Errorf("%s lacks %s", line, key)
				}
			}
			if entry["msg"] != "request" || entry["route"] != "/echo" || strings.Contains(line, "secret") {
				t.Errorf("got %s", line)
			}
		}
	}
}

func TestDocuments(t *testing.T) {
	h := open(t, httpedge.Options{PublicURL: "https://memory.example/", Version: "1.2.3"})
	spec := h.call("GET", "/openapi.json", "")
	if spec.status != 200 || string(spec.body) != string(h.OpenAPI()) || !strings.Contains(string(spec.body), `"url":"https://memory.example"`) {
		t.Errorf("openapi.json: %d", spec.status)
	}
	etag := spec.header.Get("ETag")
	if r := h.call("GET", "/openapi.json", "", "If-None-Match", etag); r.status != 304 || len(r.body) != 0 || r.header.Get("ETag") != etag {
		t.Errorf("If-None-Match: %d %s", r.status, r.header)
	}
	page := h.call("GET", "/api", "", "Accept", "text/html")
	text := string(page.body)
	for _, want := range []string{"https://memory.example/echo", "error-not_found", `id="echo"`, "prefers-color-scheme", "at most 2000000", "1.2.3"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, bad := range []string{"<script", "src=", "@import", "<link"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %s, which needs a network", bad)
		}
	}
	if csp := page.header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") || page.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers %v", page.header)
	}
	var links struct {
		Name, Version string
		Links         map[string]string
	}
	if r := h.call("GET", "/api", "", "Accept", "text/html, application/json;q=0.5"); !strings.HasPrefix(r.header.Get("Content-Type"), "text/html") {
		t.Errorf("a browser gets %s", r.header.Get("Content-Type"))
	}
	r := h.call("GET", "/api", "", "Accept", "application/json")
	if err := json.Unmarshal(r.body, &links); err != nil || links.Name != "Loci" || links.Version != "1.2.3" || links.Links["openapi"] != "https://memory.example/openapi.json" {
		t.Errorf("%s: %v", r.body, err)
	}
}
