package remote_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"loci/engine/embed/remote"
	"loci/engine/memory"
)

// play is a transport inside a bubble of synctest: it takes time by the
// bubble's clock, and needs no network.
type play struct {
	mu    sync.Mutex
	times []time.Time
	act   func(r *http.Request, try int) (*http.Response, error)
}

func (p *play) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	p.times = append(p.times, time.Now())
	try := len(p.times)
	p.mu.Unlock()
	return p.act(r, try)
}

func (p *play) tries() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.times)
}

func respond(code int, body string, header ...string) (*http.Response, error) {
	r := &http.Response{StatusCode: code, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r, nil
}

const fine = `{"embeddings":[[3,4]]}`

func playing(t testing.TB, p *play, change func(*remote.Options)) *remote.Client {
	o := remote.Options{BaseURL: "http://server", Model: "m", Transport: p}
	if change != nil {
		change(&o)
	}
	return mustOpen(t, remote.Ollama, o)
}

func TestPausesDoubleAndSpread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &play{act: func(*http.Request, int) (*http.Response, error) { return respond(503, "") }}
		c := playing(t, p, func(o *remote.Options) {
			o.Retries, o.BreakAfter, o.Pause, o.MaxPause = 6, 100, 100*time.Millisecond, time.Second
		})
		_, err := embed(c, "text")
		wantBusy(t, err)
		for i, full := range []time.Duration{100, 200, 400, 800, 1000, 1000} {
			full *= time.Millisecond
			if got := p.times[i+1].Sub(p.times[i]); got < full/2 || got > full {
				t.Errorf("pause %d was %v, want from %v to %v", i, got, full/2, full)
			}
		}
		if p.tries() != 7 {
			t.Errorf("%d tries", p.tries())
		}
		if a, b := p.times[5].Sub(p.times[4]), p.times[6].Sub(p.times[5]); a == b {
			t.Errorf("two pauses of up to a second were both %v", a)
		}
	})
}

func TestRetryAfterIsHonoured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, header := range map[string][]string{
			"seconds":      {"Retry-After", "5"},
			"date":         {"Retry-After", ""}, // filled in when it is known
			"milliseconds": {"Retry-After-Ms", "5000", "Retry-After", "6"},
		} {
			start := time.Now()
			p := &play{act: func(_ *http.Request, try int) (*http.Response, error) {
				if try == 1 {
					if name == "date" {
						header[1] = start.UTC().Add(5 * time.Second).Format(http.TimeFormat)
					}
					return respond(429, "", header...)
				}
				return respond(200, fine)
			}}
			if _, err := embed(playing(t, p, nil), "text"); err != nil {
				t.Fatal(err)
			}
			// A date has no fraction of a second.
			if took := time.Since(start); took < 4*time.Second || took > 5200*time.Millisecond {
				t.Errorf("%s: came back after %v", name, took)
			}
		}
	})
}

// TestNoWaitingInVain: a Retry-After beyond MaxPause, and a caller whose time
// ends before the pause, are answered at once.
func TestNoWaitingInVain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, test := range map[string]struct {
			after  string
			within time.Duration
			least  time.Duration
		}{
			"long pause":     {"3600", time.Hour * 9, time.Hour},
			"short patience": {"5", 2 * time.Second, 5 * time.Second},
			"beyond reason":  {"1e300", time.Hour * 9, 24 * time.Hour},
		} {
			p := &play{act: func(*http.Request, int) (*http.Response, error) { return respond(429, "", "Retry-After", test.after) }}
			ctx, cancel := context.WithTimeout(t.Context(), test.within)
			defer cancel()
			start := time.Now()
			_, err := playing(t, p, nil).Embed(ctx, []string{"text"}, memory.EmbedQuery)
			if got := wantBusy(t, err).RetryAfter; got < test.least || time.Since(start) != 0 || p.tries() != 1 {
				t.Errorf("%s: come back in %v, said after %v and %d tries", name, got, time.Since(start), p.tries())
			}
		}
	})
}

func TestOddRetryAfterIsIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, odd := range []string{"-5", "soon", "NaN", "0", "Fri, 01 Jan 1999 00:00:00 GMT"} {
			p := &play{act: func(_ *http.Request, try int) (*http.Response, error) {
				if try == 1 {
					return respond(503, "", "Retry-After", odd)
				}
				return respond(200, fine)
			}}
			start := time.Now()
			if _, err := embed(playing(t, p, nil), "text"); err != nil || time.Since(start) > 200*time.Millisecond {
				t.Errorf("%q: %v after %v", odd, err, time.Since(start))
			}
		}
	})
}

func TestACallerWhoGoesAwayEndsThePause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &play{act: func(*http.Request, int) (*http.Response, error) { return respond(503, "", "Retry-After", "8") }}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		_, err := playing(t, p, nil).Embed(ctx, []string{"text"}, memory.EmbedQuery)
		if !errors.Is(err, context.Canceled) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if _, err := playing(t, p, nil).Embed(ctx, []string{"text"}, memory.EmbedQuery); !errors.Is(err, context.Canceled) || p.tries() != 1 {
			t.Errorf("%v after %d tries", err, p.tries())
		}
	})
}

// broken answers as the fields say, which a test changes as it goes.
type broken struct {
	code int
	hang bool
}

func (b *broken) act(r *http.Request, _ int) (*http.Response, error) {
	if b.hang {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return respond(b.code, fine)
}

func TestTheBreakerOpensAndCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &broken{code: 500}
		p := &play{act: b.act}
		c := playing(t, p, func(o *remote.Options) { o.Retries, o.BreakAfter, o.BreakFor = -1, 3, 10*time.Second })
		ask := func(wantTries int, wantState string, wantCode memory.Code) {
			t.Helper()
			before := p.tries()
			_, err := embed(c, "text")
			if got := p.tries() - before; got != wantTries || c.State() != wantState || memory.CodeOf(err) != wantCode {
				t.Fatalf("%d tries, %s, %v; want %d, %s, %q", got, c.State(), err, wantTries, wantState, wantCode)
			}
		}
		ask(1, "closed", memory.Overloaded)
		ask(1, "closed", memory.Overloaded)
		b.code = 200
		ask(1, "closed", "") // a good one starts the count anew
		b.code = 500
		ask(1, "closed", memory.Overloaded)
		ask(1, "closed", memory.Overloaded)
		ask(1, "open", memory.Overloaded)
		ask(0, "open", memory.Overloaded)
		time.Sleep(9 * time.Second)
		_, err := embed(c, "text")
		if got := wantBusy(t, err); got.RetryAfter != time.Second || !strings.Contains(got.Cause.Error(), "answered 500") {
			t.Errorf("got %+v", got)
		}
		time.Sleep(time.Second)
		if c.State() != "half-open" {
			t.Error(c.State())
		}
		ask(1, "open", memory.Overloaded) // the trial failed
		time.Sleep(10 * time.Second)
		b.code = 404
		ask(1, "closed", memory.Internal) // a refusal is an answer
		b.code = 200
		ask(1, "closed", "")
	})
}

// TestAnOldVerdictDoesNotCount: a request sent before the breaker opened ends
// well after that, and says nothing about the server of now.
func TestAnOldVerdictDoesNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		p := &play{act: func(_ *http.Request, try int) (*http.Response, error) {
			if try == 1 {
				<-release
				return respond(200, fine)
			}
			return respond(500, "")
		}}
		c := playing(t, p, func(o *remote.Options) { o.Retries, o.BreakAfter = -1, 1 })
		old := make(chan error, 1)
		go func() {
			_, err := embed(c, "text")
			old <- err
		}()
		synctest.Wait()
		_, err := embed(c, "text")
		wantBusy(t, err)
		close(release)
		if err := <-old; err != nil || c.State() != "open" {
			t.Error(err, c.State())
		}
	})
}

// TestHalfOpenLetsOneThrough sends ten at once while the trial is under way.
func TestHalfOpenLetsOneThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &broken{code: 500}
		p := &play{act: b.act}
		c := playing(t, p, func(o *remote.Options) { o.Retries, o.BreakAfter = -1, 1 })
		_, err := embed(c, "text")
		wantBusy(t, err)
		time.Sleep(10 * time.Second)
		b.hang = true
		ctx, cancel := context.WithCancel(t.Context())
		trial := make(chan error, 1)
		go func() {
			_, err := c.Embed(ctx, []string{"text"}, memory.EmbedQuery)
			trial <- err
		}()
		synctest.Wait()
		for range 10 {
			_, err := embed(c, "text")
			wantBusy(t, err)
		}
		if p.tries() != 2 {
			t.Errorf("%d tries, want 2", p.tries())
		}
		cancel() // tells nothing about the server, so the next one is the trial
		if err := <-trial; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		b.hang, b.code = false, 200
		if _, err := embed(c, "text"); err != nil || c.State() != "closed" {
			t.Error(err, c.State())
		}
	})
}

