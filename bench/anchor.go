package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"loci/bench/cpu"
	"loci/bench/load"
	"loci/bench/redis"
	"loci/bench/texts"
)

// anchor is a Redis with an empty store, and its connections.
type anchor struct {
	server  *redis.Server
	dir     string
	members []*setter
	list    texts.Texts
	dedupe  string
}

// setter is one connection with its buffers; one goroutine uses it.
type setter struct {
	conn       *redis.Conn
	key, value []byte
}

func openAnchor(ctx context.Context, s Suite, connections int) (*anchor, error) {
	dir, err := os.MkdirTemp(s.Temp, "redis-bench-")
	if err != nil {
		return nil, fmt.Errorf("start redis: %w", err)
	}
	server, err := redis.Start(ctx, dir)
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	a := &anchor{server: server, dir: dir, list: texts.New(s.Seed), dedupe: s.Dedupe}
	for range connections {
		a.members = append(a.members, &setter{conn: redis.New(server.Addr, requestTimeout)})
	}
	return a, nil
}

// send stores the very bytes that learn n would send (I1).
func (a *anchor) send(conn, n int) error {
	m := a.members[conn]
	m.key = strconv.AppendInt(append(m.key[:0], "loci:"...), int64(n), 10)
	m.value = appendLearn(m.value[:0], a.list, a.dedupe, n)
	return m.conn.Set(m.key, m.value)
}

func (a *anchor) cpu() (time.Duration, error) { return cpu.OfProcess(a.server.PID()) }

func (a *anchor) close() {
	for _, m := range a.members {
		m.conn.Close()
	}
	a.server.Stop()
	_ = os.RemoveAll(a.dir)
}

// anchorRound is the other half of a comparison.
func (b *bench) anchorRound(ctx context.Context, connections int) (load.CapacityReport, error) {
	a, err := openAnchor(ctx, b.suite, connections)
	if err != nil {
		return load.CapacityReport{}, err
	}
	defer a.close()
	p := b.plan("redis SET", connections)
	p.Send, p.ServerCPU = a.send, a.cpu
	return load.Capacity(ctx, p, b.suite.Open)
}

// ownClient asks redis-benchmark for its view, for about as long as one
// closed loop; zero if it is not installed.
func (b *bench) ownClient(ctx context.Context, connections int, rate float64) (float64, error) {
	a, err := openAnchor(ctx, b.suite, 0)
	if err != nil {
		return 0, err
	}
	defer a.close()
	size := len(appendLearn(nil, a.list, a.dedupe, 0))
	requests := max(int(rate*b.suite.Duration.Seconds()), connections)
	own, err := redis.Benchmark(ctx, a.server.Addr, connections, size, requests)
	if errors.Is(err, redis.ErrMissing) {
		return 0, nil
	}
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	return own, err
}
