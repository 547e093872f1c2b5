package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"loci/engine/memory"
	"loci/httpedge"
	"loci/httpedge/wire"
)

func learnRoutes(service memory.Writer) []httpedge.Route {
	return []httpedge.Route{{
		Method: "POST", Path: "/api/learn", Scope: memory.ScopeWrite,
		Handle: fromBody(service.Learn),
		Doc: httpedge.Doc{
			ID: "learn", Group: "Write", Summary: "Remember a fact",
			Text: "Stores one fact. What is known already is recognised: action says whether it was added, updated or skipped.",
			Body: memory.LearnRequest{}, Result: memory.LearnResult{}, Once: true,
			Example: `{"content":"Ada prefers tea to coffee.","category":"preference","tags":["drinks"],"project":"kitchen","entities":["Ada"],"confidence":0.9,"validFrom":"2026-01-31","metadata":{"rank":3}}`,
		},
	}, {
		Method: "POST", Path: "/api/learn/batch", Scope: memory.ScopeWrite,
		Handle: learnBatch(service),
		Doc: httpedge.Doc{
			ID: "learnBatch", Group: "Write", Summary: "Remember many facts",
			Text: "Stores many facts in one commit. results has an outcome for each item, in order: a result, or the error for which it was refused; the others are stored all the same.",
			Body: memory.BatchRequest{}, Result: memory.BatchResult{}, Once: true,
			Example: `{"items":[{"content":"Ada lives in London."},{"content":"Charles built the engine.","occurredAt":"1837-12-01"}]}`,
		},
	}}
}

func learnBatch(service memory.Writer) func(*httpedge.Request) error {
	return func(r *httpedge.Request) error {
		b, err := readBatch(r)
		if err != nil {
			return err
		}
		result, err := b.learn(r.Context(), r.Caller, service)
		if err != nil {
			return err
		}
		return r.OK(result)
	}
}

// batch is the items of a request, some of them refused.
type batch struct {
	items   []memory.LearnRequest
	refused []error // nil where the item is good
}

// looseBatch is a batch whose items have not been looked at yet.
type looseBatch struct {
	Items []json.RawMessage `json:"items" rule:"required,max=1000"`
}

// readBatch decodes all items at once. Only if that finds a fault, it is done
// again item by item to see which of them it was: the good case, which should
// be fast, parses once.
func readBatch(r *httpedge.Request) (*batch, error) {
	var all memory.BatchRequest
	b := &batch{}
	if err := r.Decode(&all); err == nil {
		b.items, b.refused = all.Items, make([]error, len(all.Items))
	} else if err := b.readLoose(r); err != nil {
		return nil, err
	}
	if len(b.items) == 0 {
		return nil, memory.BadField("items", "is required")
	}
	for i := range b.items {
		if b.refused[i] == nil {
			b.refused[i] = b.items[i].Check()
		}
	}
	return b, nil
}

func (b *batch) readLoose(r *httpedge.Request) error {
	var loose looseBatch
	if err := r.Decode(&loose); err != nil {
		return err
	}
	b.items, b.refused = make([]memory.LearnRequest, len(loose.Items)), make([]error, len(loose.Items))
	for i, raw := range loose.Items {
		b.refused[i] = wire.Decode(raw, &b.items[i])
	}
	return nil
}

// learn gives the good items to the service and puts its outcomes between
// those of the refused ones, in the order of the request.
func (b *batch) learn(ctx context.Context, who memory.Caller, service memory.Writer) (*memory.BatchResult, error) {
	var good memory.BatchRequest
	for i := range b.items {
		if b.refused[i] == nil {
			good.Items = append(good.Items, b.items[i])
		}
	}
	stored := &memory.BatchResult{}
	if len(good.Items) > 0 {
		var err error
		if stored, err = service.LearnBatch(ctx, who, &good); err != nil {
			return nil, err
		}
	}
	if len(stored.Results) != len(good.Items) {
		return nil, errors.New("learn batch: the service answered another number of items than it was given")
	}
	return b.merge(stored), nil
}

func (b *batch) merge(stored *memory.BatchResult) *memory.BatchResult {
	merged := &memory.BatchResult{Outcome: stored.Outcome, Results: make([]memory.BatchItem, len(b.items))}
	next := 0
	for i, err := range b.refused {
		if err != nil {
			merged.Results[i] = refusal(i, err)
			continue
		}
		merged.Results[i] = stored.Results[next]
		next++
	}
	return merged
}

// refusal is the outcome of a wrong item; its fields are named as in the whole
// request.
func refusal(i int, err error) memory.BatchItem {
	why := memory.AsError(err)
	item := &memory.ItemError{Code: why.Code, Detail: why.Detail}
	for _, f := range why.Fields {
		at := fmt.Sprintf("items[%d].%s", i, f.Field)
		if f.Field == "body" {
			at = fmt.Sprintf("items[%d]", i)
		}
		item.Errors = append(item.Errors, memory.FieldError{Field: at, Message: f.Message})
	}
	return memory.BatchItem{Error: item}
}
