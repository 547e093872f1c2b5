package memory

import (
	"encoding/json"
	"time"
)

// Selection says which memories are meant, whatever their text: shared by
// search, list and forget.
type Selection struct {
	Types          []Type          `json:"types,omitempty" doc:"Only these kinds." rule:"max=6,eachenum=fact|decision|entity|observation|message|relation"`
	Project        string          `json:"project,omitempty" doc:"Only this project." rule:"max=200"`
	AgentID        string          `json:"agentId,omitempty" doc:"Only what this agent wrote." rule:"max=200"`
	SessionID      string          `json:"sessionId,omitempty" doc:"Only this conversation." rule:"max=200"`
	Tags           []string        `json:"tags,omitempty" doc:"Only what carries all of these." rule:"max=50,each=100"`
	Category       string          `json:"category,omitempty" doc:"Only this category." rule:"max=100"`
	MemoryType     string          `json:"memoryType,omitempty" doc:"Only this kind of memory." rule:"enum=semantic|episodic"`
	DateRangeStart time.Time       `json:"dateRangeStart,omitzero" doc:"Only what happened at this time or later."`
	DateRangeEnd   time.Time       `json:"dateRangeEnd,omitzero" doc:"Only what happened before this time."`
	Filter         json.RawMessage `json:"filter,omitempty" doc:"Conditions over metadata: {\"rank\": {\"gte\": 3}}, with eq, ne, in, gt, gte, lt, lte, exists, and, or, not." rule:"object,bytes=16384"`
}

func (s *Selection) check() []*FieldError {
	var wrong []*FieldError
	if !s.DateRangeStart.IsZero() && !s.DateRangeEnd.IsZero() && !s.DateRangeEnd.After(s.DateRangeStart) {
		wrong = append(wrong, &FieldError{"dateRangeEnd", "must be later than dateRangeStart"})
	}
	if _, err := ParseFilter(s.Filter); err != nil {
		wrong = append(wrong, &FieldError{"filter", err.Error()})
	}
	return wrong
}

// Empty reports whether the selection excludes nothing.
func (s *Selection) Empty() bool {
	return len(s.Types) == 0 && s.Project == "" && s.AgentID == "" && s.SessionID == "" && len(s.Tags) == 0 &&
		s.Category == "" && s.MemoryType == "" && s.DateRangeStart.IsZero() && s.DateRangeEnd.IsZero() && len(s.Filter) == 0
}

// The arms of a search, and the mode that unites them.
const (
	ModeHybrid   = "hybrid"
	ModeSemantic = "semantic"
	ModeText     = "text"
	ModeGraph    = "graph"
)

// SearchRequest asks for the memories that answer a question best.
type SearchRequest struct {
	Query string `json:"query" doc:"A question or words, as a person would say it." rule:"required,text,max=2000"`
	Selection
	Limit             int       `json:"limit,omitempty" doc:"At most this many; 20 if not given." rule:"range=1..100"`
	Mode              string    `json:"mode,omitempty" doc:"hybrid unites meaning, words and graph; the others use one arm alone." rule:"enum=hybrid|semantic|text|graph"`
	RecencyWeight     *float64  `json:"recencyWeight,omitempty" doc:"How much newer memories are preferred; 0.3 if not given." rule:"range=0..1"`
	AsOf              time.Time `json:"asOf,omitzero" doc:"Only what was true at this time (valid time)."`
	KnownAt           time.Time `json:"knownAt,omitzero" doc:"Only what Loci knew at this time, in the words it knew it (transaction time)."`
	IncludeSuperseded bool      `json:"includeSuperseded,omitempty" doc:"Also what has been replaced or is no longer valid."`
	MinScore          *float64  `json:"minScore,omitempty" doc:"Only results with at least this score." rule:"range=0..1"`
	TokenBudget       int       `json:"tokenBudget,omitempty" doc:"Also make a context block of at most this many tokens." rule:"range=16..100000"`
	Explain           bool      `json:"explain,omitempty" doc:"Say what each arm contributed."`
	Cursor            string    `json:"cursor,omitempty" doc:"From the answer before, for the next page." rule:"max=500"`
}

// Check holds the request against its rules.
func (r *SearchRequest) Check() error { return Check(r, r.Selection.check()...) }

// ArmScore is what one arm said of a result.
type ArmScore struct {
	Score  float64 `json:"score" doc:"The arm's own score: cosine, BM25 or activation."`
	Rank   int     `json:"rank" doc:"Place in the arm's own list, from 1."`
	Weight float64 `json:"weight" doc:"The arm's share in the mix."`
	Mixed  float64 `json:"mixed" doc:"What it added to the mix, after normalisation."`
}

