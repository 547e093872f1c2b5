package memory

import (
	"encoding/json"
	"time"
)

// ObservationInput is something seen of an entity; on the wire a string will do.
type ObservationInput struct {
	Content    string    `json:"content" doc:"What was seen." rule:"required,text,max=10000"`
	Source     string    `json:"source,omitempty" doc:"How it came to be known." rule:"enum=session|user|research|import|automated"`
	ValidFrom  time.Time `json:"validFrom,omitzero"`
	ValidTo    time.Time `json:"validTo,omitzero"`
	Confidence *float64  `json:"confidence,omitempty" rule:"range=0..1"`
}

// FromString takes the short form.
func (o *ObservationInput) FromString(s string) { o.Content = s }

// RelationInput is an arrow from the entity to another.
type RelationInput struct {
	To           string    `json:"to" doc:"Name or id of the other entity; an unknown name is made." rule:"required,text,max=200"`
	RelationType string    `json:"relationType" doc:"What ties them: works_at, prefers, part_of." rule:"required,text,max=100"`
	Evidence     string    `json:"evidence,omitempty" doc:"The text that says so." rule:"max=10000"`
	Weight       *float64  `json:"weight,omitempty" doc:"Strength; 1 if not given." rule:"range=0..1"`
	ValidFrom    time.Time `json:"validFrom,omitzero"`
	ValidTo      time.Time `json:"validTo,omitzero"`
}

// EntityRequest is a named thing with what is known of it. A name that is
// known already is extended, never doubled.
type EntityRequest struct {
	Name         string             `json:"name" doc:"Its name." rule:"required,text,max=200"`
	EntityType   string             `json:"entityType" doc:"person, company, place, project, or any other word." rule:"required,text,max=100"`
	Observations []ObservationInput `json:"observations,omitempty" doc:"What was seen of it: texts or objects." rule:"max=200"`
	Aliases      []string           `json:"aliases,omitempty" doc:"Its other names." rule:"max=50,each=200,eachtext"`
	Relations    []RelationInput    `json:"relations,omitempty" doc:"Arrows to other entities." rule:"max=200"`
	Project      string             `json:"project,omitempty" doc:"The project it belongs to." rule:"max=200"`
	Metadata     json.RawMessage    `json:"metadata,omitempty" doc:"The caller's own fields, for filters." rule:"object,bytes=16384"`
}

// Check holds the request against its rules.
func (r *EntityRequest) Check() error {
	var extra []*FieldError
	for i, o := range r.Observations {
		extra = append(extra, validity(o.ValidFrom, o.ValidTo).at("observations", i))
	}
	for i, rel := range r.Relations {
		extra = append(extra, validity(rel.ValidFrom, rel.ValidTo).at("relations", i))
	}
	return Check(r, extra...)
}

// EntityResult answers an entity write.
type EntityResult struct {
	Outcome           `json:"-"`
	Action            Action `json:"action" doc:"created or updated."`
	EntityID          ID     `json:"entityId"`
	ObservationsAdded int    `json:"observationsAdded"`
	RelationsAdded    int    `json:"relationsAdded"`
	Message           string `json:"message"`
}

// EntityView is an entity with what is known of it.
type EntityView struct {
	Entity       Memory       `json:"entity"`
	Observations []Memory     `json:"observations"`
	Relations    []Arrow      `json:"relations"`
	Neighbours   []EntityStub `json:"neighbours" doc:"Entities reached within depth."`
}

// Arrow is a relation as seen from an entity.
type Arrow struct {
	ID           ID        `json:"id"`
	From         ID        `json:"from"`
	FromName     string    `json:"fromName"`
	To           ID        `json:"to"`
	ToName       string    `json:"toName"`
	RelationType string    `json:"relationType"`
	Evidence     string    `json:"evidence,omitempty"`
	Weight       float64   `json:"weight"`
	ValidFrom    time.Time `json:"validFrom,omitzero"`
	ValidTo      time.Time `json:"validTo,omitzero"`
}

// EntityStub names an entity in a list or a drawing.
type EntityStub struct {
	ID         ID     `json:"id"`
	Name       string `json:"name"`
	EntityType string `json:"entityType"`
	Mentions   int    `json:"mentions" doc:"Memories that are linked to it."`
}

// EntityPage is one page of entities.
type EntityPage struct {
	Entities []EntityStub `json:"entities"`
	Count    int          `json:"count"`
	Cursor   string       `json:"cursor,omitempty"`
}

// EntityQuery asks for entities.
type EntityQuery struct {
	Name       string    `json:"name,omitempty" doc:"Only this name or alias." rule:"max=200"`
	EntityType string    `json:"entityType,omitempty" doc:"Only this kind." rule:"max=100"`
	Project    string    `json:"project,omitempty" doc:"Only this project." rule:"max=200"`
	AsOf       time.Time `json:"asOf,omitzero" doc:"What was true then."`
	Limit      int       `json:"limit,omitempty" doc:"At most this many; 20 if not given." rule:"range=1..100"`
	Cursor     string    `json:"cursor,omitempty" doc:"From the answer before." rule:"max=500"`
}

// LookQuery asks for one entity.
type LookQuery struct {
	AsOf  time.Time `json:"asOf,omitzero" doc:"What was true then."`
	Depth int       `json:"depth,omitempty" doc:"How many arrows to follow for neighbours; 1 if not given." rule:"range=1..3"`
}

// GraphQuery asks for a drawing around an entity.
type GraphQuery struct {
	Entity string    `json:"entity" doc:"Name or id to start from." rule:"required,text,max=200"`
	Depth  int       `json:"depth,omitempty" doc:"How many arrows to follow; 1 if not given." rule:"range=1..3"`
	Limit  int       `json:"limit,omitempty" doc:"At most this many nodes; 100 if not given." rule:"range=1..1000"`
	AsOf   time.Time `json:"asOf,omitzero" doc:"What was true then."`
}

// Drawing is nodes and edges.
type Drawing struct {
	Nodes []EntityStub `json:"nodes"`
	Edges []Arrow      `json:"edges"`
}
