package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// send is ask with a header.
func (h *house) send(method, path, body, header, value string) answer {
	h.t.Helper()
	request, err := http.NewRequest(method, h.url+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+h.key)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set(header, value)
	a, err := do(request)
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

// TestLifeOfAMemory goes from learning to forgetting through every room.
func TestLifeOfAMemory(t *testing.T) {
	h := startHouse(t)
	id := h.mustAsk(h.key, "POST", "/api/learn", `{"content":"The north gate opens at eight","entities":["North gate"],"occurredAt":"2025-05-01"}`)["id"].(string)
	at := "/api/memories/" + id
	first := h.ask(h.key, "GET", at, "")
	tag := first.header.Get("ETag")

	if a := h.send("PATCH", at, `{"content":"The north gate opens at nine"}`, "If-Match", `"99"`); a.status != http.StatusPreconditionFailed {
		t.Errorf("patch of another version: %d %s", a.status, a.body)
	}
	if a := h.send("PATCH", at, `{"content":"The north gate opens at nine"}`, "If-Match", tag); a.status != http.StatusOK {
		t.Errorf("patch: %d %s", a.status, a.body)
	}
	if a := h.send("DELETE", at, "", "If-Match", tag); a.status != http.StatusPreconditionFailed {
		t.Errorf("delete of the old version: %d %s", a.status, a.body)
	}
	for _, c := range []struct{ method, path, body, want string }{
		{"POST", "/api/search", `{"query":"When does the gate open?"}`, "opens at nine"},
		{"POST", "/api/context", `{"query":"gate","tokenBudget":200}`, "opens at nine"},
		{"GET", at + "/history", "", "opens at eight"},
		{"GET", "/api/memories", "", "opens at nine"},
		{"GET", "/api/timeline?from=2025-01-01&to=2026-01-01", "", "opens at nine"},
		{"GET", "/api/entities", "", "North gate"},
		{"GET", "/api/graph?entity=North%20gate", "", "North gate"},
		{"POST", "/api/forget", `{"ids":["` + id + `"]}`, `"erased":0`},
		{"POST", "/api/forget", `{"ids":["` + id + `"],"dryRun":false}`, `"erased":1`},
	} {
		if a := h.ask(h.key, c.method, c.path, c.body); a.status != http.StatusOK || !strings.Contains(a.body, c.want) {
			t.Errorf("%s %s: %d without %q: %s", c.method, c.path, a.status, c.want, a.body)
		}
	}
	if a := h.ask(h.key, "GET", at, ""); a.status != http.StatusNotFound {
		t.Errorf("after forget: %d", a.status)
	}
	if a := h.ask(h.key, "POST", "/api/search", `{"query":"gate opens","includeSuperseded":true}`); strings.Contains(a.body, "opens at") {
		t.Errorf("forgotten, but found: %s", a.body)
	}
	h.mustCLI("check")
}

// TestIdempotencyOutlivesARestart: the answer is kept with the write.
func TestIdempotencyOutlivesARestart(t *testing.T) {
	h := startHouse(t)
	const body = `{"content":"Paid invoice 7711"}`
	first := h.send("POST", "/api/learn", body, "Idempotency-Key", "pay-7711")
	h.stop()
	h.start()
	again := h.send("POST", "/api/learn", body, "Idempotency-Key", "pay-7711")
	if again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("got %s, %v; want %s replayed", again.body, again.header, first.body)
	}
	if a := h.send("POST", "/api/learn", `{"content":"Paid invoice 7712"}`, "Idempotency-Key", "pay-7711"); a.status != http.StatusConflict {
		t.Errorf("another body: %d %s", a.status, a.body)
	}
	if page := h.mustAsk(h.key, "GET", "/api/memories", ""); page["count"] != 1.0 {
		t.Errorf("stored %v times", page["count"])
	}
}

// TestCheckWhileWriting proves agreement between two writes of a busy tenant.
func TestCheckWhileWriting(t *testing.T) {
	h := startHouse(t)
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for w := range 2 {
		writers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				body := fmt.Sprintf(`{"content":"Measurement %d of station %d","dedupe":"off"}`, i, w)
				if a, err := ask(h.url, h.key, "POST", "/api/learn", body); err != nil || a.status != http.StatusOK {
					t.Errorf("%v %d %s", err, a.status, a.body)
					return
				}
			}
		})
	}
	for range 5 {
		if out := h.mustCLI("check"); !strings.Contains(out, "running server") {
			t.Error(out)
		}
	}
	close(stop)
	writers.Wait()
	h.stop()
	if out := h.mustCLI("check"); !strings.Contains(out, "stopped store") {
		t.Error(out)
	}
}

// TestRevokedKeyFailsAtOnce, while a key of another tenant goes on.
func TestRevokedKeyFailsAtOnce(t *testing.T) {
	h := startHouse(t)
	h.mustCLI("tenant", "create", "other")
	other := h.mustCLI("key", "create", "--tenant", "other")
	h.mustAsk(other, "GET", "/api/memories", "")
	id := ""
	for line := range strings.Lines(h.mustCLI("key", "list", "--tenant", "other")) {
		id = strings.Fields(line)[0] // the last line is the only key
	}
	h.mustCLI("key", "revoke", id)
	if a := h.ask(other, "GET", "/api/memories", ""); a.status != http.StatusUnauthorized || a.header.Get("WWW-Authenticate") == "" {
		t.Errorf("a revoked key: %d %v", a.status, a.header)
	}
	h.mustAsk(h.key, "GET", "/api/memories", "")
}
