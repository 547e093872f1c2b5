package rest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"loci/engine/memory"
)

// TestNothingOfTheBuffersIsKept: two tenants send interleaved requests of
// different lengths over connections that are used again and again; what the
// service kept must still be what each of them sent (E1).
func TestNothingOfTheBuffersIsKept(t *testing.T) {
	h := open(t)
	var senders sync.WaitGroup
	const rounds = 60
	for sender, key := range []string{"loci_a", "loci_b", "loci_a", "loci_b"} {
		senders.Go(func() {
			for i := range rounds {
				word := strings.Repeat(strings.TrimPrefix(key, "loci_"), 1+(i*37)%400)
				body := fmt.Sprintf(`{"content":%q,"tags":[%q],"project":%q,"entities":[%q],"metadata":{"of":%q}}`, word, word[:min(90, len(word))], word[:min(190, len(word))], word[:1], word)
				if r := h.call(key, "POST", "/api/learn", body, "Idempotency-Key", fmt.Sprintf("%d-%d", sender, i)); r.status != 200 {
					t.Errorf("%d %s", r.status, r.body)
				}
				h.call(key, "GET", "/api/memories?project="+word[:1]+"&limit=1", "")
			}
		})
	}
	senders.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.asked) != 4*rounds {
		t.Fatalf("%d requests arrived", len(h.asked))
	}
	for _, what := range h.asked {
		pure(t, what)
	}
	for tenant, letter := range map[memory.TenantID]string{tenantA: "a", tenantB: "b"} {
		for _, m := range h.all(tenant) {
			if strings.Trim(m.Content, letter) != "" {
				t.Fatalf("tenant %s holds %q", letter, m.Content)
			}
		}
	}
}

// pure fails unless every part of a request is made of the one letter that
// its content is made of.
func pure(t *testing.T, what *memory.LearnRequest) {
	t.Helper()
	letter := what.Content[:1]
	var metadata map[string]string
	if err := json.Unmarshal(what.Metadata, &metadata); err != nil {
		t.Fatalf("%s: %v", what.Metadata, err)
	}
	for _, part := range []string{what.Content, what.Tags[0], what.Project, what.Entities[0], metadata["of"]} {
		if strings.Trim(part, letter) != "" || metadata["of"] != what.Content {
			t.Fatalf("a request of %s holds %q", letter, part)
		}
	}
}
