package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"loci/bench/load"
	"loci/bench/redis"
	"loci/bench/texts"
)

// bench is a suite under way.
type bench struct {
	suite  Suite
	log    io.Writer
	report *Report
	// The next text and the next batch to learn, through all rounds (I7).
	learns, batches int
}

func newBench(s Suite, log io.Writer) *bench {
	if log == nil {
		log = io.Discard
	}
	return &bench{suite: s, log: log, report: newReport(s, time.Now())}
}

func (b *bench) run(ctx context.Context) error {
	for _, step := range []func(context.Context, int) error{b.compare, b.batch} {
		for _, connections := range b.suite.Connections {
			if err := step(ctx, connections); err != nil {
				return err
			}
		}
	}
	return b.search(ctx)
}

// compare lets learn and Redis take turns.
func (b *bench) compare(ctx context.Context, connections int) error {
	c := &Comparison{Connections: connections, Learn: Series{Connections: connections}}
	defer b.keep(c)
	for round := range b.suite.Rounds {
		mine, err := b.learnRound(ctx, connections)
		if err != nil {
			return err
		}
		c.Learn.Rounds = append(c.Learn.Rounds, mine)
		b.tell("learn", connections, round, mine)
		if err := b.compareAnchor(ctx, c, round); err != nil {
			return err
		}
	}
	return b.compareOwnClient(ctx, c)
}

// keep puts a comparison into the report, also one that was cut short.
func (b *bench) keep(c *Comparison) {
	if len(c.Learn.Rounds) > 0 {
		c.sum()
		b.report.Learn = append(b.report.Learn, *c)
	}
}

func (b *bench) learnRound(ctx context.Context, connections int) (load.CapacityReport, error) {
	work := learnWork(texts.New(b.suite.Seed), b.suite.Dedupe)
	var out load.CapacityReport
	err := b.with(ctx, connections, work, func(p load.Plan) (err error) {
		p.First = b.learns
		out, err = load.Capacity(ctx, p, b.suite.Open)
		b.learns = max(b.learns, out.Next())
		return err
	})
	return out, err
}

func (b *bench) compareAnchor(ctx context.Context, c *Comparison, round int) error {
	if b.report.AnchorMissing != "" {
		return nil
	}
	theirs, err := b.anchorRound(ctx, c.Connections)
	if errors.Is(err, redis.ErrMissing) {
		b.report.AnchorMissing = "anchor missing: " + redis.ErrMissing.Error()
		b.say("%s", b.report.AnchorMissing)
		return nil
	}
	if err != nil {
		return err
	}
	if c.Redis == nil {
		c.Redis = &Series{Connections: c.Connections}
	}
	c.Redis.Rounds = append(c.Redis.Rounds, theirs)
	b.tell("redis", c.Connections, round, theirs)
	return nil
}

func (b *bench) compareOwnClient(ctx context.Context, c *Comparison) error {
	if c.Redis == nil {
		return nil
	}
	rate := c.Redis.Rounds[0].Closed.Rate
	own, err := b.ownClient(ctx, c.Connections, rate)
	if err != nil {
		return err
	}
	c.RedisOwnClient = own
	if own > 0 {
		b.say("redis  %3d connections, by redis-benchmark: %s/s", c.Connections, thousands(own))
	}
	return nil
}

// batch is a closed loop alone: batches are sent by importers, which wait for
// the answer before they send the next one.
func (b *bench) batch(ctx context.Context, connections int) error {
	work := batchWork(texts.New(b.suite.Seed+1), b.suite.Dedupe)
	series := Series{Connections: connections}
	err := b.with(ctx, connections, work, func(p load.Plan) error {
		p.First = b.batches
		closed, err := load.Run(ctx, p)
		if err != nil {
			return err
		}
		b.batches = closed.Next
		series.Rounds = []load.CapacityReport{{Closed: closed}}
		b.say("batch  %3d connections: %s items/s", connections, thousands(closed.Rate*batchSize))
		return nil
	})
	if err == nil {
		series.sum()
		b.report.Batch = append(b.report.Batch, series)
	}
	return err
}

// search runs all its connections on one server with one corpus: nothing is
// written meanwhile, so that every run meets the same store.
func (b *bench) search(ctx context.Context) error {
	t, err := openTarget(ctx, b.suite)
	if err != nil {
		return err
	}
	defer t.stop()
	list := texts.New(b.suite.Seed + 2)
	if err := b.fill(ctx, t, list); err != nil {
		return err
	}
	for _, connections := range b.suite.Connections {
		if err := b.searchWith(ctx, t, connections, searchWork(list, b.suite.Corpus)); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) searchWith(ctx context.Context, t *target, connections int, work workload) error {
	return b.on(t, connections, work, func(p load.Plan) error {
		out, err := load.Capacity(ctx, p, b.suite.Open)
		if err != nil {
			return err
		}
		series := Series{Connections: connections, Rounds: []load.CapacityReport{out}}
		series.sum()
		b.report.Search = append(b.report.Search, series)
		b.tell("search", connections, 0, out)
		return nil
	})
}

// fill learns the corpus, a batch at a time, and accepts no failure.
func (b *bench) fill(ctx context.Context, t *target, list texts.Texts) error {
	f, err := newFleet(t, 1, batchWork(list, "off"))
	if err != nil {
		return err
	}
	defer f.close()
	for n := range b.suite.Corpus / batchSize {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := f.send(0, n); err != nil {
			return fmt.Errorf("load corpus, batch %d: %w", n, err)
		}
	}
	return nil
}

// with gives do a plan on a server with an empty store (I1).
func (b *bench) with(ctx context.Context, connections int, work workload, do func(load.Plan) error) error {
	t, err := openTarget(ctx, b.suite)
	if err != nil {
		return err
	}
	defer t.stop()
	return b.on(t, connections, work, do)
}

func (b *bench) on(t *target, connections int, work workload, do func(load.Plan) error) error {
	f, err := newFleet(t, connections, work)
	if err != nil {
		return err
	}
	defer f.close()
	p := b.plan(work.name, connections)
	p.Send, p.ServerCPU = f.send, t.cpu()
	return do(p)
}

// plan drains for one second at most: an open loop that lags by more is
// overloaded, and its missed arrivals say so.
func (b *bench) plan(name string, connections int) load.Plan {
	return load.Plan{
		Name: name, Connections: connections, Arrivals: load.Poisson, Seed: b.suite.Seed,
		Warmup: b.suite.Warmup, Duration: b.suite.Duration, Drain: time.Second,
	}
}

func (b *bench) note(format string, args ...any) {
	b.report.Notes = append(b.report.Notes, fmt.Sprintf(format, args...))
	b.say(format, args...)
}

func (b *bench) say(format string, args ...any) { _, _ = fmt.Fprintf(b.log, format+"\n", args...) }

func (b *bench) tell(what string, connections, round int, c load.CapacityReport) {
	b.say("%-6s %3d connections, round %d: %s/s closed loop; p50 %v p99 %v at 50 %%, p99 %v at 80 %%; %d failed",
		what, connections, round+1, thousands(c.Closed.Rate), c.Half.Latency.P50, c.Half.Latency.P99, c.High.Latency.P99,
		c.Closed.Failed()+c.Half.Failed()+c.High.Failed())
}
