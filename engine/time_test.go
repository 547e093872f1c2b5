package engine

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"loci/engine/memory"
)

func day(s string) time.Time {
	t, err := time.Parse("2006-01-02", s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestSupersedeAndAsOf(t *testing.T) {
	d := newDesk(t)
	old, err := d.learn(memory.LearnRequest{Content: "Anna works at Acme.", ValidFrom: day("2020-01-01")})
	d.must(err)
	if _, err := d.learn(memory.LearnRequest{Content: "Anna works at Globex.", ValidFrom: day("2025-01-01"), Supersedes: old.ID}); err != nil {
		t.Fatal(err)
	}
	ask := memory.SearchRequest{Query: "Where does Anna work?"}
	for _, tc := range []struct {
		name string
		make func(*memory.SearchRequest)
		want []string
	}{
		{"now", func(*memory.SearchRequest) {}, []string{"Anna works at Globex."}},
		{"in 2022", func(r *memory.SearchRequest) { r.AsOf = day("2022-06-01") }, []string{"Anna works at Acme."}},
		{"on the day of the change", func(r *memory.SearchRequest) { r.AsOf = day("2025-01-01") }, []string{"Anna works at Globex."}},
		{"before both", func(r *memory.SearchRequest) { r.AsOf = day("2019-01-01") }, []string{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := ask
			tc.make(&r)
			if diff := cmp.Diff(tc.want, d.found(r)); diff != "" {
				t.Fatal(diff)
			}
		})
	}
	ask.IncludeSuperseded = true
	if n := len(d.found(ask)); n != 2 {
		t.Fatalf("with superseded: %d", n)
	}
	m := d.get(old.ID)
	if m.SupersededBy.IsZero() || !m.ValidTo.Equal(day("2025-01-01")) || m.Version != 2 {
		t.Fatalf("%+v", m)
	}
	d.reopen()
	d.sound()
	if diff := cmp.Diff([]string{"Anna works at Globex."}, d.found(memory.SearchRequest{Query: "Anna works"})); diff != "" {
		t.Fatal(diff)
	}
}

func TestSupersedeWithoutDates(t *testing.T) {
	d := newDesk(t)
	old := d.learned("The door code is 1234.")
	between := d.clock.Add(500 * time.Microsecond)
	d.clock = d.clock.Add(time.Hour)
	_, err := d.learn(memory.LearnRequest{Content: "The door code is 9876.", Supersedes: old})
	d.must(err)
	for _, tc := range []struct {
		ask  memory.SearchRequest
		want []string
	}{
		{memory.SearchRequest{Query: "door code"}, []string{"The door code is 9876."}},
		{memory.SearchRequest{Query: "door code", AsOf: between}, []string{"The door code is 1234."}},
		{memory.SearchRequest{Query: "door code", KnownAt: between}, []string{"The door code is 1234."}},
	} {
		if diff := cmp.Diff(tc.want, d.found(tc.ask)); diff != "" {
			t.Errorf("%+v: %s", tc.ask, diff)
		}
	}
}

func TestASecondSuccessorIsAConflict(t *testing.T) {
	d := newDesk(t)
	old := d.learned("The lead is Ann.")
	first, err := d.learn(memory.LearnRequest{Content: "The lead is Ben.", Supersedes: old})
	d.must(err)
	second, err := d.learn(memory.LearnRequest{Content: "The lead is Cleo.", Supersedes: old})
	d.must(err)
	if len(second.Conflicts) != 1 || second.Conflicts[0].ID != first.ID {
		t.Fatalf("%+v", second.Conflicts)
	}
	if d.get(old).SupersededBy != first.ID {
		t.Fatal("the first successor was forgotten")
	}
}

func TestExpiredIsPast(t *testing.T) {
	d := newDesk(t)
	for content, until := range map[string]string{"The offer for tea ended.": "2026-02-01", "The offer for tea runs.": "2027-01-01"} {
		_, err := d.learn(memory.LearnRequest{Content: content, ValidTo: day(until)})
		d.must(err)
	}
	if diff := cmp.Diff([]string{"The offer for tea runs."}, d.found(memory.SearchRequest{Query: "offer tea"})); diff != "" {
		t.Fatal(diff)
	}
	if n := len(d.found(memory.SearchRequest{Query: "offer tea", IncludeSuperseded: true})); n != 2 {
		t.Fatal("expired one is not to be had")
	}
}

func TestKnownAtFindsTheOldWords(t *testing.T) {
	d := newDesk(t)
	id := d.learned("The capital project is called Falcon.")
	then := d.clock
	d.clock = d.clock.Add(time.Hour)
	_, err := d.patch(id, nil, `{"content":"The capital project is called Heron."}`)
	d.must(err)
	for range 2 {
		if got := d.found(memory.SearchRequest{Query: "falcon", Mode: memory.ModeText}); len(got) != 0 {
			t.Fatalf("now, by its old word: %q", got)
		}
		want := []string{"The capital project is called Falcon."}
		if diff := cmp.Diff(want, d.found(memory.SearchRequest{Query: "falcon", Mode: memory.ModeText, KnownAt: then})); diff != "" {
			t.Fatalf("as known then: %s", diff)
		}
		if got := d.found(memory.SearchRequest{Query: "heron", Mode: memory.ModeText, KnownAt: then}); len(got) != 0 {
			t.Fatalf("then, by its new word: %q", got)
		}
		if got := d.found(memory.SearchRequest{Query: "project", KnownAt: dawn}); len(got) != 0 {
			t.Fatalf("before it was learned: %q", got)
		}
		d.reopen()
	}
	d.must(d.remove(id))
	if got := d.found(memory.SearchRequest{Query: "falcon", KnownAt: then}); len(got) != 0 {
		t.Fatalf("erased, and yet known: %q", got)
	}
}

func TestDeletingTheSuccessorReinstates(t *testing.T) {
	d := newDesk(t)
	old, err := d.learn(memory.LearnRequest{Content: "The lead is Ann.", ValidTo: day("2030-01-01")})
	d.must(err)
	next, err := d.learn(memory.LearnRequest{Content: "The lead is Ben.", Supersedes: old.ID})
	d.must(err)
	d.must(d.remove(next.ID))
	m := d.get(old.ID)
	if !m.SupersededBy.IsZero() || !m.ValidTo.Equal(day("2030-01-01")) {
		t.Fatalf("%+v", m)
	}
	if diff := cmp.Diff([]string{"The lead is Ann."}, d.found(memory.SearchRequest{Query: "lead"})); diff != "" {
		t.Fatal(diff)
	}
	d.sound()
}

func TestClockThatRunsBackwards(t *testing.T) {
	d := newDesk(t)
	first := d.get(d.learned("Before."))
	d.clock = d.clock.Add(-time.Hour)
	second := d.get(d.learned("After."))
	if !second.CreatedAt.After(first.CreatedAt) {
		t.Fatalf("%v, then %v", first.CreatedAt, second.CreatedAt)
	}
	d.sound()
}
