package rest_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"loci/engine/memory"
)

// fake is a memory.Service in a few maps: enough to hold a conversation with,
// and to see what the edge let through.
type fake struct {
	mu    sync.Mutex
	calls []string // name of each call that reached the service
	kept  map[memory.TenantID]map[memory.ID]*memory.Memory
	order map[memory.TenantID][]memory.ID
	once  map[memory.TenantID]map[string]first
	asked []*memory.LearnRequest // as given, to see whether they stay what they were
	fail  error                  // what every call returns, if set
}

// first is the answer to the first request with an Idempotency-Key.
type first struct {
	body   [32]byte
	result *memory.LearnResult
}

var _ memory.Service = (*fake)(nil)

func newFake() *fake {
	return &fake{
		kept:  map[memory.TenantID]map[memory.ID]*memory.Memory{},
		order: map[memory.TenantID][]memory.ID{},
		once:  map[memory.TenantID]map[string]first{},
	}
}

var fakeTime = time.Date(2026, 5, 17, 12, 0, 0, 0, time.UTC)

// enter notes a call; the caller must unlock.
func (f *fake) enter(name string) error {
	f.mu.Lock()
	f.calls = append(f.calls, name)
	return f.fail
}

func (f *fake) put(tenant memory.TenantID, m *memory.Memory) {
	if f.kept[tenant] == nil {
		f.kept[tenant] = map[memory.ID]*memory.Memory{}
	}
	m.Version++
	m.UpdatedAt = fakeTime
	if m.Version == 1 {
		m.CreatedAt = fakeTime
		f.order[tenant] = append(f.order[tenant], m.ID)
	}
	f.kept[tenant][m.ID] = m
}

func (f *fake) find(tenant memory.TenantID, id memory.ID) (*memory.Memory, error) {
	if m, ok := f.kept[tenant][id]; ok {
		return m, nil
	}
	return nil, memory.Refuse(memory.NotFound, "there is no record with this id")
}

func (f *fake) all(tenant memory.TenantID) []memory.Memory {
	var all []memory.Memory
	for _, id := range slices.Backward(f.order[tenant]) {
		if m, ok := f.kept[tenant][id]; ok {
			all = append(all, *m)
		}
	}
	return all
}

func (f *fake) learn(who memory.Caller, what *memory.LearnRequest) *memory.LearnResult {
	m := &memory.Memory{ID: memory.NewID(), Type: memory.Fact, Content: what.Content, Category: what.Category, Tags: what.Tags, Project: what.Project, Metadata: what.Metadata,
		Confidence: what.Confidence, ValidFrom: what.ValidFrom, ValidTo: what.ValidTo, OccurredAt: what.OccurredAt}
	f.put(who.Tenant, m)
	return &memory.LearnResult{Action: memory.Added, ID: m.ID, Message: "added"} // lists left nil on purpose (W5)
}

func (f *fake) Learn(_ context.Context, who memory.Caller, what *memory.LearnRequest) (*memory.LearnResult, error) {
	defer f.mu.Unlock()
	if err := f.enter("learn"); err != nil {
		return nil, err
	}
	if who.Once.Key != "" {
		if earlier, ok := f.once[who.Tenant][who.Once.Key]; ok {
			return replay(earlier, who.Once)
		}
	}
	f.asked = append(f.asked, what)
	result := f.learn(who, what)
	if who.Once.Key != "" {
		if f.once[who.Tenant] == nil {
			f.once[who.Tenant] = map[string]first{}
		}
		f.once[who.Tenant][who.Once.Key] = first{who.Once.Body, result}
	}
	return result, nil
}

func replay(earlier first, once memory.Once) (*memory.LearnResult, error) {
	if earlier.body != once.Body {
		return nil, memory.Refuse(memory.Conflict, "this Idempotency-Key came with another request")
	}
	again := *earlier.result
	again.MarkReplayed()
	return &again, nil
}

