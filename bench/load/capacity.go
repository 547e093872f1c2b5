package load

import (
	"context"
	"fmt"
	"time"
)

// The shares of the highest throughput at which latencies are looked at: a
// server that is half busy, and one that is as busy as one would run it.
const (
	HalfLoad = 0.5
	HighLoad = 0.8
)

// CapacityReport is how much a server can do, and how quick it is below that.
type CapacityReport struct {
	// Closed found the throughput; its latencies are service times.
	Closed Report `json:"closed"`
	// Half and High are open loops at these shares of Closed.Rate: their
	// latencies are what callers would see.
	Half Report `json:"half"`
	High Report `json:"high"`
}

// Next is larger than every n used (I5).
func (c CapacityReport) Next() int { return max(c.Closed.Next, c.Half.Next, c.High.Next) }

// Capacity runs the plan as a closed loop for its Duration and then twice as
// an open loop, for open each. The plan's own Rate is not looked at.
func Capacity(ctx context.Context, p Plan, open time.Duration) (CapacityReport, error) {
	var out CapacityReport
	closed, err := closedWithAnswers(ctx, p)
	if err != nil {
		return out, err
	}
	if closed.OK == 0 {
		return out, fmt.Errorf("capacity %q: %w", p.Name, noSuccess(closed))
	}
	out.Closed = closed
	p.Duration = open
	if out.Half, err = share(ctx, p, closed.Rate*HalfLoad, closed.Next); err != nil {
		return out, err
	}
	out.High, err = share(ctx, p, closed.Rate*HighLoad, out.Half.Next)
	return out, err
}

// closedWithAnswers doubles the window while not one answer falls into it, good or
// bad: a disk that stands still for a moment is slow and not dead. Sixteen
// times the window is enough for a stall of a second in the shortest suite.
func closedWithAnswers(ctx context.Context, p Plan) (Report, error) {
	p.Rate = 0
	longest := 16 * p.Duration
	for {
		closed, err := Run(ctx, p)
		if err != nil || closed.Sent > 0 || p.Duration >= longest {
			return closed, err
		}
		p.Duration, p.First = 2*p.Duration, closed.Next
	}
}

func share(ctx context.Context, p Plan, rate float64, first int) (Report, error) {
	p.Rate, p.First = rate, first
	return Run(ctx, p)
}

func noSuccess(r Report) error {
	if len(r.Failures) == 0 {
		return fmt.Errorf("no request was answered within %v", r.Elapsed)
	}
	first := r.Failures[0]
	return fmt.Errorf("no request succeeded: %d × %s: %s", first.Count, first.Kind, first.Example)
}
