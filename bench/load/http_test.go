package load_test

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/valyala/fasthttp"

	"loci/bench/load"
	"loci/bench/rawhttp"
)

// serve runs a server for the length of a test and gives a Send for it.
func serve(t *testing.T, connections int, handle fasthttp.RequestHandler) func(conn, n int) error {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, done := &fasthttp.Server{Handler: handle}, make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	addr := listener.Addr().String()
	var conns []*rawhttp.Conn
	for range connections {
		conn, err := rawhttp.New(addr, 5*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	t.Cleanup(func() {
		for _, conn := range conns {
			conn.Close()
		}
		if err := server.Shutdown(); err != nil {
			t.Error(err)
		}
		<-done
	})
	request := rawhttp.NewPost(addr, "/", "").Append(nil, []byte("{}"))
	return func(conn, _ int) error {
		status, body, err := conns[conn].Do(request)
		if err != nil {
			return err
		}
		return rawhttp.NotOK(status, body)
	}
}

// stalling answers at once, except that at its hundredth request everything
// stands still for 200 ms.
func stalling() fasthttp.RequestHandler {
	var mu sync.Mutex
	var n int
	return func(*fasthttp.RequestCtx) {
		mu.Lock()
		defer mu.Unlock()
		if n++; n == 100 {
			time.Sleep(200 * time.Millisecond) // the stall itself, not a wait for something
		}
	}
}

// Of 500 arrivals in a second some 75 wait 50 ms or more: 15 %, above the
// p90, however fast the machine is. For the closed loop's p99 to be as high
// the machine itself would have to stand still for most of the second.
func TestStallOverHTTP(t *testing.T) {
	plan := load.Plan{Connections: 2, Duration: time.Second}
	plan.Send = serve(t, 2, stalling())
	closed, err := load.Run(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	plan.Send, plan.Rate = serve(t, 2, stalling()), 500
	open, err := load.Run(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	if open.Latency.P90 < 50*time.Millisecond || closed.Latency.P99 > 50*time.Millisecond {
		t.Errorf("open loop p90 %v, closed loop p99 %v; want the stall in the first alone", open.Latency.P90, closed.Latency.P99)
	}
	if closed.Latency.Max < 200*time.Millisecond {
		t.Errorf("closed loop maximum %v; want the stall", closed.Latency.Max)
	}
	if open.OK != 500 {
		t.Errorf("%d succeeded of 500", open.OK)
	}
}

func TestErrorsOverHTTPAreCountedByKind(t *testing.T) {
	var n atomic.Int64
	send := serve(t, 4, func(ctx *fasthttp.RequestCtx) {
		switch n.Add(1) % 10 {
		case 1, 2:
			ctx.Error("busy", fasthttp.StatusServiceUnavailable)
		case 3:
			ctx.Error("slow down", fasthttp.StatusTooManyRequests)
		}
	})
	got, err := load.Run(t.Context(), load.Plan{Connections: 4, Rate: 400, Duration: 500 * time.Millisecond, Send: send})
	if err != nil {
		t.Fatal(err)
	}
	want := []load.Failure{
		{Kind: "status 503", Count: 40, Example: "status 503: busy"},
		{Kind: "status 429", Count: 20, Example: "status 429: slow down"},
	}
	if diff := cmp.Diff(want, got.Failures); diff != "" {
		t.Errorf("failures differ (-want +got):\n%s", diff)
	}
	if got.Sent != 200 || got.OK != 140 || got.Failed() != 60 {
		t.Errorf("%d sent, %d succeeded, %d failed; want 200, 140, 60", got.Sent, got.OK, got.Failed())
	}
}

func TestDeadServerIsCountedAndNotFatal(t *testing.T) {
	conn, err := rawhttp.New("127.0.0.1:1", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	got, err := load.Run(t.Context(), load.Plan{Rate: 100, Duration: 100 * time.Millisecond, Send: func(int, int) error {
		_, _, err := conn.Do(rawhttp.Get("127.0.0.1:1", "/"))
		return err
	}})
	if err != nil || len(got.Failures) != 1 || got.Failures[0].Kind != "connection refused" || got.OK != 0 {
		t.Errorf("got %+v, %v; want refused connections alone", got.Failures, err)
	}
}
