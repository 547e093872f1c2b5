package engine

import (
	"context"
	"errors"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"loci/engine/embed"
	"loci/engine/memory"
)

// change gives the server another embedder and starts it anew.
func (d *desk) change(to memory.Embedder, earlier ...memory.Embedder) {
	d.t.Helper()
	d.kit.Embedder, d.kit.Earlier = to, earlier
	d.reopen()
}

// embedAnew does up to so many steps, and says how far it came.
func (d *desk) embedAnew(steps int) (done, total int) {
	d.t.Helper()
	job, err := d.p.View().Reembedding(context.Background())
	d.must(err)
	for range steps {
		w, err := job.Step(context.Background())
		d.must(err)
		if w == nil {
			break
		}
		d.must(d.do(w, nil))
	}
	return job.Progress()
}

func (d *desk) vectors(generation uint16) (n int) {
	d.t.Helper()
	snap := d.store.Partition(d.id).Read()
	defer snap.Close()
	d.must(snap.Vectors(generation, func(memory.ID, uint32, []byte) error { n++; return nil }))
	return n
}

func TestANewEmbedderTakesOver(t *testing.T) {
	old := embed.NewHash(64)
	for _, tc := range []struct {
		name    string
		earlier []memory.Embedder
	}{
		{"the old one is to be had", []memory.Embedder{old}},
		{"the old one is gone", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := deskOn(t, vfs.NewCrashableMem(), memory.NewTenantID())
			other := d.second()
			kept := other.learned("Of another tenant.")
			library(d)
			w, err := d.p.View().LearnBatch(context.Background(), d.who, &memory.BatchRequest{Items: numbered(150)})
			d.must(d.do(w, err))
			ask := memory.SearchRequest{Query: "when is the quarterly budget meeting", Explain: true}
			before := asJSON(t, d.search(ask))

			d.change(embed.NewHash(128), tc.earlier...)
			if !d.p.View().Outdated() {
				t.Fatal("does not know that it is outdated")
			}
			if len(tc.earlier) > 0 {
				if diff := cmp.Diff(before, asJSON(t, d.search(ask))); diff != "" {
					t.Fatalf("searches differently before the switch: %s", diff)
				}
			}
			if got := d.found(ask); got[0] != "The quarterly budget meeting is on the first Monday." {
				t.Fatalf("finds %q", got)
			}
			if done, total := d.embedAnew(1); done != stepRecords || total <= done {
				t.Fatalf("%d of %d after one step", done, total)
			}
			if err := d.do(NewSwitch(), nil); !errors.Is(err, ErrUnfinished) {
				t.Fatalf("switched too early: %v", err)
			}
			fresh := d.learned("Learned in between, about zeppelins.")
			_, err = d.patch(fresh, nil, `{"tags":["sky"]}`)
			d.must(err)
			_, err = d.learn(memory.LearnRequest{Content: "Learned in between, about zeppelins.", Tags: []string{"air"}})
			d.must(err)
			d.sound()

			d.crash()
			if done, total := d.embedAnew(1000); done != total {
				t.Fatalf("%d of %d at the end", done, total)
			}
			d.must(d.do(NewSwitch(), nil))
			if !d.p.Spent() {
				t.Fatal("not spent after the switch")
			}
			stale, err := d.p.View().Learn(context.Background(), d.who, &memory.LearnRequest{Content: "Too late."})
			if err := d.do(stale, err); !errors.Is(err, ErrStale) {
				t.Fatalf("a spent partition took a write: %v", err)
			}
			d.crash()
			if d.p.View().Outdated() || d.p.View().now.dim != 128 || d.vectors(1) != 0 {
				t.Fatalf("generation %+v, %d old vectors", d.p.View().now, d.vectors(1))
			}
			for query, want := range map[string]string{"zeppelins": "Learned in between, about zeppelins.", ask.Query: "The quarterly budget meeting is on the first Monday."} {
				hit := d.search(memory.SearchRequest{Query: query, Mode: memory.ModeSemantic}).Results[0]
				if hit.Content != want {
					t.Errorf("%q finds %q", query, hit.Content)
				}
			}
			d.sound()
			other.store, other.fs, other.kit = d.store, d.fs, d.kit
			other.open()
			if other.get(kept).Content != "Of another tenant." || !other.p.View().Outdated() {
				t.Fatal("the other tenant was touched")
			}
		})
	}
}

func TestTheEmbedderChangesTwice(t *testing.T) {
	d := newDesk(t)
	library(d)
	first, second, third := embed.NewHash(64), embed.NewHash(128), embed.NewHash(96)
	d.change(second, first)
	d.embedAnew(1)
	d.change(third, first, second)
	if done, _ := d.embedAnew(0); done != 0 {
		t.Fatalf("took %d vectors of the second embedder for its own", done)
	}
	d.embedAnew(1000)
	d.must(d.do(NewSwitch(), nil))
	d.reopen()
	if d.p.View().Outdated() || d.p.View().now.dim != 96 || d.vectors(1)+d.vectors(2) != 0 {
		t.Fatalf("%+v, old vectors %d and %d", d.p.View().now, d.vectors(1), d.vectors(2))
	}
	d.change(first, third)
	if !d.p.View().Outdated() {
		t.Fatal("back to the first: not noticed")
	}
	d.sound()
}
