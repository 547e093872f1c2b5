package memory

import "encoding/json"

// Alternatives is a list of texts; on the wire one string will do.
type Alternatives []string

// FromString takes the short form.
func (a *Alternatives) FromString(s string) { *a = Alternatives{s} }

// DecideRequest is a decision to keep, with its reasons.
type DecideRequest struct {
	Title        string          `json:"title" doc:"What the decision is about." rule:"required,text,max=300"`
	Decision     string          `json:"decision" doc:"What was decided." rule:"required,text,max=10000"`
	Reasoning    string          `json:"reasoning" doc:"Why." rule:"required,text,max=10000"`
	Alternatives Alternatives    `json:"alternatives,omitempty" doc:"What else was considered: one text or a list." rule:"max=50,each=2000"`
	Status       string          `json:"status,omitempty" doc:"accepted if not given." rule:"enum=proposed|accepted|superseded|rejected"`
	Supersedes   ID              `json:"supersedes,omitzero" doc:"Id of the decision that this one replaces."`
	Project      string          `json:"project,omitempty" doc:"The project it belongs to." rule:"max=200"`
	AgentID      string          `json:"agentId,omitempty" doc:"The agent that decided." rule:"max=200"`
	Tags         []string        `json:"tags,omitempty" doc:"Labels to filter by." rule:"max=50,each=100"`
	Confidence   *float64        `json:"confidence,omitempty" doc:"How sure the caller is." rule:"range=0..1"`
	Metadata     json.RawMessage `json:"metadata,omitempty" doc:"The caller's own fields, for filters." rule:"object,bytes=16384"`
}

// Check holds the request against its rules.
func (r *DecideRequest) Check() error { return Check(r) }

// DecideResult answers a decide.
type DecideResult struct {
	Outcome `json:"-"`
	ID      ID        `json:"id"`
	Message string    `json:"message"`
	Links   []Link    `json:"links" doc:"Entities it was linked to."`
	Related []Related `json:"related" doc:"Earlier decisions that it resembles."`
}

// Related is a record worth a look.
type Related struct {
	ID    ID      `json:"id"`
	Type  Type    `json:"type"`
	Title string  `json:"title,omitempty"`
	Score float64 `json:"score"`
}
