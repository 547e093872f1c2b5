package remote_test

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"loci/engine/embed/remote"
	"loci/engine/memory"
)

const key = "sk-very-secret-0123456789"

// server speaks both forms of the wire as the real ones do: it refuses what
// they refuse and answers in their words.
type server struct {
	*httptest.Server
	dim     int
	shuffle bool // answer in another order, with the right indexes
	// before runs first, if set; true means that it has answered.
	before func(w http.ResponseWriter, r *http.Request, try int) bool
	mu     struct {
		sync.Mutex
		requests []asked
	}
}

// asked is one request as the server saw it.
type asked struct {
	Path, Key  string
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Encoding   string   `json:"encoding_format"`
	Dimensions int      `json:"dimensions"`
	Truncate   bool     `json:"truncate"`
}

func newServer(t *testing.T, dim int) *server {
	t.Helper()
	s := &server{dim: dim}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/embeddings", s.openAI)
	mux.HandleFunc("POST /api/embed", s.ollama)
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func (s *server) read(w http.ResponseWriter, r *http.Request) (a asked, ok bool) {
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return a, false
	}
	a.Path, a.Key = r.URL.Path, r.Header.Get("Authorization")
	s.mu.Lock()
	s.mu.requests = append(s.mu.requests, a)
	try := len(s.mu.requests)
	s.mu.Unlock()
	return a, s.before == nil || !s.before(w, r, try)
}

func (s *server) seen() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.mu.requests)
}

func (s *server) openAI(w http.ResponseWriter, r *http.Request) {
	a, ok := s.read(w, r)
	if !ok {
		return
	}
	if a.Key != "Bearer "+key {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`, a.Key)
		return
	}
	if slices.Contains(a.Input, "") || len(a.Input) > 2048 {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":{"message":"'$.input' is invalid.","type":"invalid_request_error","param":null,"code":null}}`)
		return
	}
	items := make([]map[string]any, len(a.Input))
	for i, text := range a.Input {
		var vector any = rawVector(text, s.dimension(a))
		if a.Encoding == "base64" {
			vector = packed(rawVector(text, s.dimension(a)))
		}
		items[i] = map[string]any{"object": "embedding", "index": i, "embedding": vector}
	}
	if s.shuffle {
		slices.Reverse(items)
	}
	answer(w, map[string]any{"object": "list", "data": items, "model": a.Model, "usage": map[string]int{"prompt_tokens": 8, "total_tokens": 8}})
}

func (s *server) ollama(w http.ResponseWriter, r *http.Request) {
	a, ok := s.read(w, r)
	if !ok {
		return
	}
	if a.Model != "all-minilm" {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, `{"error":"model %q not found, try pulling it first"}`, a.Model)
		return
	}
	vectors := make([][]float32, len(a.Input))
	for i, text := range a.Input {
		vectors[i] = rawVector(text, s.dimension(a))
	}
	answer(w, map[string]any{"model": a.Model, "embeddings": vectors, "total_duration": 14143917, "load_duration": 1019500, "prompt_eval_count": 8})
}

func (s *server) dimension(a asked) int {
	if a.Dimensions > 0 {
		return a.Dimensions
	}
	return s.dim
}

func answer(w http.ResponseWriter, what any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(what)
}

// rawVector is some vector for a text, not of unit length.
func rawVector(text string, dim int) []float32 {
	sum := fnv.New64a()
	sum.Write([]byte(text))
	n := sum.Sum64()
	vector := make([]float32, dim)
	for i := range vector {
		n = n*6364136223846793005 + 1442695040888963407
		vector[i] = float32(int32(n>>32)) / (1 << 29)
	}
	return vector
}

func packed(vector []float32) string {
	var data []byte
	for _, x := range vector {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(data)
}

// wanted is rawVector at unit length, for each text.
func wanted(dim int, texts ...string) [][]float32 {
	var vectors [][]float32
	for _, text := range texts {
		vector, square := rawVector(text, dim), 0.0
		for _, x := range vector {
			square += float64(x) * float64(x)
		}
		for i, x := range vector {
			vector[i] = float32(float64(x) * (1 / math.Sqrt(square)))
		}
		vectors = append(vectors, vector)
	}
	return vectors
}

// options are quick to try again.
func (s *server) options() remote.Options {
	return remote.Options{
		BaseURL: s.URL, Model: "all-minilm", Key: key,
		Pause: time.Microsecond, MaxPause: time.Millisecond, BreakAfter: 1000,
	}
}

func mustOpen(t testing.TB, open func(remote.Options) (*remote.Client, error), o remote.Options) *remote.Client {
	t.Helper()
	c, err := open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func embed(c *remote.Client, texts ...string) ([][]float32, error) {
	return c.Embed(context.Background(), texts, memory.EmbedDocument)
}

func wantBusy(t testing.TB, err error) *memory.Error {
	t.Helper()
	refusal, ok := errors.AsType[*memory.Error](err)
	if !ok || refusal.Code != memory.Overloaded || refusal.RetryAfter <= 0 {
		t.Fatalf("got %v, want an overloaded refusal with a time to come back", err)
	}
	return refusal
}
