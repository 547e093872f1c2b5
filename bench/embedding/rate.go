package embedding

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// turn is one way of using a side: with a twin, both processes work at once.
type turn struct {
	side, twin *side
	calls      int // at once, in one process
}

// turns are the ways that are compared. Two cores are two calls at once of one
// thread each, or, with onnxruntime, also one call of two threads. A call of
// onnxruntime-node holds its process, so its two calls are two processes.
func (r *run) turns() []turn {
	var all []turn
	for _, s := range r.sides {
		if s.name == Ours {
			all = append(all, turn{side: s, calls: s.threads})
			continue
		}
		all = append(all, turn{side: s, calls: 1})
		if twin := r.twins[s.name]; twin != nil && s.threads == 1 {
			all = append(all, turn{side: s, twin: twin, calls: 1})
		}
	}
	return all
}

// atOnce is how many calls are under way at a time.
func (t turn) atOnce() int {
	if t.twin != nil {
		return 2
	}
	return t.calls
}

func (t turn) ask(r request) (answer, error) {
	r.AtOnce = t.calls
	if t.twin == nil {
		return t.side.ask(r)
	}
	var (
		other    answer
		otherErr error
		twin     sync.WaitGroup
	)
	twin.Go(func() { other, otherErr = t.twin.ask(r) })
	a, err := t.side.ask(r)
	twin.Wait()
	a.Texts, a.CPUNs, a.WallNs = a.Texts+other.Texts, a.CPUNs+other.CPUNs, max(a.WallNs, other.WallNs)
	a.P50Ns, a.P99Ns = max(a.P50Ns, other.P50Ns), max(a.P99Ns, other.P99Ns)
	return a, errors.Join(err, otherErr)
}

func (r *run) rates(ctx context.Context) error {
	all := r.turns()
	for _, k := range kinds {
		cells := make([]Rate, len(all))
		for range r.Rounds {
			for i, t := range all {
				a, err := t.ask(request{Op: "rate", Texts: r.texts[k.tokens], Batch: k.batch, Ns: int64(r.Duration)})
				if err != nil {
					return err
				}
				cells[i].add(a)
			}
		}
		for i, t := range all {
			c := &cells[i]
			c.Side, c.Threads, c.AtOnce, c.Tokens, c.Batch = t.side.name, t.side.threads, t.atOnce(), k.tokens, k.batch
			if c.Side == Ours {
				c.Threads = 1 // a call of ours is one thread; the process has as many as there are calls
			}
			fmt.Fprintf(r.Log, "%3d tokens x%-2d  %-17s %d thread(s) x%d  %7.1f texts/s  %7.1f per CPU-s\n",
				c.Tokens, c.Batch, c.Side, c.Threads, c.AtOnce, c.Wall.Median, c.PerCPU.Median)
		}
		r.report.Rates = append(r.report.Rates, cells...)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
