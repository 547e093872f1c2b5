package memory

import "encoding/json"

// Texts is a list of texts; on the wire one string will do.
type Texts []string

// FromString takes the short form.
func (t *Texts) FromString(s string) { *t = Texts{s} }

// EmbeddingsRequest asks for vectors, in the form that OpenAI made common.
type EmbeddingsRequest struct {
	Input          Texts  `json:"input" doc:"One text or a list of texts." rule:"required,max=256,each=40000,eachtext"`
	Model          string `json:"model,omitempty" doc:"The model; its id, builtin, or left out." rule:"max=200"`
	EncodingFormat string `json:"encoding_format,omitempty" doc:"float, or base64 of little-endian float32; float if not given." rule:"enum=float|base64"`
	Dimensions     int    `json:"dimensions,omitempty" doc:"If given, it must be the model's own." rule:"range=1..4096"`
	User           string `json:"user,omitempty" doc:"Taken for compatibility; not used." rule:"max=500"`
}

// Check holds the request against its rules.
func (r *EmbeddingsRequest) Check() error { return Check(r) }

// Embedding is one vector.
type Embedding struct {
	Object    string          `json:"object"`
	Index     int             `json:"index" doc:"Place of the text in the input."`
	Embedding json.RawMessage `json:"embedding" doc:"List of numbers, or base64."`
}

// EmbeddingsUsage counts tokens.
type EmbeddingsUsage struct {
	PromptTokens int `json:"prompt_tokens"`
	TotalTokens  int `json:"total_tokens"`
}

// EmbeddingsResult answers with vectors, in the form that OpenAI made common.
type EmbeddingsResult struct {
	Object string          `json:"object"`
	Data   []Embedding     `json:"data"`
	Model  string          `json:"model"`
	Usage  EmbeddingsUsage `json:"usage"`
}