// Hit is one result.
type Hit struct {
	ID           ID                  `json:"id"`
	Type         Type                `json:"type"`
	Content      string              `json:"content"`
	Title        string              `json:"title,omitempty"`
	Score        float64             `json:"score" doc:"Between 0 and 1; comparable within one answer."`
	MatchedBy    []string            `json:"matchedBy" doc:"The arms that found it: semantic, text, graph."`
	Scores       map[string]ArmScore `json:"scores,omitempty" doc:"With explain: by arm, and recency."`
	Entities     []Link              `json:"entities"`
	Tags         []string            `json:"tags"`
	Project      string              `json:"project,omitempty"`
	Category     string              `json:"category,omitempty"`
	AgentID      string              `json:"agentId,omitempty"`
	SessionID    string              `json:"sessionId,omitempty"`
	MemoryType   string              `json:"memoryType,omitempty"`
	Confidence   *float64            `json:"confidence,omitempty"`
	CreatedAt    time.Time           `json:"createdAt"`
	UpdatedAt    time.Time           `json:"updatedAt"`
	OccurredAt   time.Time           `json:"occurredAt,omitzero"`
	ValidFrom    time.Time           `json:"validFrom,omitzero"`
	ValidTo      time.Time           `json:"validTo,omitzero"`
	SupersededBy ID                  `json:"supersededBy,omitzero"`
	Source       string              `json:"source,omitempty"`
	Metadata     json.RawMessage     `json:"metadata,omitempty" rule:"object"`
	Highlights   []string            `json:"highlights" doc:"Fragments with the query's words in <mark>; HTML-escaped."`
	Reasoning    string              `json:"reasoning,omitempty" doc:"Of a decision."`
	Status       string              `json:"status,omitempty" doc:"Of a decision."`
	EntityType   string              `json:"entityType,omitempty" doc:"Of an entity."`
	EntityID     ID                  `json:"entityId,omitzero" doc:"Of an observation."`
}

// SearchResult answers a search.
type SearchResult struct {
	Outcome `json:"-"`
	Results []Hit   `json:"results"`
	Count   int     `json:"count"`
	Query   string  `json:"query"`
	TookMs  float64 `json:"tookMs"`
	Cursor  string  `json:"cursor,omitempty"`
	Context string  `json:"context,omitempty" doc:"With tokenBudget: one block ready for a prompt."`
	Tokens  int     `json:"tokens,omitempty" doc:"Estimated tokens of context."`
}

// ContextRequest asks for one block of memory for a prompt.
type ContextRequest struct {
	Query string `json:"query,omitempty" doc:"What the prompt is about; query or topic is needed." rule:"max=2000"`
	Topic string `json:"topic,omitempty" doc:"Another name for query." rule:"max=2000"`
	Selection
	TokenBudget       int       `json:"tokenBudget" doc:"The block has at most this many tokens." rule:"required,range=16..100000"`
	AsOf              time.Time `json:"asOf,omitzero" doc:"Only what was true at this time."`
	KnownAt           time.Time `json:"knownAt,omitzero" doc:"Only what Loci knew at this time."`
	IncludeSuperseded bool      `json:"includeSuperseded,omitempty" doc:"Also what has been replaced or is no longer valid."`
}

// Check holds the request against its rules.
func (r *ContextRequest) Check() error {
	wrong := r.Selection.check()
	if r.Query == "" && r.Topic == "" {
		wrong = append(wrong, &FieldError{"query", "is required (or topic)"})
	}
	return Check(r, wrong...)
}

// ContextResult answers a context request.
type ContextResult struct {
	Outcome `json:"-"`
	Context string `json:"context"`
	Items   []Hit  `json:"items"`
	Tokens  int    `json:"tokens"`
}

// ListRequest asks for memories, newest first.
type ListRequest struct {
	Selection
	AsOf              time.Time `json:"asOf,omitzero" doc:"Only what was true at this time."`
	KnownAt           time.Time `json:"knownAt,omitzero" doc:"Only what Loci knew at this time."`
	IncludeSuperseded *bool     `json:"includeSuperseded,omitempty" doc:"false hides what has been replaced or is no longer valid; true if not given."`
	Limit             int       `json:"limit,omitempty" doc:"At most this many; 20 if not given." rule:"range=1..100"`
	Cursor            string    `json:"cursor,omitempty" doc:"From the answer before." rule:"max=500"`
}

// Check holds the request against its rules.
func (r *ListRequest) Check() error { return Check(r, r.Selection.check()...) }

// Page is one page of memories.
type Page struct {
	Memories []Memory `json:"memories"`
	Count    int      `json:"count" doc:"How many are on this page."`
	Cursor   string   `json:"cursor,omitempty"`
}

// TimelineRequest asks for memories by the time they speak of.
type TimelineRequest struct {
	From    time.Time `json:"from,omitzero" doc:"From this time on."`
	To      time.Time `json:"to,omitzero" doc:"Before this time."`
	Project string    `json:"project,omitempty" doc:"Only this project." rule:"max=200"`
	Limit   int       `json:"limit,omitempty" doc:"At most this many; 20 if not given." rule:"range=1..100"`
	Cursor  string    `json:"cursor,omitempty" doc:"From the answer before." rule:"max=500"`
}

// Check holds the request against its rules.
func (r *TimelineRequest) Check() error {
	if !r.From.IsZero() && !r.To.IsZero() && !r.To.After(r.From) {
		return Check(r, &FieldError{"to", "must be later than from"})
	}
	return Check(r)
}
