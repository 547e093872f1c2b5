package engine

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loci/engine/memory"
)

func TestPatch(t *testing.T) {
	d := newDesk(t)
	id := d.learned("The build takes ten minutes.")
	m, err := d.patch(id, memory.Match{1}, `{"content":"The build takes two minutes.","tags":["ci","ci"],"metadata":{"n":2}}`)
	d.must(err)
	if m.Version != 2 || m.Content != "The build takes two minutes." || len(m.Tags) != 1 {
		t.Fatalf("%+v", m)
	}
	if _, err := d.patch(id, memory.Match{1}, `{"tags":null}`); memory.CodeOf(err) != memory.PreconditionFailed {
		t.Fatalf("an old ETag: %v", err)
	}
	if m, err = d.patch(id, nil, `{"tags":null,"metadata":null}`); err != nil || m.Tags != nil || m.Metadata != nil {
		t.Fatalf("%+v, %v", m, err)
	}
	history, err := d.p.View().History(d.who, id)
	d.must(err)
	if len(history.Versions) != 3 || history.Versions[2].Content != "The build takes ten minutes." {
		t.Fatalf("%+v", history)
	}
	d.reopen()
	if d.get(id).Version != 3 {
		t.Fatal("lost a version")
	}
	d.sound()
}

func TestPatchRefuses(t *testing.T) {
	d := newDesk(t)
	id := d.learned("A fact.")
	d.entity(memory.EntityRequest{Name: "Anna", EntityType: "person"})
	ben := d.entity(memory.EntityRequest{Name: "Ben", EntityType: "person"})
	for _, tc := range []struct {
		name string
		id   memory.ID
		body string
		want memory.Code
	}{
		{"an unknown id", memory.NewID(), `{"tags":[]}`, memory.NotFound},
		{"a field of another kind", id, `{"title":"T"}`, memory.Invalid},
		{"reversed validity", id, `{"validFrom":"2026-02-01T00:00:00Z","validTo":"2026-01-01T00:00:00Z"}`, memory.Invalid},
		{"a name that is taken", ben.EntityID, `{"name":"ANNA"}`, memory.Conflict},
	} {
		if _, err := d.patch(tc.id, nil, tc.body); memory.CodeOf(err) != tc.want {
			t.Errorf("%s: %v, want %s", tc.name, err, tc.want)
		}
	}
	d.sound()
}

func TestPatchPreparedTooEarly(t *testing.T) {
	d := newDesk(t)
	id := d.learned("A fact.")
	var what memory.PatchRequest
	fillPatch(t, &what, `{"content":"Another."}`)
	early, err := d.p.View().Patch(context.Background(), d.who, id, nil, &what)
	d.must(err)
	_, err = d.patch(id, nil, `{"tags":["x"]}`)
	d.must(err)
	d.must(d.commit(early))
	if !errors.Is(early.Err(), ErrStale) {
		t.Fatalf("%v", early.Err())
	}
	if m := d.get(id); m.Content != "A fact." || m.Version != 2 {
		t.Fatalf("%+v", m)
	}
}

func TestDeleteIsReal(t *testing.T) {
	d := newDesk(t)
	id := d.learned("The secret word is xylophone.")
	_, err := d.patch(id, nil, `{"content":"The secret word is zeppelin."}`)
	d.must(err)
	d.must(d.remove(id))
	if _, err := d.p.View().Get(d.who, id); memory.CodeOf(err) != memory.NotFound {
		t.Fatalf("get: %v", err)
	}
	if _, err := d.p.View().History(d.who, id); memory.CodeOf(err) != memory.NotFound {
		t.Fatalf("history: %v", err)
	}
	if err := d.remove(id); memory.CodeOf(err) != memory.NotFound {
		t.Fatalf("delete again: %v", err)
	}
	report := d.sound()
	if report.Versions != 0 || report.Vectors != 0 || report.Terms != 0 {
		t.Fatalf("something is left: %+v", report)
	}
}

