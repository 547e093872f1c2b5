package remote

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// openAI is the form of /v1/embeddings.
type openAI struct{ options *Options }

func (w openAI) encode(texts []string) ([]byte, error) {
	request := struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Encoding   string   `json:"encoding_format"`
		Dimensions int      `json:"dimensions,omitempty"`
	}{w.options.Model, texts, "float", dimensions(w.options)}
	if w.options.Base64 {
		request.Encoding = "base64"
	}
	return json.Marshal(request)
}

func dimensions(o *Options) int {
	if o.Shorten {
		return o.Dim
	}
	return 0
}

// decode accepts numbers and base64 whatever was asked for, because servers
// differ in what they heed.
func (w openAI) decode(body []byte, count int) ([][]float32, error) {
	var answer struct {
		Data []struct {
			Index     *int            `json:"index"`
			Embedding json.RawMessage `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, err
	}
	if len(answer.Data) != count {
		return nil, fmt.Errorf("%d vectors for %d texts", len(answer.Data), count)
	}
	vectors := make([][]float32, count)
	for i, item := range answer.Data {
		at, err := place(item.Index, i, vectors)
		if err != nil {
			return nil, err
		}
		if vectors[at], err = parseVector(item.Embedding); err != nil {
			return nil, fmt.Errorf("vector %d: %w", at, err)
		}
	}
	return vectors, nil
}

// place is where the i-th item belongs. A server that gives no index means
// the order; a place is taken once, so giving some and not others fails too
// unless it comes to the same.
func place(index *int, i int, vectors [][]float32) (int, error) {
	at := i
	if index != nil {
		at = *index
	}
	if at < 0 || at >= len(vectors) {
		return 0, fmt.Errorf("index %d of %d vectors", at, len(vectors))
	}
	if vectors[at] != nil {
		return 0, fmt.Errorf("index %d comes twice", at)
	}
	return at, nil
}

// ollama is the form of /api/embed.
type ollama struct{ options *Options }

func (w ollama) encode(texts []string) ([]byte, error) {
	return json.Marshal(struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Truncate   bool     `json:"truncate"`
		Dimensions int      `json:"dimensions,omitempty"`
	}{w.options.Model, texts, true, dimensions(w.options)})
}

func (w ollama) decode(body []byte, count int) ([][]float32, error) {
	var answer struct {
		Embeddings []json.RawMessage `json:"embeddings"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, err
	}
	if len(answer.Embeddings) != count {
		return nil, fmt.Errorf("%d vectors for %d texts", len(answer.Embeddings), count)
	}
	vectors := make([][]float32, count)
	for i, raw := range answer.Embeddings {
		var err error
		if vectors[i], err = parseVector(raw); err != nil {
			return nil, fmt.Errorf("vector %d: %w", i, err)
		}
	}
	return vectors, nil
}

var errForm = errors.New("is neither a list of numbers nor base64")

// parseVector reads a list of numbers or a string of base64. encoding/json
// would read the null that some servers write for NaN as 0.
func parseVector(raw json.RawMessage) ([]float32, error) {
	text := string(raw)
	if inner, ok := cutAround(text, '[', ']'); ok {
		return parseNumbers(inner)
	}
	if inner, ok := cutAround(text, '"', '"'); ok {
		return parseBase64(inner)
	}
	return nil, errForm
}

func cutAround(text string, open, shut byte) (string, bool) {
	if len(text) < 2 || text[0] != open || text[len(text)-1] != shut {
		return "", false
	}
	return text[1 : len(text)-1], true
}

func parseNumbers(list string) ([]float32, error) {
	vector := make([]float32, 0, 1+strings.Count(list, ","))
	for part := range strings.SplitSeq(list, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(part), 32)
		if err != nil {
			return nil, fmt.Errorf("number %d: %w", len(vector), err)
		}
		vector = append(vector, float32(x))
	}
	return vector, nil
}

// parseBase64 reads float32s in little endian. JSON may write a slash as \/.
func parseBase64(text string) ([]float32, error) {
	data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(text, `\/`, "/"))
	if err != nil {
		return nil, err
	}
	if len(data)%4 != 0 {
		return nil, fmt.Errorf("%d bytes are no float32s", len(data))
	}
	vector := make([]float32, len(data)/4)
	for i := range vector {
		vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return vector, nil
}

// check holds an answer against I1 and I2, and makes the vectors unit length.
func (c *Client) check(vectors [][]float32, count int) error {
	if len(vectors) != count {
		return fmt.Errorf("%d vectors for %d texts", len(vectors), count)
	}
	for i, vector := range vectors {
		if len(vector) != len(vectors[0]) {
			return fmt.Errorf("vector %d has %d dimensions, the first has %d", i, len(vector), len(vectors[0]))
		}
		if err := normalise(vector); err != nil {
			return fmt.Errorf("vector %d: %w", i, err)
		}
	}
	c.dim.CompareAndSwap(0, int64(len(vectors[0])))
	if got, want := len(vectors[0]), c.Dim(); got != want {
		return fmt.Errorf("the server's vectors have %d dimensions, not %d", got, want)
	}
	return nil
}

// normalise scales to unit length. The square of a float32 always fits a
// float64.
func normalise(vector []float32) error {
	square := 0.0
	for _, x := range vector {
		square += float64(x) * float64(x)
	}
	if math.IsNaN(square) || math.IsInf(square, 0) {
		return errors.New("holds a number that is not finite")
	}
	if square == 0 {
		return errors.New("has no length")
	}
	scale := 1 / math.Sqrt(square)
	for i, x := range vector {
		vector[i] = float32(float64(x) * scale)
	}
	return nil
}
