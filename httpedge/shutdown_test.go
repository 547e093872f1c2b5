package httpedge_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
	"time"

	"loci/engine/memory"
	"loci/httpedge"
)

// slowRoute waits until it is let go or its context ends.
func slowRoute(entered chan<- struct{}, letGo <-chan struct{}) httpedge.Route {
	return httpedge.Route{Method: "GET", Path: "/slow", Doc: httpedge.Doc{ID: "slow", Group: "Test"}, Handle: func(r *httpedge.Request) error {
		entered <- struct{}{}
		select {
		case <-letGo:
			return r.OK(&echoed{Content: "done"})
		case <-r.Context().Done():
			return r.Context().Err()
		}
	}}
}

// serve starts a server by hand, for tests that stop it themselves.
func serve(t *testing.T, o httpedge.Options) (*httpedge.Server, string, <-chan error) {
	t.Helper()
	srv, err := httpedge.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	return srv, "http://" + ln.Addr().String(), served
}

func get(url string) <-chan int {
	status := make(chan int, 1)
	go func() {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		res, err := client.Get(url)
		if err != nil {
			status <- -1
			return
		}
		res.Body.Close()
		status <- res.StatusCode
	}()
	return status
}

func TestShutdownFinishesWhatRuns(t *testing.T) {
	entered, letGo := make(chan struct{}), make(chan struct{})
	srv, url, served := serve(t, httpedge.Options{Auth: testKeys, Routes: testRoutes(slowRoute(entered, letGo))})
	running := get(url + "/slow")
	<-entered
	stopped := make(chan error, 1)
	go func() { stopped <- srv.Shutdown(context.Background()) }()
	if err := <-served; err != nil {
		t.Errorf("Serve: %v", err)
	}
	if got := <-get(url + "/healthz"); got != -1 {
		t.Errorf("a stopped server answered %d", got)
	}
	close(letGo)
	if got := <-running; got != 200 {
		t.Errorf("what ran got %d", got)
	}
	if err := errors.Join(<-stopped, srv.Shutdown(context.Background())); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
}

func TestShutdownGivesUp(t *testing.T) {
	entered := make(chan struct{})
	srv, url, served := serve(t, httpedge.Options{Auth: testKeys, Routes: testRoutes(slowRoute(entered, nil))})
	running := get(url + "/slow")
	<-entered
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := srv.Shutdown(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Shutdown: %v", err)
	}
	if got := <-running; got != 503 {
		t.Errorf("what ran got %d, want 503: it was told to stop", got)
	}
	if err := errors.Join(<-served, srv.Shutdown(context.Background())); err != nil {
		t.Error(err)
	}
}

func TestShutdownBeforeServe(t *testing.T) {
	srv, err := httpedge.New(httpedge.Options{Auth: testKeys, Routes: testRoutes()})
	if err != nil {
		t.Fatal(err)
	}
	if err := srv.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := srv.Serve(ln); err != nil {
		t.Errorf("Serve: %v", err)
	}
	if _, err := net.DialTimeout("tcp", ln.Addr().String(), time.Second); err == nil {
		t.Error("the listener is still open")
	}
}

func TestDeadline(t *testing.T) {
	entered := make(chan struct{}, 1)
	h := open(t, httpedge.Options{Routes: testRoutes(slowRoute(entered, nil)), ReadDeadline: 20 * time.Millisecond})
	expectProblem(t, h.call("GET", "/slow", ""), 503, memory.Overloaded)
	h.stillServes()
}

func TestOptionsAreChecked(t *testing.T) {
	good := func(*httpedge.Request) error { return nil }
	for name, o := range map[string]httpedge.Options{
		"no auth":          {Routes: testRoutes()},
		"no handler":       {Routes: []httpedge.Route{{Method: "GET", Path: "/x"}}},
		"no slash":         {Routes: []httpedge.Route{{Method: "GET", Path: "x", Handle: good}}},
		"route twice":      {Routes: []httpedge.Route{{Method: "GET", Path: "/x", Handle: good}, {Method: "GET", Path: "/x", Handle: good}}},
		"bad address":      {PublicURL: "memory.example"},
		"another scheme":   {PublicURL: "ftp://memory.example"},
		"access log":       {AccessLog: "some"},
		"negative limit":   {BodyLimit: -1},
		"negative timeout": {ReadTimeout: -1},
	} {
		if _, err := httpedge.New(o); err == nil {
			t.Errorf("%s: was taken", name)
		}
	}
}