func TestEntityTakesItsOwnAlong(t *testing.T) {
	d := newDesk(t)
	anna := d.entity(memory.EntityRequest{
		Name: "Anna", EntityType: "person",
		Observations: []memory.ObservationInput{{Content: "Plays chess."}, {Content: "plays chess"}, {Content: "Owns a boat."}},
		Relations:    []memory.RelationInput{{To: "Acme", RelationType: "works_at"}},
	})
	if anna.Action != memory.Created || anna.ObservationsAdded != 2 || anna.RelationsAdded != 1 {
		t.Fatalf("%+v", anna)
	}
	fact, err := d.learn(memory.LearnRequest{Content: "Anna called."})
	d.must(err)
	again := d.entity(memory.EntityRequest{
		Name: "anna", EntityType: "person", Aliases: []string{"Annie", "ANNA"},
		Observations: []memory.ObservationInput{{Content: "Owns a boat."}},
		Relations:    []memory.RelationInput{{To: "acme", RelationType: "works_at"}},
	})
	if again.Action != memory.Updated || again.EntityID != anna.EntityID || again.ObservationsAdded+again.RelationsAdded != 0 {
		t.Fatalf("%+v", again)
	}
	if diff := cmp.Diff([]string{"Annie"}, d.get(anna.EntityID).Aliases); diff != "" {
		t.Fatal(diff)
	}
	d.must(d.remove(anna.EntityID))
	if links := d.get(fact.ID).Entities; len(links) != 0 {
		t.Fatalf("a link to nobody: %v", links)
	}
	report := d.sound()
	if report.Entities != 1 || report.Relations != 0 || report.Records != 2 { // Acme and the fact
		t.Fatalf("%+v", report)
	}
}

func TestForget(t *testing.T) {
	d := newDesk(t)
	no := false
	for _, what := range []memory.LearnRequest{
		{Content: "One.", Project: "a", Metadata: json.RawMessage(`{"n":1}`)},
		{Content: "Two.", Project: "a", Metadata: json.RawMessage(`{"n":2}`)},
		{Content: "Three.", Project: "b", Metadata: json.RawMessage(`{"n":3}`)},
	} {
		_, err := d.learn(what)
		d.must(err)
	}
	filter := &memory.ForgetFilter{Selection: memory.Selection{Project: "a", Filter: json.RawMessage(`{"n":{"gte":2}}`)}}
	dry, err := d.forget(memory.ForgetRequest{Filter: filter})
	d.must(err)
	if !dry.DryRun || dry.Count != 1 || dry.Erased != 0 || d.sound().Records != 3 {
		t.Fatalf("%+v", dry)
	}
	wet, err := d.forget(memory.ForgetRequest{Filter: filter, DryRun: &no})
	d.must(err)
	if wet.Erased != 1 || d.sound().Records != 2 {
		t.Fatalf("%+v", wet)
	}
	left := d.search(memory.SearchRequest{Query: "one three"}).Results
	ids := []memory.ID{left[0].ID, memory.NewID()}
	if _, err := d.forget(memory.ForgetRequest{IDs: ids, DryRun: &no}); memory.CodeOf(err) != memory.NotFound || d.sound().Records != 2 {
		t.Fatalf("an unknown id among them: %v", err)
	}
	gone, err := d.forget(memory.ForgetRequest{IDs: ids[:1], DryRun: &no})
	d.must(err)
	if gone.Erased != 1 || d.sound().Records != 1 {
		t.Fatalf("%+v", gone)
	}
}

func TestWornPartition(t *testing.T) {
	d := newDesk(t)
	w, err := d.p.View().LearnBatch(context.Background(), d.who, &memory.BatchRequest{Items: numbered(1100)})
	d.must(d.do(w, err))
	if d.p.Worn() {
		t.Fatal("worn when new")
	}
	no := false
	_, err = d.forget(memory.ForgetRequest{Filter: &memory.ForgetFilter{Selection: memory.Selection{Category: "insight"}}, DryRun: &no})
	d.must(err)
	if !d.p.Worn() {
		t.Fatal("not worn with nothing left")
	}
	d.open()
	if d.p.Worn() || d.sound().Records != 0 {
		t.Fatal("worn after opening anew")
	}
}
