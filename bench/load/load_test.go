package load

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// The two that are passed over are fasthttp's own and end by themselves, up to
// ten seconds after Shutdown, or never (its clock for the Date header).
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2"),
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1"))
}

// server is a Send on a false clock: each answer takes service, and request
// number stall takes much longer.
func server(service time.Duration, stall int, length time.Duration) func(conn, n int) error {
	return func(_, n int) error {
		if n == stall {
			time.Sleep(length)
		}
		time.Sleep(service)
		return nil
	}
}

// falsely runs a plan on a false clock, where every number is exact.
func falsely(t *testing.T, p Plan) (out Report) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p.pause = time.Sleep
		var err error
		if out, err = Run(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	})
	return out
}

func TestOpenLoopKeepsItsSchedule(t *testing.T) {
	var mu sync.Mutex
	sent := map[int]time.Duration{}
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		_, err := Run(t.Context(), Plan{
			Connections: 4, Rate: 1000, Arrivals: Poisson, Seed: 5, Duration: time.Second, pause: time.Sleep,
			Send: func(_, n int) error {
				mu.Lock()
				defer mu.Unlock()
				sent[n] = time.Since(start)
				return nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	want := map[int]time.Duration{}
	for n, moment := range Schedule(1000, time.Second, Poisson, 5) {
		want[n] = moment
	}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Errorf("requests went out at other moments than planned (-want +got):\n%s", diff)
	}
}

// A server that stands still once for 200 ms, asked 1,000 times a second for
// 2 s: 200 callers are kept waiting, a tenth of all. The open loop says so; in
// the closed loop one request of many is slow, as if the other 199 callers
// had politely stayed away.
func TestOpenLoopSeesAStallThatAClosedLoopHides(t *testing.T) {
	plan := Plan{Duration: 2 * time.Second, Send: server(500*time.Microsecond, 1000, 200*time.Millisecond)}
	closed := falsely(t, plan)
	plan.Rate = 1000
	open := falsely(t, plan)

	if closed.Latency.P99 > 2*time.Millisecond || closed.Latency.Max < 200*time.Millisecond {
		t.Errorf("closed loop: p99 %v, max %v; want the stall in the maximum alone", closed.Latency.P99, closed.Latency.Max)
	}
	if open.Latency.P99 < 150*time.Millisecond || open.Latency.P50 > 2*time.Millisecond {
		t.Errorf("open loop: p50 %v, p99 %v; want the stall in the p99 and not in the p50", open.Latency.P50, open.Latency.P99)
	}
	if open.OK != 2000 || open.Missed != 0 {
		t.Errorf("open loop: %d succeeded, %d missed; want 2000 and 0", open.OK, open.Missed)
	}
}

func TestOverloadIsCountedAsMissedAndStandsInTheLatencies(t *testing.T) {
	// 1,000 a second fall due and 100 a second can be answered, for 1 s and 1 s of drain.
	got := falsely(t, Plan{
		Rate: 1000, Duration: time.Second, Drain: time.Second, Send: server(10*time.Millisecond, -1, 0),
	})
	if got.Sent+got.Missed != 1000 || got.OK != 200 {
		t.Errorf("%d sent, %d missed, %d succeeded; want 200 of 1000 and the others missed", got.Sent, got.Missed, got.OK)
	}
	if got.Latency.P50 < time.Second {
		t.Errorf("p50 %v; want at least the second that most arrivals waited for nothing", got.Latency.P50)
	}
	if got.Rate < 95 || got.Rate > 105 {
		t.Errorf("rate %v; want about 100 a second", got.Rate)
	}
}

func TestWarmupIsSentAndNotCounted(t *testing.T) {
	for _, rate := range []float64{0, 100} {
		var sent atomic.Int64
		got := falsely(t, Plan{
			Rate: rate, Warmup: time.Second, Duration: time.Second,
			Send: func(int, int) error { sent.Add(1); time.Sleep(10 * time.Millisecond); return nil },
		})
		if sent.Load() < 199 || sent.Load() > 201 || got.Sent < 99 || got.Sent > 101 {
			t.Errorf("rate %v: %d sent, %d counted; want about 200 and 100", rate, sent.Load(), got.Sent)
		}
	}
}

func TestReportArithmetic(t *testing.T) {
	var cpu time.Duration
	got := falsely(t, Plan{
		Name: "sums", Connections: 2, Rate: 100, Duration: time.Second, First: 40,
		Send: func(_, n int) error {
			time.Sleep(2 * time.Millisecond)
			switch {
			case n%10 == 0:
				return io.ErrUnexpectedEOF
			case n%25 == 1:
				return os.ErrDeadlineExceeded
			}
			return nil
		},
		ServerCPU: func() (time.Duration, error) { cpu += time.Second; return cpu, nil },
	})
	got.ClientCPU = 0 // real, and so not the same every time
	exact := 2 * time.Millisecond
	want := Report{
		Name: "sums", Mode: "open loop, constant", Connections: 2, Target: 100, Elapsed: time.Second,
		Sent: 100, OK: 86, Rate: 86, ServerCPU: time.Second, Next: 140,
		Latency: Latency{exact, exact, exact, exact, exact, exact},
		Lag:     Latency{1000, 1000, 1000, 1000, 1000, 1000},
		Failures: []Failure{
			{"connection closed", 10, "unexpected EOF"},
			{KindTimeout, 4, "i/o timeout"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("report differs (-want +got):\n%s", diff)
	}
	if per := got.ServerCPUPerRequest(); per != 10*time.Millisecond || got.Failed() != 14 {
		t.Errorf("%v a request, %d failed; want 10ms and 14", per, got.Failed())
	}
	if (Report{ServerCPU: 1}).ServerCPUPerRequest() != 0 {
		t.Error("a report without requests has a cost per request")
	}
}

func TestCapacityRunsBelowWhatItFound(t *testing.T) {
	seen := map[int]bool{}
	synctest.Test(t, func(t *testing.T) {
		got, err := Capacity(t.Context(), Plan{
			Duration: time.Second, pause: time.Sleep,
			Send: func(_, n int) error {
				if seen[n] {
					t.Errorf("number %d was used twice", n)
				}
				seen[n] = true
				time.Sleep(10 * time.Millisecond)
				return nil
			},
		}, 2*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if got.Closed.Rate != 100 || got.Half.Target != 50 || got.High.Target != 80 || got.High.Missed != 0 {
			t.Errorf("closed %v, then %v and %v with %d missed; want 100, 50, 80, 0",
				got.Closed.Rate, got.Half.Target, got.High.Target, got.High.Missed)
		}
		if got.Next() <= len(seen)-1 {
			t.Errorf("next is %d after %d numbers", got.Next(), len(seen))
		}
	})
}

func TestCapacityWaitsForASlowServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got, err := Capacity(t.Context(), Plan{
			Duration: time.Second, pause: time.Sleep, Send: server(5*time.Second, -1, 0),
		}, 20*time.Second)
		if err != nil || got.Closed.Elapsed != 8*time.Second || got.Closed.OK != 1 {
			t.Errorf("got %d answers in %v, %v; want 1 in 8s", got.Closed.OK, got.Closed.Elapsed, err)
		}
		_, err = Capacity(t.Context(), Plan{Duration: time.Second, Send: server(time.Minute, -1, 0)}, time.Second)
		if err == nil || !strings.Contains(err.Error(), "no request was answered within 16s") {
			t.Errorf("got %v; want an end of the patience", err)
		}
	})
}

func TestCapacityOfADeadServerIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, err := Capacity(t.Context(), Plan{Duration: time.Second, Send: func(int, int) error {
			time.Sleep(time.Millisecond)
			return errors.New("nobody home")
		}}, time.Second)
		if err == nil || !strings.Contains(err.Error(), "nobody home") {
			t.Errorf("got %v; want an error that shows what the requests met", err)
		}
	})
}

