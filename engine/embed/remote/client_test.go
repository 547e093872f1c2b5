package remote_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"loci/engine/embed/remote"
	"loci/engine/memory"
)

type opener = func(remote.Options) (*remote.Client, error)

var families = map[string]opener{"openai": remote.OpenAI, "ollama": remote.Ollama}

func TestVectorsArriveInOrderAndAtUnitLength(t *testing.T) {
	texts := []string{"one", "two", "drei <&> \u2028", "四", ""}
	for name, test := range map[string]struct {
		open    opener
		base64  bool
		shuffle bool
		suffix  string
	}{
		"openai":              {open: remote.OpenAI},
		"openai base64":       {open: remote.OpenAI, base64: true},
		"openai out of order": {open: remote.OpenAI, shuffle: true},
		"openai both":         {open: remote.OpenAI, base64: true, shuffle: true, suffix: "/v1/"},
		"ollama":              {open: remote.Ollama, suffix: "/"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, 5)
			s.shuffle = test.shuffle
			o := s.options()
			o.Base64, o.BaseURL = test.base64, o.BaseURL+test.suffix
			c := mustOpen(t, test.open, o)
			if c.Dim() != 0 {
				t.Errorf("dimension %d before it is known", c.Dim())
			}
			got, err := embed(c, texts...)
			want := wanted(5, "one", "two", "drei <&> \u2028", "四", " ") // the empty text goes as a blank
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Error(diff, err)
			}
			if c.Dim() != 5 {
				t.Errorf("dimension %d, want 5", c.Dim())
			}
		})
	}
}

func TestWhatGoesOverTheWire(t *testing.T) {
	s := newServer(t, 5)
	o := s.options()
	o.Dim, o.Shorten, o.QueryPrefix, o.DocumentPrefix = 3, true, "query: ", "passage: "
	for _, open := range []opener{remote.OpenAI, remote.Ollama} {
		c := mustOpen(t, open, o)
		for _, kind := range []memory.EmbedKind{memory.EmbedQuery, memory.EmbedDocument} {
			if _, err := c.Embed(context.Background(), []string{"a", ""}, kind); err != nil {
				t.Fatal(err)
			}
		}
	}
	bearer := "Bearer " + key
	queries, passages := []string{"query: a", "query: "}, []string{"passage: a", "passage: "}
	want := []asked{
		{Path: "/v1/embeddings", Key: bearer, Model: "all-minilm", Input: queries, Encoding: "float", Dimensions: 3},
		{Path: "/v1/embeddings", Key: bearer, Model: "all-minilm", Input: passages, Encoding: "float", Dimensions: 3},
		{Path: "/api/embed", Key: bearer, Model: "all-minilm", Input: queries, Dimensions: 3, Truncate: true},
		{Path: "/api/embed", Key: bearer, Model: "all-minilm", Input: passages, Dimensions: 3, Truncate: true},
	}
	if diff := cmp.Diff(want, s.seen()); diff != "" {
		t.Error(diff)
	}
}

