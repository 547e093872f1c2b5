package actors

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"loci/engine/memory"
	"loci/storage"
)

// Each request by a stranger who knows the other tenant's ids: nothing is
// found, nothing is changed.
func TestTenantsAreApart(t *testing.T) {
	s := realSystem(t, Options{})
	owner, stranger := someone(), someone()
	id, entity := plant(t, s, owner, "velvet")
	plant(t, s, stranger, "granite")
	ctx := t.Context()
	none := func(err error) error {
		if memory.CodeOf(err) != memory.NotFound {
			return fmt.Errorf("got %w, want not_found", err)
		}
		return nil
	}
	for name, ask := range map[string]func(who memory.Caller) error{
		"get":     func(who memory.Caller) error { _, err := s.Get(ctx, who, id); return none(err) },
		"history": func(who memory.Caller) error { _, err := s.History(ctx, who, id); return none(err) },
		"patch": func(who memory.Caller) error {
			_, err := s.Patch(ctx, who, id, nil, textPatch("stolen"))
			return none(err)
		},
		"delete": func(who memory.Caller) error { return none(s.Delete(ctx, who, id, nil)) },
		"forget": func(who memory.Caller) error {
			dry := false
			_, err := s.Forget(ctx, who, &memory.ForgetRequest{IDs: []memory.ID{id}, DryRun: &dry})
			return none(err)
		},
		"look": func(who memory.Caller) error {
			_, err := s.Look(ctx, who, entity, &memory.LookQuery{})
			return none(err)
		},
		"graph": func(who memory.Caller) error {
			_, err := s.Graph(ctx, who, &memory.GraphQuery{Entity: entity.String()})
			return none(err)
		},
		"supersede": func(who memory.Caller) error {
			_, err := s.Learn(ctx, who, &memory.LearnRequest{Content: "newer", Supersedes: id})
			return none(err)
		},
	} {
		if err := ask(stranger); err != nil {
			t.Errorf("%s by the stranger: %v", name, err)
		}
	}
	for who, words := range map[*memory.Caller][2]string{&owner: {"velvet", "granite"}, &stranger: {"granite", "velvet"}} {
		for name, text := range listings(t, s, *who, "velvet granite") {
			if !strings.Contains(text, words[0]) || strings.Contains(text, words[1]) {
				t.Errorf("%s shows %s, want %s alone", name, text, words[0])
			}
		}
	}
}

// plant writes one of each kind, all about a word.
func plant(t *testing.T, s *System, who memory.Caller, word string) (fact, entity memory.ID) {
	t.Helper()
	ctx := t.Context()
	learned, err := s.Learn(ctx, who, &memory.LearnRequest{Content: "The curtain is of " + word + ".", OccurredAt: time.Unix(1e9, 0)})
	must(t, err)
	batch, err := s.LearnBatch(ctx, who, &memory.BatchRequest{Items: []memory.LearnRequest{{Content: "A box of " + word + "."}, {Content: "A bag of " + word + " dust."}}})
	must(t, err)
	if len(batch.Results) != 2 || batch.Results[0].Error != nil || batch.Results[1].Error != nil {
		t.Fatalf("batch: %+v", batch)
	}
	_, err = s.Decide(ctx, who, &memory.DecideRequest{Title: "On " + word, Decision: "Buy " + word + ".", Reasoning: "It lasts."})
	must(t, err)
	made, err := s.Entity(ctx, who, &memory.EntityRequest{
		Name: "House " + word, EntityType: "house",
		Observations: []memory.ObservationInput{{Content: "It smells of " + word + "."}},
		Relations:    []memory.RelationInput{{To: "Street " + word, RelationType: "stands_in"}},
	})
	must(t, err)
	return learned.ID, made.EntityID
}