func TestCancelledRunEndsSoon(t *testing.T) {
	for _, rate := range []float64{0, 10} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			start := time.Now()
			_, err := Run(ctx, Plan{
				Rate: rate, Duration: time.Hour, pause: time.Sleep, Send: server(time.Millisecond, -1, 0),
			})
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("rate %v: got %v; want the context's error", rate, err)
			}
			if took := time.Since(start); took > 2*time.Second {
				t.Errorf("rate %v: ended after %v", rate, took)
			}
		})
	}
}

func TestFailureToReadTheServersCPUIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := errors.New("gone")
		_, err := Run(t.Context(), Plan{
			Duration: time.Second, Send: server(time.Millisecond, -1, 0),
			ServerCPU: func() (time.Duration, error) { return 0, gone },
		})
		if !errors.Is(err, gone) {
			t.Errorf("got %v", err)
		}
	})
}

func TestWrongPlansAreRefused(t *testing.T) {
	send := func(int, int) error { return nil }
	for name, p := range map[string]Plan{
		"Send":        {Duration: 1},
		"Duration":    {Send: send},
		"Warmup":      {Send: send, Duration: 1, Warmup: -1},
		"Connections": {Send: send, Duration: 1, Connections: -1},
		"Arrivals":    {Send: send, Duration: 1, Arrivals: "bursts"},
		"Rate":        {Send: send, Duration: time.Hour, Rate: 1e9},
	} {
		if _, err := Run(t.Context(), p); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v; want an error that names the field", name, err)
		}
	}
}

func TestKindOf(t *testing.T) {
	for want, err := range map[string]error{
		KindTimeout:         os.ErrDeadlineExceeded,
		"connection closed": io.EOF,
		"other":             errors.New("x"),
		"self-named":        named{},
	} {
		if got := KindOf(err); got != want {
			t.Errorf("kind of %v is %q; want %q", err, got, want)
		}
	}
}

type named struct{}

func (named) Error() string { return "n" }
func (named) Kind() string  { return "self-named" }

func TestCountingAllocatesNothing(t *testing.T) {
	seen, err := newTally(), error(named{})
	seen.answered(1, 1, err)
	allocs := testing.AllocsPerRun(1000, func() {
		seen.answered(time.Millisecond, time.Second, nil)
		record(seen.lag, time.Millisecond)
		seen.miss(time.Hour)
	})
	if allocs != 0 {
		t.Errorf("%v allocations for a request", allocs)
	}
}
