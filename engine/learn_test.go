package engine

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"loci/engine/memory"
)

func TestLearnRecognisesWhatItKnows(t *testing.T) {
	day := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	yes := 0.9
	first := memory.LearnRequest{Content: "Anna prefers green tea.", Tags: []string{"taste"}}
	for _, tc := range []struct {
		name   string
		second memory.LearnRequest
		want   memory.Action
	}{
		{"same text", first, memory.Skipped},
		{"case and punctuation", memory.LearnRequest{Content: "  anna prefers GREEN tea"}, memory.Skipped},
		{"a subset of its tags", memory.LearnRequest{Content: first.Content}, memory.Skipped},
		{"a new tag", memory.LearnRequest{Content: first.Content, Tags: []string{"drink"}}, memory.Updated},
		{"new metadata", memory.LearnRequest{Content: first.Content, Metadata: json.RawMessage(`{"a":1}`)}, memory.Updated},
		{"new confidence", memory.LearnRequest{Content: first.Content, Confidence: &yes}, memory.Updated},
		{"an article more", memory.LearnRequest{Content: "Anna prefers the green tea."}, memory.Updated},
		{"a negation", memory.LearnRequest{Content: "Anna never prefers green tea."}, memory.Added},
		{"other words", memory.LearnRequest{Content: "Anna prefers black tea."}, memory.Added},
		{"another project", memory.LearnRequest{Content: first.Content, Project: "p"}, memory.Added},
		{"another agent", memory.LearnRequest{Content: first.Content, AgentID: "a"}, memory.Added},
		{"another day", memory.LearnRequest{Content: first.Content, OccurredAt: day}, memory.Added},
		{"another kind", memory.LearnRequest{Content: first.Content, MemoryType: "episodic"}, memory.Added},
		{"dedupe off", memory.LearnRequest{Content: first.Content, Dedupe: "off"}, memory.Added},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDesk(t)
			one, err := d.learn(first)
			d.must(err)
			two, err := d.learn(tc.second)
			d.must(err)
			if two.Action != tc.want {
				t.Fatalf("action %s, want %s", two.Action, tc.want)
			}
			if same := one.ID == two.ID; same != (tc.want != memory.Added) {
				t.Fatalf("same id %v with action %s", same, two.Action)
			}
			wantVersion := uint32(1)
			if tc.want == memory.Updated {
				wantVersion = 2
			}
			if got := d.get(one.ID).Version; got != wantVersion {
				t.Fatalf("version %d, want %d", got, wantVersion)
			}
			d.sound()
		})
	}
}

func TestNumbersAreNotNearlyEqual(t *testing.T) {
	d := newDesk(t)
	for _, content := range []string{
		"The office code is 4711.", "The office code is 4712.", "The fee is -5 EUR.", "The fee is 5 EUR.",
		"Bob told Anna.", "Anna told Bob.", "The flight goes from Paris to Rome.", "The flight goes to Paris from Rome.",
		"She codes in C++.", "She codes in C#.", "She codes in C.",
	} {
		r, err := d.learn(memory.LearnRequest{Content: content})
		d.must(err)
		if r.Action != memory.Added {
			t.Errorf("%q: %s into %q", content, r.Action, d.get(r.ID).Content)
		}
	}
}

func TestUpdatedKeepsTheOldWords(t *testing.T) {
	d := newDesk(t)
	id := d.learned("Anna lives in the old town.")
	if again := d.learned("Anna lives in an old town."); again != id {
		t.Fatal("not recognised")
	}
	history, err := d.p.View().History(d.who, id)
	d.must(err)
	var contents []string
	for _, v := range history.Versions {
		contents = append(contents, v.Content)
	}
	want := []string{"Anna lives in an old town.", "Anna lives in the old town."}
	if diff := cmp.Diff(want, contents); diff != "" {
		t.Fatal(diff)
	}
}

func TestLearnReportsSimilar(t *testing.T) {
	d := newDesk(t)
	id := d.learned("The deployment of the billing service runs every Tuesday at nine in the morning.")
	r, err := d.learn(memory.LearnRequest{Content: "The deployment of the billing service runs every Wednesday at nine in the morning."})
	d.must(err)
	if r.Action != memory.Added || len(r.Similar) != 1 || r.Similar[0].ID != id {
		t.Fatalf("%+v", r)
	}
}