func (f *fake) LearnBatch(_ context.Context, who memory.Caller, what *memory.BatchRequest) (*memory.BatchResult, error) {
	defer f.mu.Unlock()
	if err := f.enter("learnBatch"); err != nil {
		return nil, err
	}
	result := &memory.BatchResult{}
	for i := range what.Items {
		result.Results = append(result.Results, memory.BatchItem{LearnResult: f.learn(who, &what.Items[i])})
	}
	return result, nil
}

func (f *fake) Decide(_ context.Context, who memory.Caller, what *memory.DecideRequest) (*memory.DecideResult, error) {
	defer f.mu.Unlock()
	if err := f.enter("decide"); err != nil {
		return nil, err
	}
	m := &memory.Memory{ID: memory.NewID(), Type: memory.Decision, Title: what.Title, Content: what.Decision, Reasoning: what.Reasoning, Alternatives: what.Alternatives, Status: memory.StatusAccepted}
	f.put(who.Tenant, m)
	return &memory.DecideResult{ID: m.ID, Message: "kept"}, nil
}

func (f *fake) Entity(_ context.Context, who memory.Caller, what *memory.EntityRequest) (*memory.EntityResult, error) {
	defer f.mu.Unlock()
	if err := f.enter("entity"); err != nil {
		return nil, err
	}
	m := &memory.Memory{ID: memory.NewID(), Type: memory.Entity, Content: what.Name, EntityType: what.EntityType, Aliases: what.Aliases}
	f.put(who.Tenant, m)
	return &memory.EntityResult{Action: memory.Created, EntityID: m.ID, ObservationsAdded: len(what.Observations), RelationsAdded: len(what.Relations), Message: "created"}, nil
}

func (f *fake) Patch(_ context.Context, who memory.Caller, id memory.ID, when memory.Match, what *memory.PatchRequest) (*memory.Memory, error) {
	defer f.mu.Unlock()
	if err := f.enter("patch"); err != nil {
		return nil, err
	}
	m, err := f.matching(who, id, when)
	if err != nil {
		return nil, err
	}
	changed := *m
	if what.Content.Given {
		changed.Content = what.Content.Value
	}
	if what.Tags.Given {
		changed.Tags = what.Tags.Value
	}
	f.put(who.Tenant, &changed)
	return &changed, nil
}

func (f *fake) matching(who memory.Caller, id memory.ID, when memory.Match) (*memory.Memory, error) {
	m, err := f.find(who.Tenant, id)
	if err != nil {
		return nil, err
	}
	if when != nil && !slices.Contains(when, m.Version) {
		return nil, memory.Refuse(memory.PreconditionFailed, fmt.Sprintf("the record has version %d", m.Version))
	}
	return m, nil
}

func (f *fake) Delete(_ context.Context, who memory.Caller, id memory.ID, when memory.Match) error {
	defer f.mu.Unlock()
	if err := f.enter("delete"); err != nil {
		return err
	}
	if _, err := f.matching(who, id, when); err != nil {
		return err
	}
	delete(f.kept[who.Tenant], id)
	return nil
}

func (f *fake) Forget(_ context.Context, who memory.Caller, what *memory.ForgetRequest) (*memory.ForgetResult, error) {
	defer f.mu.Unlock()
	if err := f.enter("forget"); err != nil {
		return nil, err
	}
	result := &memory.ForgetResult{DryRun: what.Dry(), Message: "looked"}
	for _, id := range what.IDs {
		if _, err := f.find(who.Tenant, id); err == nil {
			result.Matched = append(result.Matched, id)
			if !what.Dry() {
				delete(f.kept[who.Tenant], id)
				result.Erased++
			}
		}
	}
	result.Count = len(result.Matched)
	return result, nil
}

func (f *fake) hits(tenant memory.TenantID, query string) (hits []memory.Hit) {
	for _, m := range f.all(tenant) {
		if strings.Contains(strings.ToLower(m.Content), strings.ToLower(query)) || query == "" {
			hits = append(hits, memory.Hit{ID: m.ID, Type: m.Type, Content: m.Content, Title: m.Title, Score: 0.5, CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt, Metadata: m.Metadata})
		}
	}
	return hits
}

