package node

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"loci/cmd/loci/config"
	"loci/cmd/loci/desk"
	"loci/engine/memory"
	"loci/storage"
)

func TestMain(m *testing.M) {
	// fasthttp starts these two once and has no way to end them.
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1"),
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2"))
}

type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func options(t *testing.T, data string, flags map[string]string) (Options, *lines) {
	t.Helper()
	all := map[string]string{"addr": "127.0.0.1:0", "data": data, "log-level": "debug"}
	for name, value := range flags {
		all[name] = value
	}
	conf, err := config.Load(config.Inputs{Flags: all})
	if err != nil {
		t.Fatal(err)
	}
	log := &lines{}
	return Options{Settings: &conf.Settings, Version: "test", Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))}, log
}

func start(t *testing.T, data string, flags map[string]string) (*Node, *lines) {
	t.Helper()
	o, log := options(t, data, flags)
	n, err := Start(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, n) })
	return n, log
}

func stop(t *testing.T, n *Node) {
	t.Helper()
	http.DefaultClient.CloseIdleConnections()
	if err := n.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestFirstKey shows the key once, and I1: not before the address is taken.
func TestFirstKey(t *testing.T) {
	data := t.TempDir()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	o, _ := options(t, data, map[string]string{"addr": taken.Addr().String()})
	if _, err := Start(context.Background(), o); err == nil || !strings.Contains(err.Error(), "--addr") {
		t.Fatalf("got %v", err)
	}

	first, log := start(t, data, nil)
	key := first.Welcome().Key
	if !strings.HasPrefix(key, "loci_") || first.Welcome().Tenant != "default" {
		t.Errorf("got %+v", first.Welcome())
	}
	if who, err := first.store.Control().Authenticate(context.Background(), key); err != nil || who.Tenant.IsZero() {
		t.Errorf("the first key: %+v, %v", who, err)
	}
	stop(t, first)
	stop(t, first) // twice is fine
	if strings.Contains(log.String(), key) {
		t.Error("the log has the key (I2)")
	}

	second, _ := start(t, data, nil)
	if second.Welcome().Key != "" || second.Welcome().Installed {
		t.Errorf("a later start: %+v", second.Welcome())
	}
}

func TestOneServerForAStore(t *testing.T) {
	data := t.TempDir()
	start(t, data, nil)
	o, _ := options(t, data, nil)
	if _, err := Start(context.Background(), o); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("got %v", err)
	}
}

// TestStartFinishesDeletes is the second half of a deletion cut off by a crash.
func TestStartFinishesDeletes(t *testing.T) {
	data := t.TempDir()
	store, err := storage.Open(desk.StoreDir(data), storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var ids []memory.TenantID
	for _, name := range []string{"doomed", "other"} {
		made, err := store.Control().CreateTenant(name)
		if err != nil {
			t.Fatal(err)
		}
		b := store.Partition(made.ID).NewBatch()
		b.PutMeta("test", []byte("value"))
		if err := store.Commit(b); err != nil {
			t.Fatal(err)
		}
		b.Close()
		ids = append(ids, made.ID)
	}
	if err := store.Control().BeginDelete(ids[0]); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}

	n, log := start(t, data, nil)
	left, err := n.store.Tenants()
	if err != nil || len(left) != 1 || left[0] != ids[1] {
		t.Errorf("got %v, %v", left, err)
	}
	if _, ok := n.store.Control().Tenant(ids[0]); ok {
		t.Error("the tenant is still registered")
	}
	if !strings.Contains(log.String(), "finished the deletion of a tenant") || !strings.Contains(log.String(), "erased a tenant") {
		t.Error(log.String())
	}
}

func TestMetricsAndDebug(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	admin := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	n, _ := start(t, t.TempDir(), map[string]string{"admin-addr": admin})
	for url, want := range map[string][]string{
		n.URL() + "/metrics":                 {"# TYPE loci_storage_disk_bytes gauge\nloci_storage_disk_bytes ", "# TYPE loci_actors_commits_total counter\nloci_actors_commits_total 0\n", "loci_http_requests_running"},
		n.URL() + "/readyz":                  {""},
		n.URL() + "/api":                     {n.URL()},
		"http://" + admin + "/debug/vars":    {`"version":"test"`, `"actors":`, `"storage":`},
		"http://" + admin + "/debug/pprof/":  {"goroutine"},
		"http://" + admin + "/debug/cmdline": nil,
	} {
		status, body := get(t, url)
		if want == nil {
			if status != http.StatusNotFound {
				t.Errorf("%s: %d", url, status)
			}
			continue
		}
		for _, part := range want {
			if status != http.StatusOK || !strings.Contains(body, part) {
				t.Errorf("%s: %d without %q", url, status, part)
			}
		}
	}
	if status, _ := get(t, n.URL()+"/debug/pprof/"); status != http.StatusNotFound {
		t.Errorf("pprof on the public address: %d", status)
	}
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// TestLongDataPath goes on without a socket and says so.
func TestLongDataPath(t *testing.T) {
	n, log := start(t, t.TempDir()+"/"+strings.Repeat("long", 30), nil)
	if status, _ := get(t, n.URL()+"/healthz"); status != http.StatusOK {
		t.Errorf("healthz: %d", status)
	}
	if !strings.Contains(log.String(), "no admin socket") || !strings.Contains(log.String(), "shorter --data") {
		t.Error(log.String())
	}
}
