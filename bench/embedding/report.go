package embedding

import (
	"slices"
	"time"

	"loci/bench/kept"
)

// Report is what a run saw. It names no host and no path (I5).
type Report struct {
	Date       time.Time     `json:"date"`
	Took       time.Duration `json:"tookNs"`
	Machine    Machine       `json:"machine"`
	Parameters Parameters    `json:"parameters"`
	LoadBefore string        `json:"loadBefore"` // averages of 1, 5 and 15 minutes
	LoadAfter  string        `json:"loadAfter"`
	// Others is how many cores other processes kept busy during the run.
	Others float64 `json:"othersCores"`
	// AnchorMissing says why there is nothing to compare with; empty if there is.
	AnchorMissing string            `json:"anchorMissing,omitempty"`
	About         map[string]string `json:"about"`
	Cosines       []Cosine          `json:"cosines,omitempty"`
	Starts        []Start           `json:"starts"`
	Rates         []Rate            `json:"rates"`
}

// Parameters is what the numbers depend on.
type Parameters struct {
	Short    bool          `json:"short"`
	Rounds   int           `json:"rounds"`
	Duration time.Duration `json:"durationNs"` // of one measurement
	Texts    int           `json:"texts"`      // different ones of each length
	Seed     uint64        `json:"seed"`
}

// Cosine compares the vectors of two sides.
type Cosine struct {
	A     string  `json:"a"`
	B     string  `json:"b"`
	Texts int     `json:"texts"`
	Min   float64 `json:"min"`
	Mean  float64 `json:"mean"`
}

// Start is a process from nothing to its first vector, and its size.
type Start struct {
	Side    string `json:"side"`
	Threads int    `json:"threads"`
	// Process is from exec to the first vector as the parent sees it; Program
	// from the program's first line. Milliseconds.
	Process Spread `json:"processMs"`
	Program Spread `json:"programMs"`
	// Megabytes (10^6): before the model, after the first vector, after all
	// measurements, and the highest of all.
	Bare   float64 `json:"bareMB"`
	Loaded float64 `json:"loadedMB"`
	After  float64 `json:"afterMB"`
	Peak   float64 `json:"peakMB"`
}

// Rate is one side with one kind of batch.
type Rate struct {
	Side    string  `json:"side"`
	Threads int     `json:"threads"` // of one call
	AtOnce  int     `json:"atOnce"`  // calls
	Tokens  int     `json:"tokens"`
	Batch   int     `json:"batch"`
	Rounds  []Round `json:"rounds"`

	Wall   Spread `json:"wall"`      // texts a second
	PerCPU Spread `json:"perCpu"`    // texts a processor second
	P50    Spread `json:"p50Micros"` // of one call
	P99    Spread `json:"p99Micros"`
}

// Round is one measurement.
type Round struct {
	Texts int64         `json:"texts"`
	Wall  time.Duration `json:"wallNs"`
	CPU   time.Duration `json:"cpuNs"`
	P50   time.Duration `json:"p50Ns"`
	P99   time.Duration `json:"p99Ns"`
}

// Spread is a number that was measured several times.
type Spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// WriteFiles keeps the report in dir, for people (.md) and for programs (.json).
// A second report of the same day takes the first one's place.
func (r *Report) WriteFiles(dir string) error {
	return kept.Write(dir, "embedding", r.Date, r.Markdown(), r)
}

func (r *Rate) add(a answer) {
	r.Rounds = append(r.Rounds, Round{Texts: a.Texts, Wall: time.Duration(a.WallNs), CPU: time.Duration(a.CPUNs),
		P50: time.Duration(a.P50Ns), P99: time.Duration(a.P99Ns)})
	of := func(pick func(Round) float64) Spread {
		var all []float64
		for _, round := range r.Rounds {
			all = append(all, pick(round))
		}
		return spread(all)
	}
	r.Wall = of(Round.perSecond)
	r.PerCPU = of(Round.perCPU)
	r.P50 = of(func(m Round) float64 { return float64(m.P50) / 1e3 })
	r.P99 = of(func(m Round) float64 { return float64(m.P99) / 1e3 })
}

func (m Round) perSecond() float64 { return float64(m.Texts) / m.Wall.Seconds() }

// perCPU is zero where the clock saw no processor time at all.
func (m Round) perCPU() float64 {
	if m.CPU <= 0 {
		return 0
	}
	return float64(m.Texts) / m.CPU.Seconds()
}

// ratio is a's rate over b's, round by round: neighbours in time.
func ratio(a, b *Rate, pick func(Round) float64) Spread {
	var all []float64
	for i := range min(len(a.Rounds), len(b.Rounds)) {
		if under := pick(b.Rounds[i]); under > 0 {
			all = append(all, pick(a.Rounds[i])/under)
		}
	}
	return spread(all)
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
