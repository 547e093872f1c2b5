package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/valyala/fasthttp"
)

// quick is a suite so small that a test has time for it.
func quick() Suite {
	return Suite{
		Short: true, Connections: []int{1, 8}, Corpus: 200, Warmup: 10 * time.Millisecond,
		Duration: 60 * time.Millisecond, Open: 40 * time.Millisecond,
		Limit: 5 * time.Minute, // a loaded machine is no reason to fail
	}
}

func TestSuiteOnAStartedServer(t *testing.T) {
	t.Setenv(fakeRole, "server")
	t.Setenv("GORACE", "atexit_sleep_ms=0") // else each of the 7 servers takes a second to end
	s, out := quick(), t.TempDir()
	s.Server, s.Rounds, s.Out, s.Temp = os.Args[0], 2, out, t.TempDir()
	var log bytes.Buffer
	report, err := RunSuite(t.Context(), s, &log)
	if err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	checkComplete(t, report, s)
	if report.Learn[0].Learn.Rounds[0].Closed.Rate <= 0 {
		t.Error("no learns a second")
	}
	_, missing := exec.LookPath("redis-server")
	if (report.AnchorMissing == "") != (missing == nil) || (report.Learn[0].Ratio == nil) != (missing != nil) {
		t.Errorf("anchor %q, ratio %v, redis-server: %v", report.AnchorMissing, report.Learn[0].Ratio, missing)
	}
	if left, err := os.ReadDir(s.Temp); err != nil || len(left) > 0 {
		t.Errorf("stores are left behind: %v, %v", left, err)
	}
	checkFiles(t, report, out)
}

func TestSuiteOnARunningServerWithoutAnchor(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	s := quick()
	s.URL, s.Key = serveFake(t, newFake("secret").handle), "secret"
	report, err := RunSuite(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkComplete(t, report, s)
	if report.AnchorMissing != "anchor missing: redis-server not installed" {
		t.Errorf("got %q", report.AnchorMissing)
	}
	for _, want := range []string{report.AnchorMissing, "ran already", "Short run"} {
		if !strings.Contains(report.Markdown(), want) {
			t.Errorf("report does not say %q", want)
		}
	}
}

// checkComplete wants every workload with every number of connections, and no
// failure: not one duplicate among all the learns (I7).
func checkComplete(t *testing.T, r *Report, s Suite) {
	t.Helper()
	var learns, batches, searches []int
	for _, c := range r.Learn {
		learns = append(learns, c.Connections)
		if c.Learn.Summary.Failed != 0 {
			t.Errorf("learns failed: %+v", c.Learn.failures())
		}
	}
	for _, c := range r.Batch {
		batches = append(batches, c.Connections)
		if c.Summary.Failed != 0 {
			t.Errorf("batches failed: %+v", c.failures())
		}
	}
	for _, c := range r.Search {
		searches = append(searches, c.Connections)
		if c.Summary.Failed != 0 {
			t.Errorf("searches failed: %+v", c.failures())
		}
	}
	want := [][]int{s.Connections, s.Connections, s.Connections}
	if diff := cmp.Diff(want, [][]int{learns, batches, searches}); diff != "" {
		t.Errorf("connections differ (-want +got):\n%s", diff)
	}
}

// checkFiles wants both files, the JSON to say the same again, and neither to
// hold a name of this machine or a path (I6).
func checkFiles(t *testing.T, r *Report, dir string) {
	t.Helper()
	name := filepath.Join(dir, "house-"+r.Date.Format(time.DateOnly))
	data, err := os.ReadFile(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(name + ".md")
	if err != nil {
		t.Fatal(err)
	}
	var again Report
	if err := json.Unmarshal(data, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(page), again.Markdown()); diff != "" {
		t.Errorf("the JSON tells another story than the page:\n%s", diff)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{os.TempDir(), os.Args[0], " " + host + " ", bootstrapKey} {
		if strings.Contains(string(data), secret) || strings.Contains(string(page), secret) {
			t.Errorf("the report holds %q", secret)
		}
	}
}

func TestServerThatRefusesIsAnErrorThatShowsWhy(t *testing.T) {
	s := quick()
	s.Key, s.URL = "secret", serveFake(t, func(ctx *fasthttp.RequestCtx) {
		ctx.Error(`{"code":"rate_limited"}`, fasthttp.StatusTooManyRequests)
	})
	_, err := RunSuite(t.Context(), s, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "status 429") || !strings.Contains(err.Error(), "rate_limited") {
		t.Errorf("got %v", err)
	}
}

func TestServerThatEndsIsAnErrorThatShowsWhatItSaid(t *testing.T) {
	t.Setenv(fakeRole, "broken")
	s := quick()
	s.Server = os.Args[0]
	_, err := RunSuite(t.Context(), s, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "ended before") || !strings.Contains(err.Error(), "on fire") {
		t.Errorf("got %v", err)
	}
	s.Server = filepath.Join(t.TempDir(), "missing")
	if _, err := RunSuite(t.Context(), s, io.Discard); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing binary: got %v", err)
	}
}

func TestLimitOfTimeKeepsWhatWasMeasured(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // no anchor, so that the first round ends soon
	s := quick()
	s.URL, s.Key = serveFake(t, newFake("secret").handle), "secret"
	s.Limit, s.Rounds = 500*time.Millisecond, 1000
	report, err := RunSuite(t.Context(), s, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Notes) != 1 || !strings.Contains(report.Notes[0], "stopped after 500ms") || len(report.Search) != 0 {
		t.Errorf("notes %q, %d searches", report.Notes, len(report.Search))
	}
}

func TestCancelledSuiteIsAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := quick()
	s.URL, s.Key = serveFake(t, newFake("secret").handle), "secret"
	if _, err := RunSuite(ctx, s, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestWrongSuitesAreRefused(t *testing.T) {
	for name, s := range map[string]Suite{
		"either Server or URL": {},
		"Key":                  {URL: "http://127.0.0.1:1"},
		"loopback":             {URL: "http://192.0.2.1:80", Key: "k"},
		"http://address:port":  {URL: "https://127.0.0.1:1", Key: "k"},
		"Dedupe":               {Server: "x", Dedupe: "some"},
		"multiple of 100":      {Server: "x", Corpus: 150},
		"Rounds":               {Server: "x", Rounds: -1},
		"Connections":          {Server: "x", Connections: []int{0}},
	} {
		if _, err := RunSuite(t.Context(), s, nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestOwnSettingsDoNotReachTheServer(t *testing.T) {
	got := childEnv([]string{"PATH=/bin", "LOCI_DATA=/precious", "LOCI_BOOTSTRAP_KEY=mine", "HOME=/h"})
	want := []string{"PATH=/bin", "HOME=/h", "LOCI_BOOTSTRAP_KEY=" + bootstrapKey}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("environment differs (-want +got):\n%s", diff)
	}
}