func TestBatchesAreBounded(t *testing.T) {
	for name, test := range map[string]struct {
		texts, bytes int
		want         [][]string
	}{
		"by texts":      {texts: 2, want: [][]string{{"aaaa", "bbbb"}, {"cccc", "dddd"}, {"éé…"}}},
		"by bytes":      {bytes: 9, want: [][]string{{"aaaa", "bbbb"}, {"cccc", "dddd"}, {"éé…"}}},
		"one at a time": {bytes: 1, want: [][]string{{"aaaa"}, {"bbbb"}, {"cccc"}, {"dddd"}, {"éé…"}}},
		"all at once":   {want: [][]string{{"aaaa", "bbbb", "cccc", "dddd", "éé…"}}},
	} {
		s := newServer(t, 3)
		o := s.options()
		o.MaxBatchTexts, o.MaxBatchBytes, o.MaxTextBytes = test.texts, test.bytes, 8
		c := mustOpen(t, remote.OpenAI, o)
		got, err := embed(c, "aaaa", "bbbb", "cccc", "dddd", "éé…éé") // cut after 7 of its 11 bytes
		if diff := cmp.Diff(wanted(3, "aaaa", "bbbb", "cccc", "dddd", "éé…"), got); diff != "" || err != nil {
			t.Errorf("%s: %s %v", name, diff, err)
		}
		var batches [][]string
		for _, a := range s.seen() {
			batches = append(batches, a.Input)
		}
		if diff := cmp.Diff(test.want, batches); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestNoTextsNoRequest(t *testing.T) {
	s := newServer(t, 3)
	got, err := embed(mustOpen(t, remote.OpenAI, s.options()))
	if len(got) != 0 || err != nil || len(s.seen()) != 0 {
		t.Errorf("got %v, %v and %d requests", got, err, len(s.seen()))
	}
}

func TestProbeLearnsTheDimension(t *testing.T) {
	for name, open := range families {
		s := newServer(t, 7)
		c := mustOpen(t, open, s.options())
		if err := c.Probe(context.Background()); err != nil || c.Dim() != 7 {
			t.Errorf("%s: dimension %d, %v", name, c.Dim(), err)
		}
		s.dim = 8 // I2
		if err := c.Probe(context.Background()); err == nil || !strings.Contains(err.Error(), "8 dimensions, not 7") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestIdentity(t *testing.T) {
	base := remote.Options{BaseURL: "http://localhost", Model: "m", Dim: 4}
	ids := map[string]bool{}
	for _, change := range []func(*remote.Options){
		func(*remote.Options) {},
		func(o *remote.Options) { o.Model = "n" },
		func(o *remote.Options) { o.Shorten = true },
		func(o *remote.Options) { o.Shorten, o.Dim = true, 5 },
		func(o *remote.Options) { o.QueryPrefix = "x" },
		func(o *remote.Options) { o.DocumentPrefix = "x" },
		func(o *remote.Options) { o.MaxTextBytes = 100 },
	} {
		o := base
		change(&o)
		for _, open := range families {
			ids[mustOpen(t, open, o).ID()] = true
		}
	}
	if len(ids) != 14 || !ids["openai/m"] || !ids["ollama/n"] || !ids["openai/m@5"] {
		t.Errorf("got %v", ids)
	}
	moved := base
	moved.BaseURL, moved.Key, moved.Base64, moved.Timeout = "https://elsewhere/v1", key, true, time.Hour
	if got := mustOpen(t, remote.OpenAI, moved).ID(); got != "openai/m" {
		t.Errorf("the same model at another address is %q", got)
	}
}

func TestWrongOptionsAreNamed(t *testing.T) {
	for want, change := range map[string]func(*remote.Options){
		"option Model must be given":                          func(o *remote.Options) { o.Model = "" },
		"BaseURL must be http:// or https:// and a host":      func(o *remote.Options) { o.BaseURL = "localhost:11434" },
		"BaseURL must not hold a user, a query or a fragment": func(o *remote.Options) { o.BaseURL = "http://me:hidden@host" },
		"BaseURL cannot be read":                              func(o *remote.Options) { o.BaseURL = "http://me:hidden@host:port" },
		"option Shorten needs Dim":                            func(o *remote.Options) { o.Shorten = true },
		"option Key must be printable ASCII without blanks":   func(o *remote.Options) { o.Key = "hidden\n" },
		"Timeout must not be negative":                        func(o *remote.Options) { o.Timeout = -1 },
		"MaxBatchTexts must not be negative":                  func(o *remote.Options) { o.MaxBatchTexts = -1 },
	} {
		o := remote.Options{BaseURL: "http://localhost", Model: "m"}
		change(&o)
		_, err := remote.OpenAI(o)
		if err == nil || err.Error() != "options of the openai embedder: "+want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestTheKeyIsNotShown prints everything that could hold it, in every way (I3).
func TestTheKeyIsNotShown(t *testing.T) {
	s := newServer(t, 3)
	o := s.options()
	c := mustOpen(t, remote.OpenAI, o)
	holder := struct {
		Open   *remote.Client
		hidden *remote.Client
	}{c, c}
	var log strings.Builder
	logger := slog.New(slog.NewJSONHandler(&log, nil))
	logger.Info("start", "key", o.Key, "options", fmt.Sprint(o), "client", c)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&log, verb+verb+verb+verb+verb, o.Key, o, &o, c, holder)
	}
	text, err := json.Marshal(struct{ Key remote.Secret }{o.Key})
	fmt.Fprint(&log, string(text), err)

	o.Key = "sk-wrong-9876543210"
	_, err = embed(mustOpen(t, remote.OpenAI, o), "text")
	if err == nil || !strings.Contains(err.Error(), "Incorrect API key provided: Bearer [secret]") {
		t.Errorf("got %v", err)
	}
	fmt.Fprint(&log, err)
	for _, secret := range []string{key, "sk-wrong", fmt.Sprintf("%x", key)} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("%q is in %s", secret, &log)
		}
	}
}

// TestRedirectsAreNotFollowed: another server must see neither key nor text.
func TestRedirectsAreNotFollowed(t *testing.T) {
	other := newServer(t, 3)
	for _, status := range []int{301, 302, 307, 308} {
		s := newServer(t, 3)
		s.before = func(w http.ResponseWriter, r *http.Request, _ int) bool {
			http.Redirect(w, r, other.URL+r.URL.Path, status)
			return true
		}
		_, err := embed(mustOpen(t, remote.Ollama, s.options()), "text")
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("answered %d", status)) {
			t.Errorf("got %v", err)
		}
	}
	if got := len(other.seen()); got != 0 {
		t.Errorf("the other server saw %d requests", got)
	}
}
