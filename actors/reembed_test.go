package actors

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"loci/engine/embed"
	"loci/engine/memory"
)

// TestANewEmbedderTakesOverWhileTheTenantWorks: two tenants are embedded anew
// in the background, while one goes on writing and asking; nothing is lost or
// refused, and in the end every record is found by the new vectors.
func TestANewEmbedderTakesOverWhileTheTenantWorks(t *testing.T) {
	ctx := t.Context()
	store := openStore(t, vfs.NewMem(), "store")
	defer store.Close()
	busy, quiet := someone(), someone()
	before := systemOver(t, store, Options{})
	for n := range 300 {
		mustLearn(t, before, busy, fact(1, n))
		if n < 100 {
			mustLearn(t, before, quiet, fact(2, n))
		}
	}
	closeSystem(t, before)

	finished := make(chan memory.TenantID, 2)
	kit := realKit()
	kit.Earlier = append(kit.Earlier, kit.Embedder)
	kit.Embedder = embed.NewHash(128)
	s, err := New(store, Options{Kit: kit, Events: Events{
		Reembedded: func(id memory.TenantID, _ int, _ time.Duration) { finished <- id },
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer closeSystem(t, s)
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for n := range 50 {
				mustLearn(t, s, busy, fact(10+w, n))
				if _, err := s.Search(ctx, busy, &memory.SearchRequest{Query: fact(10+w, n).Content, Limit: 1}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	if _, err := s.List(ctx, quiet, &memory.ListRequest{}); err != nil {
		t.Fatal(err)
	}
	writers.Wait()
	for range 2 {
		select {
		case <-finished:
		case <-time.After(time.Minute):
			t.Fatal("not finished after a minute")
		}
	}
	for _, who := range []memory.Caller{busy, quiet} {
		report, err := s.CheckTenant(ctx, who.Tenant)
		if err != nil || len(report.Problems) > 0 {
			t.Fatalf("check: %+v, %v", report, err)
		}
	}
	want := fact(12, 49).Content
	r, err := s.Search(ctx, busy, &memory.SearchRequest{Query: want, Mode: memory.ModeSemantic, Limit: 1})
	if err != nil || len(r.Results) != 1 || r.Results[0].Content != want {
		t.Fatalf("%+v, %v", r, err)
	}
	if got := s.Stats().Reembedded; got < 400 {
		t.Fatalf("%d records counted", got)
	}
}

func mustLearn(t testing.TB, s *System, who memory.Caller, what *memory.LearnRequest) {
	t.Helper()
	if r, err := s.Learn(context.Background(), who, what); err != nil || r.Action != memory.Added {
		t.Errorf("learn: %+v, %v", r, err)
	}
}