// listings is everything that a caller can list, as text.
func listings(t *testing.T, s *System, who memory.Caller, query string) map[string]string {
	t.Helper()
	ctx, texts := t.Context(), map[string]string{}
	keep := func(name string, found any, err error) {
		must(t, err)
		texts[name] = fmt.Sprintf("%+v", found)
	}
	found, err := s.Search(ctx, who, &memory.SearchRequest{Query: query})
	keep("search", found.Results, err)
	byWords, err := s.Search(ctx, who, &memory.SearchRequest{Query: query, Mode: memory.ModeText})
	keep("search by words", byWords.Results, err)
	once := who
	once.Once = memory.Once{Key: "same key of both tenants"}
	asked, err := s.Search(ctx, once, &memory.SearchRequest{Query: query})
	keep("search once", asked.Results, err)
	block, err := s.Context(ctx, who, &memory.ContextRequest{Query: query, TokenBudget: 500})
	keep("context", block, err)
	page, err := s.List(ctx, who, &memory.ListRequest{})
	keep("list", page, err)
	page, err = s.Timeline(ctx, who, &memory.TimelineRequest{})
	keep("timeline", page, err)
	entities, err := s.Entities(ctx, who, &memory.EntityQuery{})
	keep("entities", entities, err)
	return texts
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func textPatch(text string) *memory.PatchRequest {
	return &memory.PatchRequest{Content: memory.Field[string]{Given: true, Value: text}}
}

// Many change one memory at once: each change lands on the one before it, or
// is refused as a conflict; none is lost.
func TestPatchesOfOneMemory(t *testing.T) {
	s := realSystem(t, Options{})
	who, other := someone(), someone()
	id, _ := plant(t, s, who, "velvet")
	plant(t, s, other, "granite")
	var done atomic.Uint32
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for n := range 10 {
				switch m, err := s.Patch(t.Context(), who, id, nil, textPatch(fmt.Sprintf("text %d/%d", i, n))); {
				case err == nil && m.Content == fmt.Sprintf("text %d/%d", i, n):
					done.Add(1)
				case memory.CodeOf(err) != memory.Conflict:
					t.Errorf("patch: %v, %v", m, err)
				}
			}
		})
	}
	all.Wait()
	m, err := s.Get(t.Context(), who, id)
	must(t, err)
	history, err := s.History(t.Context(), who, id)
	must(t, err)
	if m.Version != done.Load()+1 || len(history.Versions) != int(m.Version) {
		t.Errorf("%d patches done, version %d, %d in history", done.Load(), m.Version, len(history.Versions))
	}
	_, err = s.Patch(t.Context(), who, id, memory.Match{1}, textPatch("too late"))
	mustRefuse(t, err, memory.PreconditionFailed, 0)
	t.Logf("%d of 160 patches done", done.Load())
}

// A search with an Idempotency-Key answers what it answered the first time; the
// same key of another tenant is another key.
func TestSearchOnce(t *testing.T) {
	s := realSystem(t, Options{})
	who, other := someone(), someone()
	plant(t, s, who, "velvet")
	plant(t, s, other, "granite")
	who.Once, other.Once = memory.Once{Key: "k"}, memory.Once{Key: "k"}
	query := &memory.SearchRequest{Query: "curtain"}
	first, err := s.Search(t.Context(), who, query)
	must(t, err)
	plain := who
	plain.Once = memory.Once{}
	_, err = s.Learn(t.Context(), plain, &memory.LearnRequest{Content: "The curtain was washed."})
	must(t, err)
	again, err := s.Search(t.Context(), who, query)
	must(t, err)
	if !again.Replayed || first.Replayed {
		t.Errorf("replayed: first %v, again %v", first.Replayed, again.Replayed)
	}
	if diff := cmp.Diff(first.Results, again.Results); diff != "" {
		t.Error(diff)
	}
	theirs, err := s.Search(t.Context(), other, query)
	must(t, err)
	if theirs.Replayed {
		t.Error("another tenant's answer was replayed")
	}
}

