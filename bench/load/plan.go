package load

import (
	"errors"
	"fmt"
	"time"
)

// Arrivals is the pattern in which requests of an open loop fall due.
type Arrivals string

// The patterns: evenly spaced, or independent of one another as those of many
// callers are.
const (
	Constant Arrivals = "constant"
	Poisson  Arrivals = "poisson"
)

// Plan is one run.
type Plan struct {
	// Name stands in the report.
	Name string
	// Connections is how many goroutines send; 1 if zero.
	Connections int
	// Rate is how many requests a second fall due; zero is a closed loop.
	Rate float64
	// Arrivals is the pattern of an open loop; Constant if empty.
	Arrivals Arrivals
	// Seed decides the gaps of Poisson arrivals.
	Seed uint64
	// Warmup is sent before the measured window and left out of the report.
	Warmup time.Duration
	// Duration is the length of the measured window; required.
	Duration time.Duration
	// Drain is how long after the last arrival waiting ones are still sent;
	// 2 s if zero. What waits longer is missed (I3).
	Drain time.Duration
	// First is the n of the first Send, so that runs after one another can
	// use distinct numbers (I5).
	First int
	// Send does request n on connection conn and waits for its answer. It is
	// called by one goroutine per conn and must end by a timeout of its own.
	Send func(conn, n int) error
	// ServerCPU reads the processor time of the system under test; may be nil.
	ServerCPU func() (time.Duration, error)

	// pause sleeps; a test with a false clock puts time.Sleep here, since the
	// default asks the kernel directly.
	pause func(time.Duration)
}

// maxScheduled bounds the memory of a schedule: 8 bytes an arrival, twice.
const maxScheduled = 20_000_000

func (p Plan) withDefaults() (Plan, error) {
	if p.Connections == 0 {
		p.Connections = 1
	}
	if p.Arrivals == "" {
		p.Arrivals = Constant
	}
	if p.Drain == 0 {
		p.Drain = 2 * time.Second
	}
	if p.pause == nil {
		p.pause = pause
	}
	if err := p.validate(); err != nil {
		return p, fmt.Errorf("plan %q: %w", p.Name, err)
	}
	return p, nil
}

func (p Plan) validate() error {
	switch {
	case p.Send == nil:
		return errors.New("field Send is required")
	case p.Duration <= 0:
		return errors.New("field Duration must be above zero")
	case p.Warmup < 0 || p.Drain < 0:
		return errors.New("fields Warmup and Drain must not be below zero")
	case p.Connections < 0 || p.Connections > 65536:
		return errors.New("field Connections must be between 1 and 65536")
	case p.Arrivals != Constant && p.Arrivals != Poisson:
		return fmt.Errorf("field Arrivals must be constant or poisson, not %q", p.Arrivals)
	case !(p.Rate >= 0) || // written so that NaN is refused too
		p.Rate*p.span().Seconds() > maxScheduled:
		return fmt.Errorf("field Rate must be at least 0 and make at most %d arrivals", maxScheduled)
	}
	return nil
}

func (p Plan) span() time.Duration { return p.Warmup + p.Duration }

func (p Plan) mode() string {
	if p.Rate == 0 {
		return "closed loop"
	}
	return "open loop, " + string(p.Arrivals)
}
