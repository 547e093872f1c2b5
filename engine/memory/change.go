package memory

import (
	"encoding/json"
	"time"
)

// Field is a value that a PATCH may leave out, set, or clear with null.
type Field[T any] struct {
	Given bool // it was in the request
	Value T    // the new value; zero if it was null
}

// Slot marks the field as given and says where its value goes.
func (f *Field[T]) Slot() any { f.Given = true; return &f.Value }

// Clear marks the field as given with null.
func (f *Field[T]) Clear() {
	var zero T
	f.Given, f.Value = true, zero
}

// PatchRequest changes what it names and leaves the rest. null clears.
type PatchRequest struct {
	Content      Field[string]          `json:"content,omitzero" doc:"The new text." rule:"text,max=10000"`
	Title        Field[string]          `json:"title,omitzero" doc:"Of a decision." rule:"text,max=300"`
	Category     Field[string]          `json:"category,omitzero" rule:"max=100"`
	Tags         Field[[]string]        `json:"tags,omitzero" rule:"max=50,each=100"`
	Project      Field[string]          `json:"project,omitzero" rule:"max=200"`
	AgentID      Field[string]          `json:"agentId,omitzero" rule:"max=200"`
	SessionID    Field[string]          `json:"sessionId,omitzero" rule:"max=200"`
	Source       Field[string]          `json:"source,omitzero" rule:"enum=session|user|research|import|automated"`
	MemoryType   Field[string]          `json:"memoryType,omitzero" rule:"enum=semantic|episodic"`
	Confidence   Field[*float64]        `json:"confidence,omitzero" rule:"range=0..1"`
	OccurredAt   Field[time.Time]       `json:"occurredAt,omitzero"`
	ValidFrom    Field[time.Time]       `json:"validFrom,omitzero"`
	ValidTo      Field[time.Time]       `json:"validTo,omitzero"`
	Entities     Field[[]string]        `json:"entities,omitzero" doc:"Names of entities to link, instead of the present ones." rule:"max=50,each=200,eachtext"`
	Metadata     Field[json.RawMessage] `json:"metadata,omitzero" rule:"object,bytes=16384"`
	Decision     Field[string]          `json:"decision,omitzero" doc:"Of a decision: what was decided." rule:"text,max=10000"`
	Reasoning    Field[string]          `json:"reasoning,omitzero" doc:"Of a decision." rule:"text,max=10000"`
	Alternatives Field[Alternatives]    `json:"alternatives,omitzero" doc:"Of a decision." rule:"max=50,each=2000"`
	Status       Field[string]          `json:"status,omitzero" doc:"Of a decision." rule:"enum=proposed|accepted|superseded|rejected"`
	EntityType   Field[string]          `json:"entityType,omitzero" doc:"Of an entity." rule:"text,max=100"`
	Name         Field[string]          `json:"name,omitzero" doc:"Of an entity." rule:"text,max=200"`
	Aliases      Field[[]string]        `json:"aliases,omitzero" doc:"Of an entity." rule:"max=50,each=200,eachtext"`
}

// Check holds the request against its rules. Validity is checked where both
// ends are known: against the memory that is changed.
func (r *PatchRequest) Check() error { return Check(r) }

// Match is an If-Match condition: the versions that will do. Nil means any.
type Match []uint32

// ForgetFilter selects what to forget. Unlike a search it must exclude something.
type ForgetFilter struct {
	Selection
}

// ForgetRequest erases memories by id or by filter.
type ForgetRequest struct {
	IDs    []ID          `json:"ids,omitempty" doc:"Ids of memories." rule:"max=1000"`
	Filter *ForgetFilter `json:"filter,omitempty" doc:"What to forget; its own filter is over metadata."`
	DryRun *bool         `json:"dryRun,omitempty" doc:"true only says what would be erased; true if not given."`
}

// Check holds the request against its rules.
func (r *ForgetRequest) Check() error {
	var wrong []*FieldError
	switch {
	case len(r.IDs) == 0 && r.Filter == nil:
		wrong = append(wrong, &FieldError{"ids", "is required (or filter)"})
	case len(r.IDs) > 0 && r.Filter != nil:
		wrong = append(wrong, &FieldError{"filter", "cannot stand beside ids"})
	case r.Filter != nil && r.Filter.Empty():
		wrong = append(wrong, &FieldError{"filter", "must name at least one condition"})
	case r.Filter != nil:
		for _, f := range r.Filter.check() {
			wrong = append(wrong, &FieldError{"filter." + f.Field, f.Message})
		}
	}
	return Check(r, wrong...)
}

// Dry reports whether nothing is to be erased yet.
func (r *ForgetRequest) Dry() bool { return r.DryRun == nil || *r.DryRun }

// ForgetResult says what matched and what was erased.
type ForgetResult struct {
	Outcome `json:"-"`
	DryRun  bool   `json:"dryRun"`
	Matched []ID   `json:"matched" doc:"Memories that matched; the first 1,000."`
	Count   int    `json:"count" doc:"How many matched."`
	Erased  int    `json:"erased" doc:"How many are gone; 0 in a dry run."`
	Message string `json:"message"`
}

// History is every version of one memory, newest first.
type History struct {
	ID       ID       `json:"id"`
	Versions []Memory `json:"versions"`
}
