package bench

import (
	"cmp"
	"slices"
	"time"

	"loci/bench/kept"
	"loci/bench/load"
	"loci/bench/redis"
)

// Report is what a suite saw. It names no host and no path (I6).
type Report struct {
	Date       time.Time     `json:"date"`
	Took       time.Duration `json:"tookNs"`
	Machine    Machine       `json:"machine"`
	Parameters Parameters    `json:"parameters"`
	// AnchorMissing says why there is nothing to compare with; empty if there is.
	AnchorMissing string       `json:"anchorMissing,omitempty"`
	Learn         []Comparison `json:"learn"`
	Batch         []Series     `json:"batch"`
	Search        []Series     `json:"search"`
	Notes         []string     `json:"notes,omitempty"`
}

// Parameters is what the numbers depend on.
type Parameters struct {
	Short       bool          `json:"short"`
	Running     bool          `json:"running"` // a server that ran already
	Connections []int         `json:"connections"`
	Rounds      int           `json:"rounds"`
	Warmup      time.Duration `json:"warmupNs"`
	Duration    time.Duration `json:"durationNs"`
	Open        time.Duration `json:"openNs"`
	Corpus      int           `json:"corpus"`
	BatchSize   int           `json:"batchSize"`
	SearchLimit int           `json:"searchLimit"`
	Dedupe      string        `json:"dedupe"`
	Seed        uint64        `json:"seed"`
	ServerArgs  []string      `json:"serverArgs,omitempty"`
	Redis       string        `json:"redis,omitempty"`
	RedisArgs   []string      `json:"redisArgs"`
}

// Comparison is learns beside Redis SETs of the same bytes.
type Comparison struct {
	Connections int     `json:"connections"`
	Learn       Series  `json:"learn"`
	Redis       *Series `json:"redis,omitempty"`
	// Ratio is learns a second over SETs a second, round by round.
	Ratio *Spread `json:"ratio,omitempty"`
	// RedisOwnClient is SETs a second as redis-benchmark sees them; zero if unknown.
	RedisOwnClient float64 `json:"redisOwnClient,omitempty"`
}

// Series is one workload with one number of connections, round by round.
type Series struct {
	Connections int                   `json:"connections"`
	Rounds      []load.CapacityReport `json:"rounds"`
	Summary     Summary               `json:"summary"`
}

// Summary is a series in a line of a table. Times are microseconds.
type Summary struct {
	Rate      Spread `json:"rate"`
	ServerCPU Spread `json:"serverCpuMicros"`
	ClientCPU Spread `json:"clientCpuMicros"`
	ClosedP50 Spread `json:"closedP50Micros"`
	ClosedP99 Spread `json:"closedP99Micros"`
	HalfP50   Spread `json:"halfP50Micros"`
	HalfP99   Spread `json:"halfP99Micros"`
	HighP50   Spread `json:"highP50Micros"`
	HighP99   Spread `json:"highP99Micros"`
	Failed    int64  `json:"failed"`
	Missed    int64  `json:"missed"`
}

// Spread is a number that was measured several times.
type Spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

func newReport(s Suite, now time.Time) *Report {
	return &Report{
		Date: now.UTC(), Machine: thisMachine(s.Temp),
		Parameters: Parameters{
			Short: s.Short, Running: s.URL != "", Connections: s.Connections, Rounds: s.Rounds, Warmup: s.Warmup,
			Duration: s.Duration, Open: s.Open, Corpus: s.Corpus, BatchSize: batchSize, SearchLimit: searchLimit,
			Dedupe: s.Dedupe, Seed: s.Seed, ServerArgs: s.ServerArgs, Redis: redis.Version(), RedisArgs: redis.Settings(),
		},
	}
}

// WriteFiles keeps the report in dir, for people (.md) and for programs (.json).
// A second report of the same day takes the first one's place.
func (r *Report) WriteFiles(dir string) error {
	return kept.Write(dir, "house", r.Date, r.Markdown(), r)
}

// sum fills in what follows from the rounds.
func (c *Comparison) sum() {
	c.Learn.sum()
	if c.Redis == nil {
		return
	}
	c.Redis.sum()
	var ratios []float64
	for i := range min(len(c.Learn.Rounds), len(c.Redis.Rounds)) {
		ratios = append(ratios, c.Learn.Rounds[i].Closed.Rate/c.Redis.Rounds[i].Closed.Rate)
	}
	ratio := spread(ratios)
	c.Ratio = &ratio
}

func (s *Series) sum() {
	of := func(pick func(load.CapacityReport) float64) Spread {
		var all []float64
		for _, round := range s.Rounds {
			all = append(all, pick(round))
		}
		return spread(all)
	}
	s.Summary = Summary{
		Rate:      of(func(c load.CapacityReport) float64 { return c.Closed.Rate }),
		ServerCPU: of(func(c load.CapacityReport) float64 { return micros(c.Closed.ServerCPUPerRequest()) }),
		ClientCPU: of(func(c load.CapacityReport) float64 { return micros(c.Closed.ClientCPUPerRequest()) }),
		ClosedP50: of(func(c load.CapacityReport) float64 { return micros(c.Closed.Latency.P50) }),
		ClosedP99: of(func(c load.CapacityReport) float64 { return micros(c.Closed.Latency.P99) }),
		HalfP50:   of(func(c load.CapacityReport) float64 { return micros(c.Half.Latency.P50) }),
		HalfP99:   of(func(c load.CapacityReport) float64 { return micros(c.Half.Latency.P99) }),
		HighP50:   of(func(c load.CapacityReport) float64 { return micros(c.High.Latency.P50) }),
		HighP99:   of(func(c load.CapacityReport) float64 { return micros(c.High.Latency.P99) }),
	}
	for _, c := range s.Rounds {
		s.Summary.Failed += c.Closed.Failed() + c.Half.Failed() + c.High.Failed()
		s.Summary.Missed += c.Closed.Missed + c.Half.Missed + c.High.Missed
	}
}

// failures are the kinds met anywhere in the series, the first example of each.
func (s *Series) failures() []load.Failure {
	var all []load.Failure
	for _, c := range s.Rounds {
		all = slices.Concat(all, c.Closed.Failures, c.Half.Failures, c.High.Failures)
	}
	slices.SortStableFunc(all, func(a, b load.Failure) int { return cmp.Compare(a.Kind, b.Kind) })
	return slices.CompactFunc(all, func(a, b load.Failure) bool { return a.Kind == b.Kind })
}

func spread(all []float64) Spread {
	if len(all) == 0 {
		return Spread{}
	}
	all = slices.Sorted(slices.Values(all))
	middle := len(all) / 2
	median := all[middle]
	if len(all)%2 == 0 {
		median = (all[middle-1] + all[middle]) / 2
	}
	return Spread{Median: median, Min: all[0], Max: all[len(all)-1]}
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
