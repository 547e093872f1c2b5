package memory

import (
	"encoding/json"
	"time"
)

// LearnRequest is one thing to remember.
type LearnRequest struct {
	Content    string          `json:"content" doc:"What to remember, in plain words." rule:"required,text,max=10000"`
	Category   string          `json:"category,omitempty" doc:"Free word for sorting; insight if not given." rule:"max=100"`
	Tags       []string        `json:"tags,omitempty" doc:"Labels to filter by." rule:"max=50,each=100"`
	Project    string          `json:"project,omitempty" doc:"The project it belongs to." rule:"max=200"`
	AgentID    string          `json:"agentId,omitempty" doc:"The agent that learned it." rule:"max=200"`
	SessionID  string          `json:"sessionId,omitempty" doc:"The conversation it comes from." rule:"max=200"`
	Source     string          `json:"source,omitempty" doc:"How it came to be known; user if not given." rule:"enum=session|user|research|import|automated"`
	MemoryType string          `json:"memoryType,omitempty" doc:"semantic for what is so, episodic for what happened; semantic if not given." rule:"enum=semantic|episodic"`
	Confidence *float64        `json:"confidence,omitempty" doc:"How sure the caller is." rule:"range=0..1"`
	OccurredAt time.Time       `json:"occurredAt,omitzero" doc:"When it happened."`
	ValidFrom  time.Time       `json:"validFrom,omitzero" doc:"Start of the time in which it is true."`
	ValidTo    time.Time       `json:"validTo,omitzero" doc:"End of the time in which it is true, exclusive."`
	Entities   []string        `json:"entities,omitempty" doc:"Names of entities to link; unknown ones are made." rule:"max=50,each=200,eachtext"`
	Supersedes ID              `json:"supersedes,omitzero" doc:"Id of the memory that this one replaces."`
	Metadata   json.RawMessage `json:"metadata,omitempty" doc:"The caller's own fields, for filters." rule:"object,bytes=16384"`
	Dedupe     string          `json:"dedupe,omitempty" doc:"auto recognises what is already known, off stores it again; auto if not given." rule:"enum=auto|off"`
}

// Check holds the request against its rules.
func (r *LearnRequest) Check() error {
	return Check(r, validity(r.ValidFrom, r.ValidTo))
}

// BatchRequest is many things to remember, in one commit.
type BatchRequest struct {
	Items []LearnRequest `json:"items" doc:"What to remember; each item has an outcome of its own." rule:"required,max=1000"`
}

// Action says what a write did.
type Action string

// What a learn or an entity write may have done.
const (
	Added   Action = "added"
	Updated Action = "updated"
	Skipped Action = "skipped"
	Created Action = "created"
)

// Similar is a memory that is like the one just learned.
type Similar struct {
	ID    ID      `json:"id"`
	Score float64 `json:"score" doc:"Cosine of the two vectors."`
}

// Clash is a memory that may contradict the one just learned.
type Clash struct {
	ID     ID     `json:"id"`
	Reason string `json:"reason"`
}

// Outcome is what every write answers: whether it was a replay of an earlier
// answer to the same Idempotency-Key. It never goes into the JSON.
type Outcome struct {
	Replayed bool `json:"-"`
}

// MarkReplayed notes that the answer is an earlier one, sent again.
func (o *Outcome) MarkReplayed() { o.Replayed = true }

// WasReplayed reports it to the edge.
func (o *Outcome) WasReplayed() bool { return o.Replayed }

// LearnResult answers a learn.
type LearnResult struct {
	Outcome   `json:"-"`
	Action    Action    `json:"action" doc:"added, updated or skipped."`
	ID        ID        `json:"id" doc:"The memory that now holds it."`
	Message   string    `json:"message"`
	Links     []Link    `json:"links" doc:"Entities it was linked to."`
	Similar   []Similar `json:"similar" doc:"Known memories that are like it."`
	Conflicts []Clash   `json:"conflicts" doc:"Known memories that may contradict it."`
}

// BatchItem is the outcome of one item: a result, or the reason it was refused.
type BatchItem struct {
	*LearnResult
	Error *ItemError `json:"error,omitempty"`
}

// ItemError is a refusal of one item of a batch.
type ItemError struct {
	Code   Code         `json:"code"`
	Detail string       `json:"detail"`
	Errors []FieldError `json:"errors,omitempty"`
}

// BatchResult answers a batch, in the order of its items.
type BatchResult struct {
	Outcome `json:"-"`
	Results []BatchItem `json:"results"`
}

func validity(from, to time.Time) *FieldError {
	if !from.IsZero() && !to.IsZero() && !to.After(from) {
		return &FieldError{"validTo", "must be later than validFrom"}
	}
	return nil
}