// TestAHangingServerOpensTheBreaker, whoever gives up first: we by Timeout, or
// the callers by deadlines of their own – unless these leave no time at all.
func TestAHangingServerOpensTheBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			within time.Duration
			want   string
		}{{time.Hour, "open"}, {5 * time.Second, "open"}, {time.Millisecond, "closed"}} {
			c := playing(t, &play{act: (&broken{hang: true}).act}, func(o *remote.Options) { o.Retries, o.BreakAfter = -1, 2 })
			for range 2 {
				ctx, cancel := context.WithTimeout(t.Context(), test.within)
				_, err := c.Embed(ctx, []string{"text"}, memory.EmbedQuery)
				if ended := ctx.Err() != nil; ended != errors.Is(err, context.DeadlineExceeded) || ended == (memory.CodeOf(err) == memory.Overloaded) {
					t.Errorf("%v: %v", test, err)
				}
				cancel()
			}
			if c.State() != test.want {
				t.Errorf("%v: %s", test, c.State())
			}
		}
	})
}

// TestACallerWhoGoesAwayTellsNothing, however long it waited.
func TestACallerWhoGoesAwayTellsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := playing(t, &play{act: (&broken{hang: true}).act}, func(o *remote.Options) { o.BreakAfter = 1 })
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Second, cancel)
		_, err := c.Embed(ctx, []string{"text"}, memory.EmbedQuery)
		if !errors.Is(err, context.Canceled) || c.State() != "closed" {
			t.Error(err, c.State())
		}
	})
}

// TestRetryAfterKeepsTheBreakerOpen, but not for ever.
func TestRetryAfterKeepsTheBreakerOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for after, want := range map[string]time.Duration{"1": 10 * time.Second, "30": 30 * time.Second, "7200": time.Minute} {
			p := &play{act: func(*http.Request, int) (*http.Response, error) { return respond(429, "", "Retry-After", after) }}
			c := playing(t, p, func(o *remote.Options) { o.Retries, o.BreakAfter = -1, 1 })
			_, err := embed(c, "text")
			wantBusy(t, err)
			_, err = embed(c, "text")
			if got := wantBusy(t, err).RetryAfter; got != want || p.tries() != 1 {
				t.Errorf("after %s s: open for %v and %d tries", after, got, p.tries())
			}
		}
	})
}

// FuzzAnswer feeds any bytes as an answer: whatever is accepted keeps I1.
func FuzzAnswer(f *testing.F) {
	for _, body := range []string{fine, `{"data":[{"index":0,"embedding":[3,4]}]}`, `{"data":[{"embedding":"AACAPwAAAAA="}]}`, `{`, `{"embeddings":[[null]]}`, `{"embeddings":[[1e-46,0]]}`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		p := &play{act: func(*http.Request, int) (*http.Response, error) { return respond(200, string(body)) }}
		for family, open := range families {
			c := mustOpen(t, open, remote.Options{BaseURL: "http://server", Model: "m", Transport: p, Retries: -1})
			got, err := embed(c, "text")
			if err != nil {
				continue
			}
			if problem := wrong(got, c.Dim()); problem != "" {
				t.Errorf("%s: %s", family, problem)
			}
		}
	})
}

func wrong(vectors [][]float32, dim int) string {
	if len(vectors) != 1 || len(vectors[0]) != dim || dim == 0 {
		return fmt.Sprintf("%d vectors, dimension %d", len(vectors), dim)
	}
	square := 0.0
	for _, x := range vectors[0] {
		square += float64(x) * float64(x)
	}
	if math.IsNaN(square) || math.Abs(square-1) > 1e-5 {
		return fmt.Sprintf("length² %v", square)
	}
	return ""
}
