package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
)

// kept is one memory as the server must have it. The token is a word that no
// other memory has, so that a search can ask for exactly this one.
type kept struct {
	kind  string // fact, decision or entity
	id    string
	token string
	// next is the token of a patch that was cut off: either may be there.
	next string
	// leaving says that a delete was cut off: it may be there or not.
	leaving bool
}

// unsure is a write without an answer: all its tokens are there, or none.
type unsure struct {
	kind   string
	tokens []string
}

// writer is one client. It keeps a ledger of what the server acknowledged.
type writer struct {
	number  int
	url     string
	key     string
	foreign string // key of the other tenant
	rng     *rand.Rand
	made    int

	kept    []*kept
	gone    []*kept
	unsure  []unsure
	fresh   int // kept[fresh:] has not been verified yet
	settled int // gone[settled:] has not been verified yet

	acknowledged, cutOff int
}

func newWriter(number int, key, foreign string) *writer {
	return &writer{number: number, key: key, foreign: foreign, rng: rand.New(rand.NewPCG(*killSeed, 100+uint64(number)))}
}

// errCut says that the server died before it answered.
var errCut = errors.New("cut off")

// write works until the server dies.
func (w *writer) write(ctx context.Context) error {
	for {
		err := w.one()
		switch {
		case errors.Is(err, errCut) && ctx.Err() != nil:
			w.cutOff++
			return nil
		case err != nil:
			return err
		}
		w.acknowledged++
	}
}

func (w *writer) one() error {
	dice := w.rng.IntN(10)
	old := w.pick()
	switch {
	case dice < 4 || old == nil:
		return w.learn()
	case dice < 5:
		return w.decide()
	case dice < 6:
		return w.entity()
	case dice < 7:
		return w.batch()
	case dice < 9:
		return w.patch(old)
	}
	return w.delete(old)
}

// pick takes a fact whose state is known.
func (w *writer) pick() *kept {
	for range min(len(w.kept), 8) {
		if k := w.kept[w.rng.IntN(len(w.kept))]; k.kind == "fact" && k.next == "" && !k.leaving {
			return k
		}
	}
	return nil
}

func (w *writer) token() string {
	w.made++
	return fmt.Sprintf("zq%dx%dk%d", w.number, w.made, w.rng.IntN(1000))
}

func text(token string) string {
	return "The parcel " + token + " was handed over at the gate and signed for by the night shift"
}

func (w *writer) learn() error {
	token := w.token()
	return w.create("fact", token, "/api/learn", map[string]any{"content": text(token), "dedupe": "off", "entities": []string{"Gate"}}, "id")
}

func (w *writer) decide() error {
	token := w.token()
	return w.create("decision", token, "/api/decide", map[string]any{"title": "Route of " + token, "decision": text(token), "reasoning": "It is shorter"}, "id")
}

func (w *writer) entity() error {
	token := w.token()
	return w.create("entity", token, "/api/entity", map[string]any{"name": "Depot " + token, "entityType": "place", "observations": []string{text(token)},
		"relations": []any{map[string]any{"to": "Gate", "relationType": "leads_to"}}}, "entityId")
}

func (w *writer) create(kind, token, path string, body map[string]any, idField string) error {
	var out map[string]any
	err := w.call(http.MethodPost, path, body, &out)
	if errors.Is(err, errCut) {
		w.unsure = append(w.unsure, unsure{kind, []string{token}})
	}
	if err != nil {
		return err
	}
	id, _ := out[idField].(string)
	w.kept = append(w.kept, &kept{kind: kind, id: id, token: token})
	return nil
}

func (w *writer) batch() error {
	var items []any
	var tokens []string
	for range 3 {
		tokens = append(tokens, w.token())
		items = append(items, map[string]any{"content": text(tokens[len(tokens)-1]), "dedupe": "off"})
	}
	var out struct{ Results []struct{ ID string } }
	err := w.call(http.MethodPost, "/api/learn/batch", map[string]any{"items": items}, &out)
	if errors.Is(err, errCut) {
		w.unsure = append(w.unsure, unsure{"fact", tokens})
	}
	if err != nil {
		return err
	}
	if len(out.Results) != len(tokens) {
		return fault("a batch of %d got %d results", len(tokens), len(out.Results))
	}
	for i, r := range out.Results {
		w.kept = append(w.kept, &kept{kind: "fact", id: r.ID, token: tokens[i]})
	}
	return nil
}

func (w *writer) patch(k *kept) error {
	token := w.token()
	err := w.call(http.MethodPatch, "/api/memories/"+k.id, map[string]any{"content": text(token)}, nil)
	switch {
	case errors.Is(err, errCut):
		k.next = token
	case err == nil:
		k.token = token
	}
	if err == nil || k.next != "" {
		w.recheck(k)
	}
	return err
}

func (w *writer) delete(k *kept) error {
	err := w.call(http.MethodDelete, "/api/memories/"+k.id, nil, nil)
	switch {
	case errors.Is(err, errCut):
		k.leaving = true
		w.recheck(k)
	case err == nil:
		w.forget(k)
		w.gone = append(w.gone, k)
	}
	return err
}

// recheck moves a memory among those that the next verification looks at.
func (w *writer) recheck(k *kept) {
	w.forget(k)
	w.kept = append(w.kept, k)
}

func (w *writer) forget(k *kept) {
	for i, other := range w.kept {
		if other == k {
			w.kept = append(w.kept[:i], w.kept[i+1:]...)
			if i < w.fresh {
				w.fresh--
			}
			return
		}
	}
}

// call sends one request. Anything but an answer is errCut; any answer but
// 200 is a failure of the test.
func (w *writer) call(method, path string, body, out any) error {
	sent := ""
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = string(raw)
	}
	a, err := ask(w.url, w.key, method, path, sent)
	if err != nil {
		return fmt.Errorf("%w: %w", errCut, err)
	}
	if a.status != http.StatusOK {
		return fault("%s %s: %d %s", method, path, a.status, a.body)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal([]byte(a.body), out)
}
