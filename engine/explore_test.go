package engine

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loci/engine/memory"
)

// family is a small graph: Anna – Acme – Bern – Alps, and Anna's old job.
func family(d *desk) memory.ID {
	d.t.Helper()
	anna := d.entity(memory.EntityRequest{
		Name: "Anna", EntityType: "person",
		Observations: []memory.ObservationInput{{Content: "Rides a bicycle."}, {Content: "Lived in Ulm.", ValidTo: day("2020-01-01")}},
		Relations: []memory.RelationInput{
			{To: "Acme", RelationType: "works_at", ValidFrom: day("2022-01-01"), Evidence: "Her badge."},
			{To: "Globex", RelationType: "works_at", ValidFrom: day("2015-01-01"), ValidTo: day("2022-01-01")},
		},
	})
	d.entity(memory.EntityRequest{Name: "Acme", EntityType: "company", Relations: []memory.RelationInput{{To: "Bern", RelationType: "based_in"}}})
	d.entity(memory.EntityRequest{Name: "Bern", EntityType: "city", Relations: []memory.RelationInput{{To: "Alps", RelationType: "near"}}})
	return anna.EntityID
}

func namesOf(stubs []memory.EntityStub) []string {
	names := []string{}
	for _, s := range stubs {
		names = append(names, s.Name)
	}
	return names
}

func TestLookAndGraph(t *testing.T) {
	d := newDesk(t)
	id := family(d)
	ctx := context.Background()
	for _, tc := range []struct {
		name  string
		ask   memory.GraphQuery
		nodes []string
		edges int
	}{
		{"one step", memory.GraphQuery{Entity: "anna"}, []string{"Anna", "Acme", "Globex"}, 2},
		{"two steps", memory.GraphQuery{Entity: id.String(), Depth: 2}, []string{"Anna", "Acme", "Globex", "Bern"}, 3},
		{"three steps", memory.GraphQuery{Entity: "Anna", Depth: 3}, []string{"Anna", "Acme", "Globex", "Bern", "Alps"}, 4},
		{"as of 2018", memory.GraphQuery{Entity: "Anna", Depth: 3, AsOf: day("2018-01-01")}, []string{"Anna", "Globex"}, 1},
		{"at most two", memory.GraphQuery{Entity: "Anna", Depth: 3, Limit: 2}, []string{"Anna", "Acme"}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := d.p.View().Graph(ctx, d.who, &tc.ask)
			d.must(err)
			if diff := cmp.Diff(tc.nodes, namesOf(got.Nodes)); diff != "" || len(got.Edges) != tc.edges {
				t.Fatalf("%d edges, %s", len(got.Edges), diff)
			}
		})
	}
	if _, err := d.p.View().Graph(ctx, d.who, &memory.GraphQuery{Entity: "Nobody"}); memory.CodeOf(err) != memory.NotFound {
		t.Fatalf("nobody: %v", err)
	}
	all, err := d.p.View().Look(ctx, d.who, id, &memory.LookQuery{Depth: 2})
	d.must(err)
	then, err := d.p.View().Look(ctx, d.who, id, &memory.LookQuery{AsOf: day("2018-01-01")})
	d.must(err)
	got := []int{len(all.Observations), len(all.Relations), len(all.Neighbours), len(then.Observations), len(then.Relations), len(then.Neighbours)}
	if diff := cmp.Diff([]int{2, 2, 3, 2, 1, 1}, got); diff != "" {
		t.Fatal(diff)
	}
	if all.Relations[0].Evidence != "Her badge." || all.Relations[0].ToName != "Acme" {
		t.Fatalf("%+v", all.Relations[0])
	}
}

func TestEntitiesPageByPage(t *testing.T) {
	d := newDesk(t)
	family(d)
	ctx := context.Background()
	var got []string
	ask := memory.EntityQuery{Limit: 2}
	for {
		page, err := d.p.View().Entities(ctx, d.who, &ask)
		d.must(err)
		got = append(got, namesOf(page.Entities)...)
		if ask.Cursor = page.Cursor; ask.Cursor == "" {
			break
		}
	}
	if diff := cmp.Diff([]string{"Alps", "Bern", "Globex", "Acme", "Anna"}, got); diff != "" {
		t.Fatal(diff)
	}
	companies, err := d.p.View().Entities(ctx, d.who, &memory.EntityQuery{EntityType: "company"})
	d.must(err)
	named, err := d.p.View().Entities(ctx, d.who, &memory.EntityQuery{Name: "ALPS"})
	d.must(err)
	if diff := cmp.Diff([]string{"Acme", "Alps"}, append(namesOf(companies.Entities), namesOf(named.Entities)...)); diff != "" {
		t.Fatal(diff)
	}
}

func TestListAndTimeline(t *testing.T) {
	d := newDesk(t)
	for content, at := range map[string]string{"First event.": "2020-01-01", "Second event.": "2021-01-01", "Third event.": "2022-01-01"} {
		_, err := d.learn(memory.LearnRequest{Content: content, OccurredAt: day(at)})
		d.must(err)
	}
	newest := d.learned("Learned last.")
	_, err := d.patch(newest, nil, `{"tags":["x"]}`)
	d.must(err)
	ctx := context.Background()
	list, err := d.p.View().List(ctx, d.who, &memory.ListRequest{Limit: 1})
	d.must(err)
	if list.Memories[0].ID != newest || list.Cursor == "" {
		t.Fatalf("%+v", list)
	}
	var got []string
	ask := memory.TimelineRequest{Limit: 1, From: day("2020-06-01"), To: day("2023-01-01")}
	for {
		page, err := d.p.View().Timeline(ctx, d.who, &ask)
		d.must(err)
		for _, m := range page.Memories {
			got = append(got, m.Content)
		}
		if ask.Cursor = page.Cursor; ask.Cursor == "" {
			break
		}
	}
	if diff := cmp.Diff([]string{"Second event.", "Third event."}, got); diff != "" {
		t.Fatal(diff)
	}
	if _, err := d.p.View().List(ctx, d.who, &memory.ListRequest{Cursor: "%%"}); memory.CodeOf(err) != memory.Invalid {
		t.Fatalf("a bad cursor: %v", err)
	}
}
