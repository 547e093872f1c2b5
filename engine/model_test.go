package engine

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"loci/engine/memory"
)

// model is what a partition must be: a plain map of contents by id, with the
// words each had before.
type model struct {
	now  map[memory.ID]string
	then map[memory.ID][]string // older contents, oldest first
}

func (m *model) ids() []memory.ID {
	return slices.SortedFunc(maps.Keys(m.now), memory.ID.Compare)
}

var vocabulary = strings.Fields("amber birch cedar delta ember fjord grove heron inlet jetty kelp larch")

func sentence(t *rapid.T) string {
	words := rapid.SliceOfN(rapid.SampledFrom(vocabulary), 2, 5).Draw(t, "words")
	return strings.Join(words, " ") + fmt.Sprintf(" %d", rapid.IntRange(0, 1_000_000).Draw(t, "n"))
}

// TestPartitionAgainstModel runs random writes, edits, erasures, reopenings
// and power losses, and holds the partition against a map after each: what is
// acknowledged is there, word for word, and found; what is erased is not.
func TestPartitionAgainstModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := deskOn(t, vfs.NewCrashableMem(), memory.NewTenantID())
		other := d.second()
		foreign := other.learned("amber birch cedar of another tenant")
		m := &model{now: map[memory.ID]string{}, then: map[memory.ID][]string{}}
		rt.Repeat(map[string]func(*rapid.T){
			"learn":  func(rt *rapid.T) { m.learn(rt, d) },
			"batch":  func(rt *rapid.T) { m.batch(rt, d) },
			"patch":  func(rt *rapid.T) { m.patch(rt, d) },
			"delete": func(rt *rapid.T) { m.delete(rt, d) },
			"reopen": func(*rapid.T) { d.reopen(); other.store = d.store; other.open() },
			"crash":  func(*rapid.T) { d.crash(); other.store, other.fs = d.store, d.fs; other.open() },
			"check":  func(*rapid.T) { d.sound() },
			"":       func(rt *rapid.T) { m.compare(rt, d) },
		})
		if got := other.get(foreign).Content; got != "amber birch cedar of another tenant" {
			rt.Fatalf("the other tenant's memory reads %q", got)
		}
		d.sound()
		other.sound()
		_ = d.store.Close() // there will be a hundred of them
	})
}

// crash loses everything that was not synced, and opens what is left.
func (d *desk) crash() {
	d.t.Helper()
	left := d.fs.(*vfs.MemFS).CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: rand.New(rand.NewPCG(1, uint64(d.clock.UnixNano())))})
	_ = d.store.Close()
	d.fs = left
	d.openStore()
}

func (m *model) learn(t *rapid.T, d *desk) {
	content := sentence(t)
	r, err := d.learn(memory.LearnRequest{Content: content, Dedupe: "off"})
	if err != nil {
		t.Fatal(err)
	}
	m.now[r.ID] = content
}

func (m *model) batch(t *rapid.T, d *desk) {
	var items []memory.LearnRequest
	for range rapid.IntRange(1, 5).Draw(t, "items") {
		items = append(items, memory.LearnRequest{Content: sentence(t), Dedupe: "off"})
	}
	w, err := d.p.View().LearnBatch(context.Background(), d.who, &memory.BatchRequest{Items: items})
	if err := d.do(w, err); err != nil {
		t.Fatal(err)
	}
	for i, r := range w.Result.Results {
		m.now[r.ID] = items[i].Content
	}
}

func (m *model) pick(t *rapid.T) memory.ID {
	if len(m.now) == 0 {
		t.Skip("nothing to pick from")
	}
	return rapid.SampledFrom(m.ids()).Draw(t, "id")
}

func (m *model) patch(t *rapid.T, d *desk) {
	id, content := m.pick(t), sentence(t)
	if _, err := d.patch(id, nil, fmt.Sprintf(`{"content":%q}`, content)); err != nil {
		t.Fatal(err)
	}
	m.then[id] = append(m.then[id], m.now[id])
	m.now[id] = content
}

func (m *model) delete(t *rapid.T, d *desk) {
	id := m.pick(t)
	if err := d.remove(id); err != nil {
		t.Fatal(err)
	}
	delete(m.now, id)
	delete(m.then, id)
}

func (m *model) compare(t *rapid.T, d *desk) {
	got := map[memory.ID]string{}
	ask := memory.ListRequest{Limit: 7}
	for {
		page, err := d.p.View().List(context.Background(), d.who, &ask)
		if err != nil {
			t.Fatal(err)
		}
		for _, listed := range page.Memories {
			got[listed.ID] = listed.Content
		}
		if ask.Cursor = page.Cursor; ask.Cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(m.now, got); diff != "" {
		t.Fatalf("listed: %s", diff)
	}
	m.compareOne(t, d)
}

// compareOne looks at one memory in depth: its history, and that a search for
// its words finds it.
func (m *model) compareOne(t *rapid.T, d *desk) {
	if len(m.now) == 0 {
		return
	}
	id := m.pick(t)
	history, err := d.p.View().History(d.who, id)
	if err != nil {
		t.Fatal(err)
	}
	var contents []string
	for _, v := range slices.Backward(history.Versions) {
		contents = append(contents, v.Content)
	}
	if diff := cmp.Diff(append(slices.Clone(m.then[id]), m.now[id]), contents); diff != "" {
		t.Fatalf("history: %s", diff)
	}
	if !slices.Contains(d.found(memory.SearchRequest{Query: m.now[id], Limit: 10}), m.now[id]) {
		t.Fatalf("a search for %q does not find it", m.now[id])
	}
}
