package remote_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"loci/engine/embed/remote"
	"loci/engine/memory"
)

// passingFailures are what a server may do wrong in passing.
var passingFailures = map[string]func(w http.ResponseWriter, r *http.Request){
	"408": status(408, ""),
	"429": status(429, `{"error":{"message":"Rate limit reached for requests","type":"requests","param":null,"code":"rate_limit_exceeded"}}`),
	"500": status(500, `{"error":"llama runner process has terminated"}`),
	"502": status(502, "<html>Bad Gateway</html>"),
	"503": status(503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`),
	"529": status(529, ""),
	"no answer": func(w http.ResponseWriter, _ *http.Request) {
		connection, _, _ := w.(http.Hijacker).Hijack()
		connection.Close()
	},
	"torn body": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, `{"data":[{"index":0,"embedding":[0.1,`)
	},
	"torn json":  status(200, `{"data":[{"index":0,"embedding":[0.1,`),
	"empty body": status(200, ""),
	"slow": func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	},
}

func status(code int, body string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}
}

func TestWhatMayPassIsTriedAgain(t *testing.T) {
	for name, fail := range passingFailures {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, 3)
			s.before = func(w http.ResponseWriter, r *http.Request, try int) bool {
				if try <= 2 {
					fail(w, r)
				}
				return try <= 2
			}
			o := s.options()
			o.Timeout = timeoutFor(name)
			got, err := embed(mustOpen(t, remote.OpenAI, o), "text")
			if diff := cmp.Diff(wanted(3, "text"), got); diff != "" || err != nil {
				t.Error(diff, err)
			}
			if got := len(s.seen()); got != 3 {
				t.Errorf("%d requests, want 3", got)
			}
		})
	}
}

func timeoutFor(name string) time.Duration {
	if name == "slow" {
		return 50 * time.Millisecond
	}
	return 0
}

func TestWhatDoesNotPassIsRefusedAsBusy(t *testing.T) {
	for name, fail := range passingFailures {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, 3)
			s.before = func(w http.ResponseWriter, r *http.Request, _ int) bool {
				fail(w, r)
				return true
			}
			o := s.options()
			o.Retries, o.Timeout = 1, timeoutFor(name)
			_, err := embed(mustOpen(t, remote.OpenAI, o), "text")
			if refusal := wantBusy(t, err); refusal.Cause == nil || strings.Contains(refusal.Detail, name) {
				t.Errorf("got %+v", refusal)
			}
			if got := len(s.seen()); got != 2 {
				t.Errorf("%d requests, want 2", got)
			}
		})
	}
}

func TestNoServerIsRefusedAsBusy(t *testing.T) {
	s := newServer(t, 3)
	s.Close()
	o := s.options()
	o.Retries = -1
	_, err := embed(mustOpen(t, remote.Ollama, o), "text")
	wantBusy(t, err)
}

// TestWhatWillNotPassFailsAtOnce: one request, an ordinary error, nothing for
// the client to read (I1, I4, I6).
func TestWhatWillNotPassFailsAtOnce(t *testing.T) {
	nan := packed([]float32{1, float32(math.NaN()), 0})
	infinite := packed([]float32{1, float32(math.Inf(-1)), 0})
	list := func(items ...string) string { return `{"data":[` + strings.Join(items, ",") + `]}` }
	for name, test := range map[string]struct {
		code       int
		body, want string
	}{
		"bad request":      {400, `{"error":{"message":"too long"}}`, `answered 400: "too long"`},
		"unknown model":    {404, `{"error":"model \"x\" not found"}`, `answered 404: "model \"x\" not found"`},
		"odd error":        {422, `{"error":{"code":7}}`, `answered 422: "{\"code\":7}"`},
		"plain error":      {403, " no\n", `answered 403: "no"`},
		"silent error":     {403, "", "answered 403"},
		"long error":       {403, strings.Repeat("é", 5000), strings.Repeat("é", 150) + `…"`},
		"not implemented":  {501, "", "answered 501"},
		"no content":       {204, "", "answered 204"},
		"another shape":    {200, `{}`, "0 vectors for 2 texts"},
		"another type":     {200, `{"data":7}`, "cannot unmarshal"},
		"too few":          {200, list(`{"index":0,"embedding":[1,2,3]}`), "1 vectors for 2 texts"},
		"too many":         {200, list(`{"index":0,"embedding":[1]}`, `{"index":1,"embedding":[1]}`, `{"index":2,"embedding":[1]}`), "3 vectors for 2 texts"},
		"index twice":      {200, list(`{"index":0,"embedding":[1]}`, `{"index":0,"embedding":[1]}`), "index 0 comes twice"},
		"index too high":   {200, list(`{"index":0,"embedding":[1]}`, `{"index":2,"embedding":[1]}`), "index 2 of 2 vectors"},
		"index too low":    {200, list(`{"index":-1,"embedding":[1]}`, `{"index":0,"embedding":[1]}`), "index -1 of 2 vectors"},
		"no vector":        {200, list(`{"index":0}`, `{"index":1,"embedding":[1]}`), "neither a list of numbers nor base64"},
		"no numbers":       {200, list(`{"index":0,"embedding":[]}`, `{"index":1,"embedding":[]}`), "vector 0: number 0"},
		"nested numbers":   {200, list(`{"index":0,"embedding":[[1]]}`, `{"index":1,"embedding":[1]}`), "vector 0: number 0"},
		"null number":      {200, list(`{"index":0,"embedding":[1,null]}`, `{"index":1,"embedding":[1,2]}`), "vector 0: number 1"},
		"number too large": {200, list(`{"index":0,"embedding":[1,1e39]}`, `{"index":1,"embedding":[1,2]}`), "vector 0: number 1"},
		"dimensions vary":  {200, list(`{"index":0,"embedding":[1,2]}`, `{"index":1,"embedding":[1]}`), "vector 1 has 1 dimensions, the first has 2"},
		"zero vector":      {200, list(`{"index":0,"embedding":[0,0]}`, `{"index":1,"embedding":[1,2]}`), "vector 0: has no length"},
		"empty base64":     {200, list(`{"index":0,"embedding":""}`, `{"index":1,"embedding":""}`), "vector 0: has no length"},
		"not a number":     {200, list(`{"index":0,"embedding":"`+nan+`"}`, `{"index":1,"embedding":[1,2,3]}`), "not finite"},
		"infinite":         {200, list(`{"index":0,"embedding":[1,2,3]}`, `{"index":1,"embedding":"`+infinite+`"}`), "vector 1: holds a number that is not finite"},
		"bad base64":       {200, list(`{"index":0,"embedding":"@"}`, `{"index":1,"embedding":[1]}`), "illegal base64"},
		"odd base64":       {200, list(`{"index":0,"embedding":"AAAAAAA="}`, `{"index":1,"embedding":[1]}`), "5 bytes are no float32s"},
		"too long":         {200, strings.Repeat(" ", 5000), "longer than 4096 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, 3)
			s.before = func(w http.ResponseWriter, r *http.Request, _ int) bool {
				status(test.code, test.body)(w, r)
				return true
			}
			o := s.options()
			o.MaxAnswerBytes = 4096
			got, err := embed(mustOpen(t, remote.OpenAI, o), "one", "two")
			if err == nil || !strings.Contains(err.Error(), test.want) || got != nil {
				t.Errorf("got %v and %v, want %q", got, err, test.want)
			}
			if refusal := memory.AsError(err); refusal.Code != memory.Internal || refusal.Detail != "something went wrong on our side" {
				t.Errorf("a client reads %+v", refusal)
			}
			if got := len(s.seen()); got != 1 {
				t.Errorf("%d requests, want 1", got)
			}
		})
	}
}

func TestWrongAnswersOfOllama(t *testing.T) {
	for body, want := range map[string]string{
		`{"embeddings":[[1,2]]}`:          "1 vectors for 2 texts",
		`{"embeddings":[[1,2],[1,null]]}`: "vector 1: number 1",
		`{"embeddings":[[1,2],null]}`:     "vector 1: is neither",
		`{"embeddings":{}}`:               "cannot unmarshal",
	} {
		s := newServer(t, 3)
		s.before = func(w http.ResponseWriter, r *http.Request, _ int) bool {
			status(200, body)(w, r)
			return true
		}
		if _, err := embed(mustOpen(t, remote.Ollama, s.options()), "one", "two"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", body, err, want)
		}
	}
}

// TestAnswersThatBendTheForm are right all the same.
func TestAnswersThatBendTheForm(t *testing.T) {
	slashed := strings.ReplaceAll(packed([]float32{3.9999998, 0}), "/", `\/`)
	for name, test := range map[string]struct {
		body string
		want [][]float32
	}{
		"no indexes":      {`{"data":[{"embedding":[3,0]},{"embedding":[0,2]}]}`, [][]float32{{1, 0}, {0, 1}}},
		"blanks":          {"{\"data\":[ {\"embedding\": [ 3 ,\n 0 ] } , {\"embedding\":[0,2]}]}", [][]float32{{1, 0}, {0, 1}}},
		"mixed encodings": {`{"data":[{"embedding":"` + packed([]float32{4, 0}) + `"},{"embedding":[0,2]}]}`, [][]float32{{1, 0}, {0, 1}}},
		"slashes":         {`{"data":[{"embedding":"` + slashed + `"},{"embedding":[0,2]}]}`, [][]float32{{1, 0}, {0, 1}}},
		"huge":            {`{"data":[{"embedding":[3e38,0]},{"embedding":[0,1e-38]}]}`, [][]float32{{1, 0}, {0, 1}}},
	} {
		s := newServer(t, 2)
		s.before = func(w http.ResponseWriter, r *http.Request, _ int) bool {
			status(200, test.body)(w, r)
			return true
		}
		got, err := embed(mustOpen(t, remote.OpenAI, s.options()), "one", "two")
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %s %v", name, diff, err)
		}
	}
}

func TestACallerWhoGoesAwayEndsTheRequest(t *testing.T) {
	s := newServer(t, 3)
	arrived, left := make(chan struct{}), make(chan struct{})
	s.before = func(_ http.ResponseWriter, r *http.Request, _ int) bool {
		close(arrived)
		<-r.Context().Done()
		close(left)
		return true
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-arrived; cancel() }()
	_, err := mustOpen(t, remote.OpenAI, s.options()).Embed(ctx, []string{"text"}, memory.EmbedQuery)
	if !errors.Is(err, context.Canceled) || memory.CodeOf(err) == memory.Overloaded {
		t.Errorf("got %v", err)
	}
	<-left
}
