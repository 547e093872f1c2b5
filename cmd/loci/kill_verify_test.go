package main

import (
	"fmt"
	"net/http"
	"strings"
)

// verify holds the ledger against the server: all that changed since the last
// verification, and up to sample of what is older.
func (w *writer) verify(sample int) error {
	if err := w.settle(); err != nil {
		return err
	}
	if err := w.verifyKept(w.kept[w.fresh:]); err != nil {
		return err
	}
	if err := w.verifyKept(w.sampled(w.kept[:w.fresh], sample)); err != nil {
		return err
	}
	for _, k := range append(w.sampled(w.gone[:w.settled], sample), w.gone[w.settled:]...) {
		if err := w.isGone(k.id, k.token); err != nil {
			return err
		}
	}
	w.fresh, w.settled = len(w.kept), len(w.gone)
	return nil
}

func (w *writer) sampled(list []*kept, n int) []*kept {
	if len(list) <= n {
		return list
	}
	picked := make([]*kept, 0, n)
	for range n {
		picked = append(picked, list[w.rng.IntN(len(list))])
	}
	return picked
}

// settle finds out what became of the writes that were cut off.
func (w *writer) settle() error {
	for _, u := range w.unsure {
		if err := w.allOrNothing(u); err != nil {
			return err
		}
	}
	w.unsure = nil
	for _, k := range append([]*kept(nil), w.kept[w.fresh:]...) {
		if err := w.settleChange(k); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) allOrNothing(u unsure) error {
	var found []*kept
	for _, token := range u.tokens {
		hits, err := w.search(token)
		if err != nil {
			return err
		}
		for _, h := range hits {
			if h.Type == u.kind {
				found = append(found, &kept{kind: u.kind, id: h.ID, token: token})
			}
		}
	}
	if len(found) != 0 && len(found) != len(u.tokens) {
		return fault("a %s of %d that was cut off is there by half: %d", u.kind, len(u.tokens), len(found))
	}
	w.kept = append(w.kept, found...)
	return nil
}

// settleChange reads what a patch or a delete that was cut off came to.
func (w *writer) settleChange(k *kept) error {
	if k.next == "" && !k.leaving {
		return nil
	}
	a, err := w.get(k)
	if err != nil {
		return err
	}
	switch {
	case a.status == http.StatusNotFound && k.leaving:
		w.forget(k)
		w.gone = append(w.gone, k)
	case a.status == http.StatusOK && k.next != "" && strings.Contains(a.body, text(k.next)):
		k.token = k.next
	case a.status != http.StatusOK || !strings.Contains(a.body, text(k.token)):
		return fault("%s %s with a change cut off: %d %s", k.kind, k.id, a.status, a.body)
	}
	k.next, k.leaving = "", false
	return nil
}

func (w *writer) verifyKept(list []*kept) error {
	for _, k := range list {
		if err := w.isKept(k); err != nil {
			return err
		}
	}
	return nil
}

// isKept: by id with its content, by search, and not for the other tenant.
func (w *writer) isKept(k *kept) error {
	a, err := w.get(k)
	if err != nil {
		return err
	}
	if a.status != http.StatusOK || !strings.Contains(a.body, text(k.token)) {
		return fault("LOST: %s %s %s: %d %s", k.kind, k.id, k.token, a.status, a.body)
	}
	hits, err := w.search(k.token)
	if err != nil {
		return err
	}
	if !hits.has(k.id) {
		return fault("LOST to search: %s %s %s: %+v", k.kind, k.id, k.token, hits)
	}
	a, err = ask(w.url, w.foreign, http.MethodGet, "/api/memories/"+k.id, "")
	if err == nil && a.status != http.StatusNotFound {
		return fault("%s is shown to another tenant: %d", k.id, a.status)
	}
	return err
}

func (w *writer) get(k *kept) (answer, error) {
	path := "/api/memories/"
	if k.kind == "entity" {
		path = "/api/entities/"
	}
	return ask(w.url, w.key, http.MethodGet, path+k.id, "")
}

func (w *writer) isGone(id, token string) error {
	a, err := ask(w.url, w.key, http.MethodGet, "/api/memories/"+id, "")
	if err != nil {
		return err
	}
	if a.status != http.StatusNotFound {
		return fault("BACK from the dead: %s: %d %s", id, a.status, a.body)
	}
	hits, err := w.search(token)
	if err == nil && hits.has(id) {
		return fault("BACK from the dead in search: %s %s", id, token)
	}
	return err
}

type hits []struct{ ID, Type, Content string }

func (h hits) has(id string) bool {
	for _, hit := range h {
		if hit.ID == id {
			return true
		}
	}
	return false
}

// search asks for a token by words: only what has the token answers.
func (w *writer) search(token string) (hits, error) {
	var out struct{ Results hits }
	err := w.call(http.MethodPost, "/api/search", map[string]any{"query": token, "mode": "text", "limit": 10}, &out)
	if err != nil {
		return nil, fmt.Errorf("search %s: %w", token, err)
	}
	return out.Results, nil
}
