package memory

import (
	"encoding/json"
	"time"
)

// Type is the kind of a record.
type Type string

// The kinds. Relations are records too, but they are not searched as text:
// they are the arrows the graph arm walks.
const (
	Fact        Type = "fact"
	Decision    Type = "decision"
	Entity      Type = "entity"
	Observation Type = "observation"
	Message     Type = "message"
	Relation    Type = "relation"
)

// Searchable reports whether a search may return records of this kind.
func (t Type) Searchable() bool { return t != Relation }

// Memory is one record as it stands in one version. What a kind does not use
// is zero.
type Memory struct {
	ID      ID     `json:"id"`
	Type    Type   `json:"type" doc:"fact, decision, entity, observation, message or relation."`
	Version uint32 `json:"version" doc:"Counts from 1; every change makes a new one."`

	Content string `json:"content" doc:"The text; of a decision what was decided, of an entity its name."`
	Title   string `json:"title,omitempty" doc:"Of a decision."`

	Category   string          `json:"category,omitempty"`
	Tags       []string        `json:"tags,omitempty"`
	Project    string          `json:"project,omitempty"`
	AgentID    string          `json:"agentId,omitempty"`
	SessionID  string          `json:"sessionId,omitempty"`
	Source     string          `json:"source,omitempty"`
	MemoryType string          `json:"memoryType,omitempty"`
	Confidence *float64        `json:"confidence,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty" doc:"The caller's own fields." rule:"object"`

	OccurredAt time.Time `json:"occurredAt,omitzero" doc:"When it happened."`
	ValidFrom  time.Time `json:"validFrom,omitzero" doc:"Start of the time in which it is true."`
	ValidTo    time.Time `json:"validTo,omitzero" doc:"End of the time in which it is true, exclusive."`
	CreatedAt  time.Time `json:"createdAt" doc:"When Loci first stored it."`
	UpdatedAt  time.Time `json:"updatedAt" doc:"When this version was stored."`

	Supersedes   ID `json:"supersedes,omitzero" doc:"The memory that this one replaces."`
	SupersededBy ID `json:"supersededBy,omitzero" doc:"The memory that replaced this one."`

	Entities []Link `json:"entities,omitempty" doc:"Entities this memory speaks of."`

	Reasoning    string       `json:"reasoning,omitempty" doc:"Of a decision."`
	Alternatives Alternatives `json:"alternatives,omitempty" doc:"Of a decision: what else was considered."`
	Status       string       `json:"status,omitempty" doc:"Of a decision."`

	EntityType string   `json:"entityType,omitempty" doc:"Of an entity."`
	Aliases    []string `json:"aliases,omitempty" doc:"Of an entity: its other names."`
	EntityID   ID       `json:"entityId,omitzero" doc:"Of an observation: the entity it is about."`

	From         ID      `json:"from,omitzero" doc:"Of a relation: the entity it starts from."`
	To           ID      `json:"to,omitzero" doc:"Of a relation: the entity it points to."`
	RelationType string  `json:"relationType,omitempty" doc:"Of a relation."`
	Weight       float64 `json:"weight,omitempty" doc:"Of a relation, above 0 and at most 1."`
}

// Link ties a memory to an entity.
type Link struct {
	EntityID ID     `json:"entityId"`
	Name     string `json:"name"`
}

// EventTime is when the thing happened, as far as anybody said: occurredAt,
// else validFrom, else the time it was stored.
func (m *Memory) EventTime() time.Time {
	switch {
	case !m.OccurredAt.IsZero():
		return m.OccurredAt
	case !m.ValidFrom.IsZero():
		return m.ValidFrom
	}
	return m.CreatedAt
}

// Allowed values, in one place for the rules below and for OpenAPI.
const (
	SourceUser         = "user"
	MemoryTypeSemantic = "semantic"
	MemoryTypeEpisodic = "episodic"
	StatusAccepted     = "accepted"
	StatusSuperseded   = "superseded"
	CategoryInsight    = "insight"
)
