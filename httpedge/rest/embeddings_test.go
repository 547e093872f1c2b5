package rest_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loci/engine/memory"
)

// tiny is an embedder of two dimensions: length of the text, and one. It fails
// when the fake does.
type tiny struct{ *fake }

func (tiny) ID() string { return "tiny" }
func (tiny) Dim() int   { return 2 }

func (e tiny) Vectors(_ context.Context, who memory.Caller, texts []string) (all [][]float32, tokens int, err error) {
	defer e.mu.Unlock()
	if err := e.enter("Vectors"); err != nil {
		return nil, 0, err
	}
	if who.Tenant.IsZero() {
		return nil, 0, memory.Refuse(memory.Internal, "nobody asks")
	}
	for _, text := range texts {
		all = append(all, []float32{float32(len(text)), 1})
		tokens += len(strings.Fields(text))
	}
	return all, tokens, nil
}

func TestEmbeddings(t *testing.T) {
	h := open(t)
	for _, tc := range []struct {
		name, body string
		status     int
		want       string
	}{
		{"a list", `{"input":["ab","a b c"],"model":"tiny"}`, 200, `{"object":"list","data":[{"object":"embedding","index":0,"embedding":[2,1]},{"object":"embedding","index":1,"embedding":[5,1]}],"model":"tiny","usage":{"prompt_tokens":4,"total_tokens":4}}`},
		{"one text", `{"input":"ab"}`, 200, `{"object":"list","data":[{"object":"embedding","index":0,"embedding":[2,1]}],"model":"tiny","usage":{"prompt_tokens":1,"total_tokens":1}}`},
		{"base64", `{"input":"ab","encoding_format":"base64","dimensions":2,"user":"u"}`, 200, `{"object":"list","data":[{"object":"embedding","index":0,"embedding":"AAAAQAAAgD8="}],"model":"tiny","usage":{"prompt_tokens":1,"total_tokens":1}}`},
		{"nothing", `{}`, 400, "input"},
		{"an empty text", `{"input":["ab",""]}`, 400, "input[1]"},
		{"tokens instead of texts", `{"input":[[1,2]]}`, 400, "input[0]"},
		{"another model", `{"input":"ab","model":"text-embedding-3-large"}`, 404, "model"},
		{"another dimension", `{"input":"ab","dimensions":3}`, 400, "dimensions"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := h.call("loci_a", "POST", "/v1/embeddings", tc.body)
			if got.status != tc.status {
				t.Fatalf("status %d: %s", got.status, got.body)
			}
			if tc.status == 200 {
				if diff := cmp.Diff(tc.want, strings.TrimSpace(string(got.body))); diff != "" {
					t.Fatal(diff)
				}
				return
			}
			var problem struct{ Errors []memory.FieldError }
			if err := json.Unmarshal([]byte(got.body), &problem); err != nil || len(problem.Errors) == 0 || problem.Errors[0].Field != tc.want {
				t.Fatalf("%v: %s", err, got.body)
			}
		})
	}
	if got := h.call("", "POST", "/v1/embeddings", `{"input":"ab"}`); got.status != 401 {
		t.Fatalf("without a key: %d", got.status)
	}
}