func TestLearnLinksEntities(t *testing.T) {
	d := newDesk(t)
	anna := d.entity(memory.EntityRequest{Name: "Anna Berg", EntityType: "person", Aliases: []string{"Annie"}})
	r, err := d.learn(memory.LearnRequest{Content: "annie moved to Lisbon.", Entities: []string{"Lisbon", "lisbon"}})
	d.must(err)
	names := []string{}
	for _, l := range r.Links {
		names = append(names, l.Name)
	}
	slices.Sort(names)
	if diff := cmp.Diff([]string{"Anna Berg", "Lisbon"}, names); diff != "" {
		t.Fatal(diff)
	}
	if got := d.get(r.ID).Entities; len(got) != 2 {
		t.Fatalf("stored links %v", got)
	}
	view, err := d.p.View().Look(context.Background(), d.who, anna.EntityID, &memory.LookQuery{})
	d.must(err)
	if view.Entity.Content != "Anna Berg" {
		t.Fatalf("%+v", view)
	}
	d.sound()
}

func TestLearnInBatch(t *testing.T) {
	d := newDesk(t)
	d.who.Project = "p"
	items := []memory.LearnRequest{
		{Content: "One."}, {Content: "one"}, {Content: "Two.", Project: "q"}, {Content: "Three.", Supersedes: memory.NewID()}, {Content: "Four."},
	}
	w, err := d.p.View().LearnBatch(context.Background(), d.who, &memory.BatchRequest{Items: items})
	d.must(d.do(w, err))
	var got []string
	for _, r := range w.Result.Results {
		if r.Error != nil {
			got = append(got, string(r.Error.Code)+" "+r.Error.Errors[0].Field)
		} else {
			got = append(got, string(r.Action))
		}
	}
	want := []string{"added", "skipped", "forbidden project", "not_found supersedes", "added"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	if n := len(d.found(memory.SearchRequest{Query: "one two three four"})); n != 2 {
		t.Fatalf("%d stored", n)
	}
}

func TestIdempotencyKey(t *testing.T) {
	d := newDesk(t)
	once := func(key string, body byte) { d.who.Once = memory.Once{Key: key, Body: [32]byte{body}} }
	once("k1", 1)
	one, err := d.learn(memory.LearnRequest{Content: "Once only.", Dedupe: "off"})
	d.must(err)
	two, err := d.learn(memory.LearnRequest{Content: "Once only.", Dedupe: "off"})
	d.must(err)
	if !two.Replayed || one.Replayed || two.ID != one.ID || two.Action != memory.Added {
		t.Fatalf("%+v, then %+v", one, two)
	}
	d.reopen()
	three, err := d.learn(memory.LearnRequest{Content: "Once only.", Dedupe: "off"})
	d.must(err)
	if !three.Replayed || three.ID != one.ID {
		t.Fatalf("after a restart: %+v", three)
	}
	once("k1", 2)
	if _, err := d.learn(memory.LearnRequest{Content: "Other."}); memory.CodeOf(err) != memory.Conflict {
		t.Fatalf("another body: %v", err)
	}
	d.clock = d.clock.Add(25 * time.Hour)
	if r, err := d.learn(memory.LearnRequest{Content: "Other."}); err != nil || r.Replayed {
		t.Fatalf("after a day: %+v, %v", r, err)
	}
	d.sound()
}

func TestIdempotencyInOneCommit(t *testing.T) {
	d := newDesk(t)
	d.who.Once = memory.Once{Key: "k", Body: [32]byte{1}}
	a, err := d.p.View().Learn(context.Background(), d.who, &memory.LearnRequest{Content: "Twice at once.", Dedupe: "off"})
	d.must(err)
	b, err := d.p.View().Learn(context.Background(), d.who, &memory.LearnRequest{Content: "Twice at once.", Dedupe: "off"})
	d.must(err)
	d.must(d.commit(a, b))
	if a.Result.ID != b.Result.ID || !b.Result.Replayed {
		t.Fatalf("%+v and %+v", a.Result, b.Result)
	}
}

func TestSearchAskedOnce(t *testing.T) {
	d := newDesk(t)
	d.learned("Tea is green.")
	gone := d.learned("Tea is hot.")
	who := d.who
	who.Once = memory.Once{Key: "ask", Body: [32]byte{7}}
	ask := func() *memory.SearchResult {
		w, err := d.p.View().Ask(context.Background(), who, &memory.SearchRequest{Query: "tea"})
		d.must(d.do(w, err))
		r, err := w.Answer(d.p.View())
		d.must(err)
		return r
	}
	first := ask()
	d.learned("Tea is black.")
	again := ask()
	again.Replayed = !again.Replayed
	if diff := cmp.Diff(asJSON(t, first), asJSON(t, again)); diff != "" || again.Replayed {
		t.Fatalf("replayed differently: %s", diff)
	}
	d.must(d.remove(gone))
	for _, hit := range ask().Results {
		if strings.Contains(hit.Content, "hot") {
			t.Fatal("a replay brought back what was erased")
		}
	}
}
