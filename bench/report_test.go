package bench

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"loci/bench/load"
)

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		all  []float64
		want Spread
	}{
		{nil, Spread{}},
		{[]float64{5}, Spread{5, 5, 5}},
		{[]float64{9, 1, 5}, Spread{5, 1, 9}},
		{[]float64{4, 1, 2, 9}, Spread{3, 1, 9}},
	} {
		if diff := cmp.Diff(c.want, spread(c.all)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.all, diff)
		}
	}
}

func round(rate float64, sent int64, cpu time.Duration) load.CapacityReport {
	return load.CapacityReport{
		Closed: load.Report{Rate: rate, Sent: sent, OK: sent, ServerCPU: cpu, ClientCPU: cpu / 2},
		Half:   load.Report{Sent: 10, OK: 8, Failures: []load.Failure{{Kind: "status 503", Count: 2, Example: "status 503: busy\nsorry"}}, Latency: load.Latency{P50: 500 * time.Microsecond, P99: 2500 * time.Microsecond}},
		High:   load.Report{Missed: 3, Latency: load.Latency{P50: 70 * time.Millisecond, P99: 3 * time.Second}},
	}
}

// The ratio is taken round by round: 2, 1 and 0.5, and not of the medians.
func TestComparisonArithmetic(t *testing.T) {
	c := Comparison{
		Connections: 64,
		Learn:       Series{Rounds: []load.CapacityReport{round(2000, 100, time.Millisecond), round(1000, 100, 2*time.Millisecond), round(500, 100, 3*time.Millisecond)}},
		Redis:       &Series{Rounds: []load.CapacityReport{round(1000, 1, 0), round(1000, 1, 0), round(1000, 1, 0)}},
	}
	c.sum()
	if diff := cmp.Diff(&Spread{1, 0.5, 2}, c.Ratio); diff != "" {
		t.Errorf("ratio (-want +got):\n%s", diff)
	}
	want := Summary{
		Rate: Spread{1000, 500, 2000}, ServerCPU: Spread{20, 10, 30}, ClientCPU: Spread{10, 5, 15},
		HalfP50: Spread{500, 500, 500}, HalfP99: Spread{2500, 2500, 2500},
		HighP50: Spread{70_000, 70_000, 70_000}, HighP99: Spread{3_000_000, 3_000_000, 3_000_000},
		Failed: 6, Missed: 9,
	}
	if diff := cmp.Diff(want, c.Learn.Summary); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	page := (&Report{Learn: []Comparison{c}}).Markdown()
	for _, part := range []string{
		"| 64 | 1,000 (500–2,000) | 1,000 (1,000–1,000) | 1.00 (0.50–2.00) | – | 20.0 | – | 10.0 | – | 12 | 18 |",
		"| 500 µs / 2.5 ms | 500 µs / 2.5 ms | 70.0 ms / 3.00 s |",
		"- learn, 0 connections: status 503, for example: status 503: busy sorry",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("page lacks %q:\n%s", part, page)
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[float64]string{0: "0", 999.4: "999", 1000: "1,000", 1234567.8: "1,234,568"} {
		if got := thousands(n); got != want {
			t.Errorf("%v is %q; want %q", n, got, want)
		}
	}
}
