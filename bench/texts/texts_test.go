package texts

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestTextsAreDistinctAndOfTheSizeTheySay(t *testing.T) {
	const many = 100_000
	seen := make(map[string]bool, many)
	list, total := New(7), 0
	for n := range many {
		text := string(list.AppendText(nil, n))
		if seen[text] {
			t.Fatalf("text %d was there before: %s", n, text)
		}
		seen[text] = true
		if len(text) < 200 || len(text) > 300 {
			t.Fatalf("text %d has %d characters: %s", n, len(text), text)
		}
		if i := strings.IndexFunc(text, needsEscape); i >= 0 {
			t.Fatalf("text %d needs an escape at %d: %s", n, i, text)
		}
		total += len(text)
	}
	t.Logf("mean length %d", total/many)
}

func needsEscape(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`"\<>&`, r) }

func TestTextsAreStable(t *testing.T) {
	got := []string{
		string(New(1).AppendText(nil, 0)),
		string(New(1).AppendQuery(nil, 0)),
		string(New(1).AppendText(nil, 1_000_000)),
		string(New(2).AppendText(nil, 0)),
	}
	want := []string{
		"Case 0 covers 3538 working hours due before the end of January. Liam Garcia of Yellowtail redesigned the historic survey in Tallinn on 20 July 2021 after the union agreed to new shifts. Carla noted that Liam Garcia insists on metric units.",
		"Liam Garcia insists on metric units",
		"Case 1000000 covers 1196 test runs due before the end of September. Miriam Dubois of Juniper Health questioned the confidential heat pump in Bergen on 22 March 2022 since the new law takes effect. Mona noted that Miriam Dubois wants two people on every visit.",
		"Case 0 covers 6391 printed copies due before the end of October. Nikolai Estrada of Ironbridge approved the regional heat pump in Riga on 3 November 2023 because the error rate had doubled. Katya noted that Nikolai Estrada wants weekly summaries by mail.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("recorded texts changed, so that old results are no longer comparable (-want +got):\n%s", diff)
	}
}

func TestQueriesAreMadeOfTheirTexts(t *testing.T) {
	list := New(3)
	for n := range 1000 {
		text := string(list.AppendText(nil, n))
		for word := range strings.FieldsSeq(string(list.AppendQuery(nil, n))) {
			if !strings.Contains(text, word) {
				t.Fatalf("word %q of query %d is not in its text: %s", word, n, text)
			}
		}
	}
}

func TestMakingTextsAllocatesNothing(t *testing.T) {
	list, buffer, n := New(1), make([]byte, 0, 1024), 0
	allocs := testing.AllocsPerRun(1000, func() {
		buffer = list.AppendQuery(list.AppendText(buffer[:0], n), n)
		n++
	})
	if allocs != 0 {
		t.Errorf("%v allocations for a text and a query", allocs)
	}
}

func BenchmarkText(b *testing.B) {
	list, buffer := New(1), make([]byte, 0, 1024)
	for n := range b.N {
		buffer = list.AppendText(buffer[:0], n)
	}
}
