package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// TestTwoTenants asks every endpoint that takes an id for another tenant's:
// the answer is 404, the same as for an id that nobody has, and never 403,
// which would tell that it exists.
func TestTwoTenants(t *testing.T) {
	h := startHouse(t)
	h.mustCLI("tenant", "create", "other")
	other := h.mustCLI("key", "create", "--tenant", "other")

	fact := h.mustAsk(h.key, "POST", "/api/learn", `{"content":"The vault opens at nine, says Mona","entities":["Mona"]}`)["id"].(string)
	decision := h.mustAsk(h.key, "POST", "/api/decide", `{"title":"Vault","decision":"Open at nine","reasoning":"Mona is there"}`)["id"].(string)
	entity := h.mustAsk(h.key, "POST", "/api/entity", `{"name":"Mona","entityType":"person","observations":["Has the vault key"]}`)["entityId"].(string)

	const nobody = "01890000-0000-7000-8000-000000000000"
	for _, id := range []string{fact, decision, entity} {
		for _, c := range []struct{ method, path, body string }{
			{"GET", "/api/memories/{id}", ""},
			{"GET", "/api/memories/{id}/history", ""},
			{"PATCH", "/api/memories/{id}", `{"category":"stolen"}`},
			{"DELETE", "/api/memories/{id}", ""},
			{"GET", "/api/entities/{id}", ""},
			{"GET", "/api/graph?entity={id}", ""},
			{"POST", "/api/learn", `{"content":"Mona left","supersedes":"{id}"}`},
			{"POST", "/api/decide", `{"title":"a","decision":"b","reasoning":"c","supersedes":"{id}"}`},
		} {
			mine := h.ask(other, c.method, put(c.path, id), put(c.body, id))
			nobodys := h.ask(other, c.method, put(c.path, nobody), put(c.body, nobody))
			if mine.status != http.StatusNotFound || nobodys.status != http.StatusNotFound {
				t.Errorf("%s %s %s: %d for a foreign id, %d for nobody's; want 404 for both: %s", c.method, c.path, c.body, mine.status, nobodys.status, mine.body)
			}
			if a, b := without(mine, id), without(nobodys, nobody); a != b {
				t.Errorf("%s %s tells a foreign id from nobody's: %q, %q", c.method, c.path, a, b)
			}
		}
	}
	nothingShows(t, h, other, fact)
	for _, id := range []string{fact, decision, entity} {
		h.mustAsk(h.key, "GET", "/api/memories/"+id, "")
	}
}

// nothingShows goes through the endpoints without ids.
func nothingShows(t *testing.T, h *house, other, fact string) {
	t.Helper()
	for _, c := range []struct{ method, path, body string }{
		{"POST", "/api/search", `{"query":"vault Mona nine"}`},
		{"POST", "/api/context", `{"query":"vault Mona","tokenBudget":500}`},
		{"POST", "/api/forget", `{"ids":["` + fact + `"],"dryRun":false}`},
		{"POST", "/api/forget", `{"filter":{"types":["fact"]},"dryRun":false}`},
		{"GET", "/api/memories", ""},
		{"GET", "/api/entities", ""},
		{"GET", "/api/entities?name=Mona", ""},
		{"GET", "/api/timeline", ""},
	} {
		a := h.ask(other, c.method, c.path, c.body)
		if a.status != http.StatusOK && a.status != http.StatusNotFound {
			t.Errorf("%s %s: %d %s", c.method, c.path, a.status, a.body)
		}
		if strings.Contains(a.body, "at nine") || strings.Contains(a.body, `"erased":1`) || strings.Contains(a.body, `"name":"Mona"`) {
			t.Errorf("%s %s shows another tenant's memory: %s", c.method, c.path, a.body)
		}
	}
	if a := h.ask(other, "GET", "/api/graph?entity=Mona", ""); a.status != http.StatusNotFound {
		t.Errorf("the graph of another tenant's entity: %d %s", a.status, a.body)
	}
}

// without is the detail of a refusal with the id taken out.
func without(a answer, id string) string {
	var problem struct{ Detail string }
	_ = json.Unmarshal([]byte(a.body), &problem) // no JSON has no detail
	return strings.ReplaceAll(problem.Detail, id, "")
}

func put(text, id string) string { return strings.ReplaceAll(text, "{id}", id) }
