package memory

import "context"

// Service is Loci as the edge sees it: everything a caller may ask, in the
// small pieces that each handler needs. Requests have been checked; what a
// request points to stays the service's own after the call.
type Service interface {
	Writer
	Editor
	Finder
	Browser
	Explorer
}

// Writer adds to a tenant's memory. It returns when the write is on disk and
// visible to every later search.
type Writer interface {
	Learn(ctx context.Context, who Caller, what *LearnRequest) (*LearnResult, error)
	LearnBatch(ctx context.Context, who Caller, what *BatchRequest) (*BatchResult, error)
	Decide(ctx context.Context, who Caller, what *DecideRequest) (*DecideResult, error)
	Entity(ctx context.Context, who Caller, what *EntityRequest) (*EntityResult, error)
}

// Editor changes and erases.
type Editor interface {
	Patch(ctx context.Context, who Caller, id ID, when Match, what *PatchRequest) (*Memory, error)
	Delete(ctx context.Context, who Caller, id ID, when Match) error
	Forget(ctx context.Context, who Caller, what *ForgetRequest) (*ForgetResult, error)
}

// Finder answers questions.
type Finder interface {
	Search(ctx context.Context, who Caller, what *SearchRequest) (*SearchResult, error)
	Context(ctx context.Context, who Caller, what *ContextRequest) (*ContextResult, error)
}

// Browser reads by id and by list.
type Browser interface {
	Get(ctx context.Context, who Caller, id ID) (*Memory, error)
	History(ctx context.Context, who Caller, id ID) (*History, error)
	List(ctx context.Context, who Caller, what *ListRequest) (*Page, error)
	Timeline(ctx context.Context, who Caller, what *TimelineRequest) (*Page, error)
}

// Explorer reads the graph.
type Explorer interface {
	Entities(ctx context.Context, who Caller, what *EntityQuery) (*EntityPage, error)
	Look(ctx context.Context, who Caller, id ID, what *LookQuery) (*EntityView, error)
	Graph(ctx context.Context, who Caller, what *GraphQuery) (*Drawing, error)
}

// Authenticator turns a credential into the caller it stands for. Anything
// that is not a live credential is an [Unauthenticated] error.
type Authenticator interface {
	Authenticate(ctx context.Context, credential string) (Caller, error)
}

// Embedder turns texts into vectors of unit length. Equal text gives equal
// vectors. It may be called from many goroutines.
type Embedder interface {
	// ID names the model and its version; vectors of different ids never mix.
	ID() string
	Dim() int
	Embed(ctx context.Context, texts []string, kind EmbedKind) ([][]float32, error)
}

// EmbedKind says what a text is, for models that treat questions apart.
type EmbedKind int

// The kinds.
const (
	EmbedDocument EmbedKind = iota
	EmbedQuery
)
