package load

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Latency is the percentiles of a run.
type Latency struct {
	Mean time.Duration `json:"meanNs"`
	P50  time.Duration `json:"p50Ns"`
	P90  time.Duration `json:"p90Ns"`
	P99  time.Duration `json:"p99Ns"`
	P999 time.Duration `json:"p999Ns"`
	Max  time.Duration `json:"maxNs"`
}

// Report is what a run saw in its measured window.
type Report struct {
	Name        string `json:"name"`
	Mode        string `json:"mode"`
	Connections int    `json:"connections"`
	// Target is the planned rate; zero for a closed loop.
	Target float64 `json:"target"`
	// Elapsed is the window: the planned one, or until the last answer if
	// that came later.
	Elapsed time.Duration `json:"elapsedNs"`
	// Sent is OK and all failures; with Missed it is every arrival (I3).
	Sent     int64     `json:"sent"`
	OK       int64     `json:"ok"`
	Missed   int64     `json:"missed"`
	Failures []Failure `json:"failures"`
	// Rate is the successes a second.
	Rate    float64 `json:"rate"`
	Latency Latency `json:"latency"`
	// Lag is how late requests of an open loop went out: the generator's own
	// slack, and the wait for a free connection.
	Lag Latency `json:"lag"`
	// ServerCPU and ClientCPU are the processor times within the window.
	ServerCPU time.Duration `json:"serverCpuNs"`
	ClientCPU time.Duration `json:"clientCpuNs"`
	// Next is larger than every n used (I5).
	Next int `json:"-"`
}

// ServerCPUPerRequest is the server's processor time for one answered request.
func (r Report) ServerCPUPerRequest() time.Duration { return r.perRequest(r.ServerCPU) }

// ClientCPUPerRequest is the generator's processor time for one request.
func (r Report) ClientCPUPerRequest() time.Duration { return r.perRequest(r.ClientCPU) }

// Failed is how many requests failed, of whatever kind.
func (r Report) Failed() int64 { return r.Sent - r.OK }

// perRequest divides by what was sent, since a refusal costs time too.
func (r Report) perRequest(total time.Duration) time.Duration {
	if r.Sent == 0 {
		return 0
	}
	return total / time.Duration(r.Sent)
}

func (r *run) report(spent spending) Report {
	all := r.tallies[0]
	for _, one := range r.tallies[1:] {
		all.merge(one)
	}
	elapsed := max(r.plan.Duration, all.last-r.plan.Warmup)
	out := Report{
		Name: r.plan.Name, Mode: r.plan.mode(), Connections: r.plan.Connections, Target: r.plan.Rate,
		Elapsed: elapsed, OK: all.ok, Missed: all.missed, Failures: all.failed.list(), Sent: all.ok,
		Rate: float64(all.ok) / elapsed.Seconds(), Latency: percentiles(all.latency), Lag: percentiles(all.lag),
		ServerCPU: spent.server, ClientCPU: spent.client, Next: r.plan.First + len(r.moments) + int(r.next.Load()),
	}
	for _, failure := range out.Failures {
		out.Sent += failure.Count
	}
	return out
}

func percentiles(h *hdrhistogram.Histogram) Latency {
	at := func(percent float64) time.Duration {
		return time.Duration(h.ValueAtPercentile(percent)) * time.Microsecond
	}
	if h.TotalCount() == 0 {
		return Latency{}
	}
	return Latency{
		Mean: time.Duration(h.Mean() * float64(time.Microsecond)),
		P50:  at(50), P90: at(90), P99: at(99), P999: at(99.9),
		Max: time.Duration(h.Max()) * time.Microsecond,
	}
}