func (f *fake) Search(_ context.Context, who memory.Caller, what *memory.SearchRequest) (*memory.SearchResult, error) {
	defer f.mu.Unlock()
	if err := f.enter("search"); err != nil {
		return nil, err
	}
	hits := f.hits(who.Tenant, what.Query)
	return &memory.SearchResult{Results: hits, Count: len(hits), Query: what.Query}, nil
}

func (f *fake) Context(_ context.Context, who memory.Caller, what *memory.ContextRequest) (*memory.ContextResult, error) {
	defer f.mu.Unlock()
	if err := f.enter("context"); err != nil {
		return nil, err
	}
	return &memory.ContextResult{Context: "nothing", Items: f.hits(who.Tenant, what.Query+what.Topic), Tokens: 1}, nil
}

func (f *fake) Get(_ context.Context, who memory.Caller, id memory.ID) (*memory.Memory, error) {
	defer f.mu.Unlock()
	if err := f.enter("get"); err != nil {
		return nil, err
	}
	return f.find(who.Tenant, id)
}

func (f *fake) History(_ context.Context, who memory.Caller, id memory.ID) (*memory.History, error) {
	defer f.mu.Unlock()
	if err := f.enter("history"); err != nil {
		return nil, err
	}
	m, err := f.find(who.Tenant, id)
	if err != nil {
		return nil, err
	}
	return &memory.History{ID: id, Versions: []memory.Memory{*m}}, nil
}

func (f *fake) List(_ context.Context, who memory.Caller, what *memory.ListRequest) (*memory.Page, error) {
	defer f.mu.Unlock()
	if err := f.enter("list"); err != nil {
		return nil, err
	}
	all := f.all(who.Tenant)
	if what.Limit > 0 && len(all) > what.Limit {
		all = all[:what.Limit]
	}
	return &memory.Page{Memories: all, Count: len(all)}, nil
}

func (f *fake) Timeline(_ context.Context, who memory.Caller, _ *memory.TimelineRequest) (*memory.Page, error) {
	defer f.mu.Unlock()
	if err := f.enter("timeline"); err != nil {
		return nil, err
	}
	all := f.all(who.Tenant)
	return &memory.Page{Memories: all, Count: len(all)}, nil
}

func (f *fake) Entities(_ context.Context, who memory.Caller, _ *memory.EntityQuery) (*memory.EntityPage, error) {
	defer f.mu.Unlock()
	if err := f.enter("entities"); err != nil {
		return nil, err
	}
	page := &memory.EntityPage{}
	for _, m := range f.all(who.Tenant) {
		if m.Type == memory.Entity {
			page.Entities = append(page.Entities, memory.EntityStub{ID: m.ID, Name: m.Content, EntityType: m.EntityType})
		}
	}
	page.Count = len(page.Entities)
	return page, nil
}

func (f *fake) Look(_ context.Context, who memory.Caller, id memory.ID, _ *memory.LookQuery) (*memory.EntityView, error) {
	defer f.mu.Unlock()
	if err := f.enter("look"); err != nil {
		return nil, err
	}
	m, err := f.find(who.Tenant, id)
	if err != nil {
		return nil, err
	}
	return &memory.EntityView{Entity: *m, Relations: []memory.Arrow{{ID: memory.NewID(), From: m.ID, To: memory.NewID(), RelationType: "knows", Weight: 1}}}, nil
}

func (f *fake) Graph(_ context.Context, _ memory.Caller, _ *memory.GraphQuery) (*memory.Drawing, error) {
	defer f.mu.Unlock()
	if err := f.enter("graph"); err != nil {
		return nil, err
	}
	return &memory.Drawing{Nodes: []memory.EntityStub{{ID: memory.NewID(), Name: "Ada", EntityType: "person"}}}, nil
}

// callCount is how many calls reached the service.
func (f *fake) callCount() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.calls)
}
