package load

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"loci/bench/cpu"
)

// run is a plan under way. All moments count from start.
type run struct {
	plan    Plan
	start   time.Time
	stop    atomic.Bool  // the context ended
	next    atomic.Int64 // closed loop: the next n
	due     chan int     // open loop: arrivals whose moment has come
	moments []time.Duration
	tallies []*tally
	workers sync.WaitGroup
}

// Run carries out the plan. It answers with an error if the plan is wrong, if
// the context ended first or if the processor time could not be read; failed
// requests are no error but counts in the report.
func Run(ctx context.Context, p Plan) (Report, error) {
	p, err := p.withDefaults()
	if err != nil {
		return Report{}, err
	}
	r := newRun(p)
	defer context.AfterFunc(ctx, func() { r.stop.Store(true) })()
	r.begin()
	spent, err := r.measure(ctx)
	r.workers.Wait()
	if ctx.Err() != nil {
		return Report{}, fmt.Errorf("run %q: %w", p.Name, context.Cause(ctx))
	}
	if err != nil {
		return Report{}, fmt.Errorf("run %q: %w", p.Name, err)
	}
	return r.report(spent), nil
}

func newRun(p Plan) *run {
	r := &run{plan: p}
	for range p.Connections {
		r.tallies = append(r.tallies, newTally())
	}
	if p.Rate > 0 {
		r.moments = Schedule(p.Rate, p.span(), p.Arrivals, p.Seed)
		// Room for all of them: the pacer must never wait for a worker (I1).
		r.due = make(chan int, len(r.moments))
	}
	return r
}

func (r *run) begin() {
	r.start = time.Now()
	work := r.closedLoop
	if r.due != nil {
		work = r.openLoop
		r.workers.Go(r.pace)
	}
	for conn := range r.plan.Connections {
		r.workers.Go(func() { work(conn) })
	}
}

func (r *run) now() time.Duration { return time.Since(r.start) }

// closedLoop counts the answers that came within the window, whenever they
// were asked for: what straddles one edge makes up for what straddles the other.
func (r *run) closedLoop(conn int) {
	seen, end := r.tallies[conn], r.plan.span()
	for asked := r.now(); asked < end && !r.stop.Load(); {
		err := r.plan.Send(conn, r.plan.First+int(r.next.Add(1)-1))
		answered := r.now()
		if answered >= r.plan.Warmup && answered <= end {
			seen.answered(answered-asked, answered, err)
		}
		asked = answered
	}
}

// openLoop takes what is due; it may be late, and then the lateness counts (I2).
func (r *run) openLoop(conn int) {
	seen, end := r.tallies[conn], r.plan.span()+r.plan.Drain
	for n := range r.due {
		intended, sent := r.moments[n], r.now()
		measured := intended >= r.plan.Warmup
		if r.stop.Load() || sent >= end {
			if measured {
				seen.miss(sent - intended)
			}
			continue
		}
		err := r.plan.Send(conn, r.plan.First+n)
		if measured {
			answered := r.now()
			record(seen.lag, sent-intended)
			seen.answered(answered-intended, answered, err)
		}
	}
}

// pace lets each arrival go at its moment.
func (r *run) pace() {
	sharpen()
	defer close(r.due)
	for n, moment := range r.moments {
		if !r.waitUntil(moment) {
			return
		}
		r.due <- n
	}
}

// waitUntil sleeps in pieces, so that a cancelled run ends soon.
func (r *run) waitUntil(moment time.Duration) bool {
	for !r.stop.Load() {
		left := moment - r.now()
		if left <= 0 {
			return true
		}
		r.plan.pause(min(left, 20*time.Millisecond))
	}
	return false
}

// spending is the processor time used within the measured window.
type spending struct{ server, client time.Duration }

// measure reads the processor times at both edges of the window. An open
// loop's window ends with its last answer, a closed loop's by the clock.
func (r *run) measure(ctx context.Context) (spending, error) {
	sleep(ctx, r.plan.Warmup-r.now())
	before, err := r.spent()
	if err != nil {
		return spending{}, err
	}
	if r.due == nil {
		sleep(ctx, r.plan.span()-r.now())
	} else {
		r.workers.Wait()
	}
	after, err := r.spent()
	return spending{after.server - before.server, after.client - before.client}, err
}

func (r *run) spent() (s spending, err error) {
	s.client = cpu.OfSelf()
	if r.plan.ServerCPU != nil {
		s.server, err = r.plan.ServerCPU()
	}
	return s, err
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
