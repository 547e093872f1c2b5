package engine

import (
	"context"
	"encoding/json"
	"flag"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"go.uber.org/goleak"

	"loci/engine/analysis"
	"loci/engine/embed"
	"loci/engine/memory"
	"loci/storage"
)

// TestMain keeps the everyday run of the model test short; the long form is
// -rapid.checks=1000.
func TestMain(m *testing.M) {
	_ = flag.Set("rapid.checks", "30")
	goleak.VerifyTestMain(m)
}

// desk is a tenant on a real store, with a clock that the test moves and one
// caller. It does what the tenant's actor does.
type desk struct {
	t     testing.TB
	fs    vfs.FS
	store *storage.Store
	kit   Kit
	clock time.Time
	id    memory.TenantID
	who   memory.Caller
	p     *Partition
}

var dawn = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func newDesk(t testing.TB) *desk { return deskOn(t, vfs.NewMem(), memory.NewTenantID()) }

func deskOn(t testing.TB, fs vfs.FS, id memory.TenantID) *desk {
	t.Helper()
	d := &desk{t: t, fs: fs, clock: dawn, id: id, who: memory.Caller{Tenant: id}}
	var mu sync.Mutex // readers look at the clock beside the writer
	d.kit = Kit{Embedder: embed.NewHash(64), Analyzer: analysis.New(), Now: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		d.clock = d.clock.Add(time.Millisecond)
		return d.clock
	}}
	d.openStore()
	t.Cleanup(func() { _ = d.store.Close() })
	return d
}

func (d *desk) openStore() {
	d.t.Helper()
	store, err := storage.Open("node", storage.Options{FS: d.fs, MemTableBytes: 1 << 20, CacheBytes: 1 << 20})
	if err != nil {
		d.t.Fatal(err)
	}
	d.store = store
	d.open()
}

func (d *desk) open() {
	d.t.Helper()
	p, err := Open(context.Background(), d.store.Partition(d.id), d.kit)
	if err != nil {
		d.t.Fatal(err)
	}
	d.p = p
}

// reopen closes everything and loads it from disk again.
func (d *desk) reopen() {
	d.t.Helper()
	if err := d.store.Close(); err != nil {
		d.t.Fatal(err)
	}
	d.openStore()
}

// second is another tenant on the same store.
func (d *desk) second() *desk {
	other := *d
	other.id = memory.NewTenantID()
	other.who = memory.Caller{Tenant: other.id}
	other.open()
	return &other
}

func (d *desk) commit(writes ...Write) error {
	change := d.p.Stage(writes)
	if !change.Empty() {
		if err := d.store.Commit(change.Batch()); err != nil {
			return err
		}
	}
	d.p.Publish(change)
	return nil
}

func (d *desk) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) do(w Write, err error) error {
	d.t.Helper()
	if err != nil {
		return err
	}
	d.must(d.commit(w))
	return w.Err()
}

func (d *desk) learn(what memory.LearnRequest) (*memory.LearnResult, error) {
	d.t.Helper()
	w, err := d.p.View().Learn(context.Background(), d.who, &what)
	if err := d.do(w, err); err != nil {
		return nil, err
	}
	return w.Result, nil
}

func (d *desk) learned(content string) memory.ID {
	d.t.Helper()
	r, err := d.learn(memory.LearnRequest{Content: content})
	d.must(err)
	return r.ID
}

func (d *desk) decide(what memory.DecideRequest) (*memory.DecideResult, error) {
	d.t.Helper()
	w, err := d.p.View().Decide(context.Background(), d.who, &what)
	if err := d.do(w, err); err != nil {
		return nil, err
	}
	return w.Result, nil
}

func (d *desk) entity(what memory.EntityRequest) *memory.EntityResult {
	d.t.Helper()
	w, err := d.p.View().Entity(context.Background(), d.who, &what)
	d.must(d.do(w, err))
	return w.Result
}

func (d *desk) patch(id memory.ID, when memory.Match, body string) (*memory.Memory, error) {
	d.t.Helper()
	var what memory.PatchRequest
	fillPatch(d.t, &what, body)
	w, err := d.p.View().Patch(context.Background(), d.who, id, when, &what)
	if err := d.do(w, err); err != nil {
		return nil, err
	}
	return w.Result, nil
}

func (d *desk) remove(id memory.ID) error {
	d.t.Helper()
	return d.do(NewDelete(d.who, id, nil), nil)
}

func (d *desk) forget(what memory.ForgetRequest) (*memory.ForgetResult, error) {
	d.t.Helper()
	w, err := NewForget(d.who, &what)
	if err := d.do(w, err); err != nil {
		return nil, err
	}
	return w.Result, nil
}

func (d *desk) search(what memory.SearchRequest) *memory.SearchResult {
	d.t.Helper()
	v := d.p.View()
	question, err := v.Embed(context.Background(), what.Query)
	d.must(err)
	r, err := v.Search(context.Background(), d.who, &what, question)
	d.must(err)
	return r
}

// found lists the contents that a search gives, in order.
func (d *desk) found(what memory.SearchRequest) []string {
	d.t.Helper()
	contents := []string{}
	for _, hit := range d.search(what).Results {
		contents = append(contents, hit.Content)
	}
	return contents
}

func (d *desk) get(id memory.ID) *memory.Memory {
	d.t.Helper()
	m, err := d.p.View().Get(d.who, id)
	d.must(err)
	return m
}

// sound proves that indexes and storage agree.
func (d *desk) sound() *Report {
	d.t.Helper()
	report, err := d.p.Check(context.Background())
	d.must(err)
	if len(report.Problems) > 0 {
		d.t.Fatalf("check: %q", report.Problems)
	}
	return report
}

// asJSON is an answer without the time it took, for comparison bit by bit.
func asJSON(t testing.TB, r *memory.SearchResult) string {
	t.Helper()
	same := *r
	same.TookMs = 0
	raw, err := json.Marshal(same)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// fillPatch reads a patch in the form of the wire.
func fillPatch(t testing.TB, what *memory.PatchRequest, body string) {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &fields); err != nil {
		t.Fatal(err)
	}
	fill := func(name string, slot func() any, clear func()) {
		raw, ok := fields[name]
		if !ok {
			return
		}
		delete(fields, name)
		if string(raw) == "null" {
			clear()
		} else if err := json.Unmarshal(raw, slot()); err != nil {
			t.Fatal(err)
		}
	}
	fill("content", what.Content.Slot, what.Content.Clear)
	fill("tags", what.Tags.Slot, what.Tags.Clear)
	fill("title", what.Title.Slot, what.Title.Clear)
	fill("status", what.Status.Slot, what.Status.Clear)
	fill("name", what.Name.Slot, what.Name.Clear)
	fill("validFrom", what.ValidFrom.Slot, what.ValidFrom.Clear)
	fill("validTo", what.ValidTo.Slot, what.ValidTo.Clear)
	fill("metadata", what.Metadata.Slot, what.Metadata.Clear)
	fill("project", what.Project.Slot, what.Project.Clear)
	fill("entities", what.Entities.Slot, what.Entities.Clear)
	if len(fields) > 0 {
		t.Fatalf("fillPatch knows no %v", fields)
	}
}