// A dropped tenant's storage can be erased; its neighbour has everything.
func TestDropThenErase(t *testing.T) {
	store := openStore(t, nil, t.TempDir())
	s := systemOver(t, store, Options{})
	who, other := someone(), someone()
	id, _ := plant(t, s, who, "velvet")
	kept, _ := plant(t, s, other, "granite")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := 0; ; n++ {
				_, err := s.Learn(t.Context(), who, fact(i, n))
				if err == nil {
					_, err = s.Get(t.Context(), who, id)
				}
				if err != nil {
					if memory.CodeOf(err) != memory.NotFound {
						t.Errorf("while dropped: %v", err)
					}
					return
				}
			}
		})
	}
	must(t, s.Drop(t.Context(), who.Tenant))
	must(t, store.Erase(t.Context(), who.Tenant))
	all.Wait()
	_, err := s.Get(t.Context(), who, id)
	mustRefuse(t, err, memory.NotFound, 0)
	_, err = s.Get(t.Context(), other, kept)
	must(t, err)
	tenants, err := store.Tenants()
	must(t, err)
	if diff := cmp.Diff([]memory.TenantID{other.Tenant}, tenants); diff != "" {
		t.Error(diff)
	}
	closeSystem(t, s)
	must(t, store.Close())
}

// The real engine behind an unreliable log: what was acknowledged stays, what
// was not is whole or absent, and the tenant comes back by itself.
func TestRealEngineWithFailingLog(t *testing.T) {
	store := openStore(t, nil, t.TempDir())
	log := &unreliable{Log: localLog{store}}
	s := systemOver(t, store, Options{Log: log})
	who, other := someone(), someone()
	plant(t, s, other, "granite")
	acknowledged := map[int]memory.ID{}
	for n := range 30 {
		log.mode.Store(int64(n % 3)) // well, refusing, panicking
		learned, err := s.Learn(t.Context(), who, fact(0, n))
		if err == nil {
			acknowledged[n] = learned.ID
		}
		log.mode.Store(0)
		s.awaken(who.Tenant)
	}
	if len(acknowledged) != 10 {
		t.Errorf("%d acknowledged, want 10", len(acknowledged))
	}
	for n, id := range acknowledged {
		if m, err := s.Get(t.Context(), who, id); err != nil || m.Content != fact(0, n).Content {
			t.Errorf("acknowledged %d: %v", n, err)
		}
	}
	for _, tenant := range []memory.Caller{who, other} {
		report, err := s.CheckTenant(t.Context(), tenant.Tenant)
		must(t, err)
		if len(report.Problems) > 0 {
			t.Errorf("problems: %q", report.Problems)
		}
	}
	closeSystem(t, s)
	must(t, store.Close())
}

// awaken ends a tenant's rest, so that the test need not sleep through it.
func (s *System) awaken(id memory.TenantID) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.mu.tenants[id].rests.Store(0)
}

type unreliable struct {
	Log
	mode atomic.Int64
}

func (u *unreliable) Append(ctx context.Context, b *storage.Batch) error {
	switch u.mode.Load() {
	case 1:
		return errors.New("no log")
	case 2:
		panic("no log at all")
	}
	return u.Log.Append(ctx, b)
}

// A queue of one is enough for a write that must wake its tenant first.
func TestQueueOfOne(t *testing.T) {
	s := realSystem(t, Options{Queue: 1, QueueAll: 1})
	_, err := s.Decide(t.Context(), someone(), &memory.DecideRequest{Title: "t", Decision: "d", Reasoning: "r"})
	must(t, err)
}

// Passivation with the real engine: what was written before is there after.
func TestRealTenantsComeAndGo(t *testing.T) {
	s := realSystem(t, Options{Idle: 1, MaxLive: 1})
	tenants := []memory.Caller{someone(), someone(), someone()}
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			for n := range 20 {
				who := tenants[(i+n)%3]
				learned, err := s.Learn(t.Context(), who, fact(i, n))
				if err != nil {
					t.Error(err)
					return
				}
				if m, err := s.Get(t.Context(), who, learned.ID); err != nil || m.Content != fact(i, n).Content {
					t.Errorf("learned and not found: %v", err)
				}
			}
		})
	}
	all.Wait()
	for _, who := range tenants {
		report, err := s.CheckTenant(t.Context(), who.Tenant)
		must(t, err)
		if report.Records != 40 || len(report.Problems) > 0 {
			t.Errorf("%d records, want 40; problems %q", report.Records, report.Problems)
		}
	}
	t.Logf("%d activations", s.Stats().Activations)
}
