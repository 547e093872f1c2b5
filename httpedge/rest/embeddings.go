package rest

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"loci/engine/memory"
	"loci/httpedge"
	"loci/httpedge/wire"
)

// Vectorizer is the server's embedder, for those who want its vectors.
type Vectorizer interface {
	ID() string
	Dim() int
	// Vectors embeds texts for a caller, and counts the tokens it read; 0 if it
	// cannot say.
	Vectors(ctx context.Context, who memory.Caller, texts []string) (vectors [][]float32, tokens int, err error)
}

// EmbeddingRoutes serve the embedder in the form that OpenAI made common.
func EmbeddingRoutes(by Vectorizer) []httpedge.Route {
	return []httpedge.Route{{
		Method: "POST", Path: "/v1/embeddings", Scope: memory.ScopeRead,
		Handle: func(r *httpedge.Request) error { return embeddings(r, by) },
		Doc: httpedge.Doc{
			ID: "embeddings", Group: "Find", Summary: "Turn texts into vectors",
			Text: "Compatible with OpenAI's embeddings: the vectors that this server searches with, of unit length.",
			Body: memory.EmbeddingsRequest{}, Result: memory.EmbeddingsResult{}, Plain: true,
			Example: `{"input":["Ada prefers tea to coffee.","What does Ada drink?"],"model":"builtin"}`,
		},
	}}
}

func embeddings(r *httpedge.Request, by Vectorizer) error {
	var what memory.EmbeddingsRequest
	if err := r.Decode(&what); err != nil {
		return err
	}
	if err := fits(&what, by); err != nil {
		return err
	}
	vectors, tokens, err := by.Vectors(r.Context(), r.Caller, what.Input)
	if err != nil {
		return err
	}
	result := &memory.EmbeddingsResult{Object: "list", Model: by.ID(), Data: make([]memory.Embedding, len(vectors))}
	result.Usage = memory.EmbeddingsUsage{PromptTokens: tokens, TotalTokens: tokens}
	for i, v := range vectors {
		result.Data[i] = memory.Embedding{Object: "embedding", Index: i, Embedding: written(v, what.EncodingFormat)}
	}
	body, err := wire.AppendPlain(nil, result)
	if err != nil {
		return err
	}
	return r.Send("application/json", body)
}

func fits(what *memory.EmbeddingsRequest, by Vectorizer) error {
	if err := what.Check(); err != nil {
		return err
	}
	if what.Dimensions != 0 && what.Dimensions != by.Dim() {
		return memory.BadField("dimensions", fmt.Sprintf("must be %d, the model's own", by.Dim()))
	}
	if what.Model != "" && what.Model != "builtin" && what.Model != by.ID() {
		return &memory.Error{
			Code: memory.NotFound, Detail: "no such model here; there is " + by.ID(),
			Fields: []memory.FieldError{{Field: "model", Message: "names no model of this server"}},
		}
	}
	return nil
}

func written(v []float32, format string) json.RawMessage {
	if format == "base64" {
		raw := make([]byte, 0, 4*len(v))
		for _, x := range v {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
		}
		return json.RawMessage(`"` + base64.StdEncoding.EncodeToString(raw) + `"`)
	}
	list := append(make([]byte, 0, 12*len(v)), '[')
	for i, x := range v {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendFloat(list, float64(x), 'g', -1, 32)
	}
	return append(list, ']')
}
