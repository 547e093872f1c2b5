package actors

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"loci/engine"
	"loci/engine/analysis"
	"loci/engine/embed"
	"loci/engine/memory"
	"loci/storage"
)

// Helpers for tests with the real engine and the real store.

func realKit() engine.Kit {
	return engine.Kit{Embedder: embed.NewHash(64), Analyzer: analysis.New(), Now: time.Now}
}

func openStore(t testing.TB, fs vfs.FS, dir string) *storage.Store {
	t.Helper()
	store, err := storage.Open(dir, storage.Options{FS: fs, MemTableBytes: 4 << 20, CacheBytes: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// realSystem is a system over a store in memory; both are closed at the end.
func realSystem(t testing.TB, o Options) *System {
	t.Helper()
	store := openStore(t, vfs.NewMem(), "store")
	s := systemOver(t, store, o)
	t.Cleanup(func() {
		closeSystem(t, s)
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func systemOver(t testing.TB, store *storage.Store, o Options) *System {
	t.Helper()
	o.Kit = realKit()
	s, err := New(store, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closeSystem(t testing.TB, s *System) {
	t.Helper()
	if err := s.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

func someone() memory.Caller {
	return memory.Caller{Tenant: memory.NewTenantID(), Scopes: []memory.Scope{memory.ScopeRead, memory.ScopeWrite}}
}

// fact is a text that no other fact is like.
func fact(writer, n int) *memory.LearnRequest {
	return &memory.LearnRequest{
		Content: fmt.Sprintf("Worker w%dx noted that parcel p%dx%dx left depot d%dx for harbour h%dx at minute %d.",
			writer, writer, n, (writer*31+n)%97, (n*17+writer)%89, n),
		Dedupe: "off",
	}
}
