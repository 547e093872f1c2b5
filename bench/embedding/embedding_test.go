package embedding

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTextsHaveTheLengthAskedFor(t *testing.T) {
	for _, tokens := range []int{12, 32, 200} {
		all, err := tokenized(1, textsOfLength, tokens)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, ids := range all {
			if len(ids) != tokens {
				t.Errorf("%d tokens, want %d", len(ids), tokens)
			}
			line, _ := json.Marshal(ids)
			seen[string(line)] = true
		}
		if len(seen) != textsOfLength {
			t.Errorf("%d tokens: %d different texts of %d", tokens, len(seen), textsOfLength)
		}
	}
}

func TestEveryKindHasWholeBatches(t *testing.T) {
	for _, k := range kinds {
		if textsOfLength%k.batch != 0 {
			t.Errorf("%d texts in batches of %d", textsOfLength, k.batch)
		}
	}
}

func TestWorkAnswers(t *testing.T) {
	var in, out bytes.Buffer
	lines, text := json.NewEncoder(&in), [][]int32{{101, 7592, 102}}
	for _, r := range []request{
		{Op: "first", Texts: text}, {Op: "about"}, {Op: "vectors", Texts: text}, {Op: "memory"},
		{Op: "rate", Texts: text, Batch: 1, AtOnce: 2, Ns: 1}, {Op: "rate", Texts: text, Batch: 2, AtOnce: 1}, {Op: "sing"},
	} {
		if err := lines.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := Work(&in, &out); err != nil {
		t.Fatal(err)
	}
	var got []answer
	for lines := json.NewDecoder(&out); lines.More(); {
		var a answer
		if err := lines.Decode(&a); err != nil {
			t.Fatal(err)
		}
		got = append(got, a)
	}
	if len(got) != 7 {
		t.Fatalf("%d answers", len(got))
	}
	if got[0].StartNs <= 0 || !strings.HasPrefix(got[1].About, "kernel ") {
		t.Errorf("first %+v, about %+v", got[0], got[1])
	}
	if v := got[2].Vectors[0]; math.Abs(cosine(v, v)-1) > 1e-6 || len(v) != 384 {
		t.Errorf("a vector of %d", len(v))
	}
	if a := got[4]; a.Texts < 2 || a.WallNs <= 0 || a.P50Ns <= 0 || a.P99Ns < a.P50Ns {
		t.Errorf("rate %+v", a)
	}
	if got[5].Error == "" || got[6].Error == "" {
		t.Errorf("a batch that cannot be and an unknown request were answered: %+v", got[5:])
	}
}

func TestWorkRefusesNoise(t *testing.T) {
	if err := Work(strings.NewReader("hello"), &bytes.Buffer{}); err == nil {
		t.Error("no error")
	}
}

// workers is the command that starts this program as our side. The race
// detector would let each of them sleep for a second at its end.
func workers(t *testing.T) []string {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asWorker, "1")
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	return []string{self}
}

// A short run of our side alone: the report says that the other is missing.
func TestRunWithoutTheOtherSide(t *testing.T) {
	self := workers(t)
	const missing = "There is none here."
	report, err := Run(t.Context(), Options{Self: self, Missing: missing, Short: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Rates) != 2*len(kinds) || len(report.Starts) != 2 || len(report.Cosines) != 0 {
		t.Errorf("%d rates, %d starts, %d cosines", len(report.Rates), len(report.Starts), len(report.Cosines))
	}
	dir := t.TempDir()
	if err := report.WriteFiles(dir); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(dir + "/embedding-" + report.Date.Format(time.DateOnly) + ".md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), missing) || strings.Contains(string(page), dir) || strings.Contains(string(page), "NaN") {
		t.Errorf("the page:\n%s", page)
	}
}

// An onnxruntime that cannot start is a missing one, not a failure (I4).
func TestRunWithABrokenOtherSide(t *testing.T) {
	self := workers(t)
	report, err := Run(t.Context(), Options{Self: self, ORT: t.TempDir(), Short: true})
	if err != nil {
		t.Fatal(err)
	}
	if report.AnchorMissing == "" || len(report.Starts) != 2 {
		t.Errorf("missing %q, %d starts", report.AnchorMissing, len(report.Starts))
	}
}

func TestRunWithoutUs(t *testing.T) {
	if _, err := Run(t.Context(), Options{Self: []string{"/nonexistent"}, Short: true}); err == nil {
		t.Error("no error")
	}
}

func TestRatioIsOfNeighbours(t *testing.T) {
	var a, b Rate
	for _, n := range []int64{100, 200, 400} { // the machine gets faster, the ratio stays
		a.add(answer{Texts: 3 * n, WallNs: 1e9, CPUNs: 5e8, P50Ns: 2000, P99Ns: 3000})
		b.add(answer{Texts: n, WallNs: 1e9, CPUNs: 1e9})
	}
	if diff := cmp.Diff(Spread{6, 6, 6}, ratio(&a, &b, Round.perCPU)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Spread{{600, 300, 1200}, {1200, 600, 2400}, {2, 2, 2}, {3, 3, 3}}, []Spread{a.Wall, a.PerCPU, a.P50, a.P99}); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Spread{}, ratio(&a, &Rate{}, Round.perCPU)); diff != "" {
		t.Error(diff)
	}
}

func TestCompareVectors(t *testing.T) {
	got := compareVectors("a", "b", [][]float32{{1, 0}, {0, 2}}, [][]float32{{2, 0}, {1, 0}})
	if diff := cmp.Diff(Cosine{A: "a", B: "b", Texts: 2, Min: 0, Mean: 0.5}, got); diff != "" {
		t.Error(diff)
	}
}

func TestMarkdownOfGoals(t *testing.T) {
	r := &Report{About: map[string]string{}}
	for side, texts := range map[string]int64{Ours: 800, Int8: 400} {
		c := Rate{Side: side, Threads: 1, AtOnce: 1, Tokens: 32, Batch: 4}
		c.add(answer{Texts: texts, WallNs: 1e9, CPUNs: 1e9})
		r.Rates = append(r.Rates, c)
	}
	if want := "32 tokens, 4 texts a call | 2.00 (2.00–2.00) | yes |"; !strings.Contains(r.Markdown(), want) {
		t.Errorf("no %q in\n%s", want, r.Markdown())
	}
}
