package embed

import (
	"fmt"
	"runtime/debug"
	"time"

	"loci/engine/memory"
)

// turnOfDocuments is how many passes queries may have in a row while documents
// wait (P2).
const turnOfDocuments = 8

// pass is what a worker gives the model in one call. It is scratch of the
// worker.
type pass struct {
	items   []item
	texts   []string
	vectors [][]float32
	tokens  int
	took    time.Duration
}

// item is one text of a pass.
type item struct {
	of  *request
	err error
}

func (s *pass) fits(tokens, room int) bool {
	return len(s.items) == 0 || s.tokens+tokens <= room
}

func (s *pass) add(r *request, at, tokens int) {
	s.items = append(s.items, item{of: r})
	s.texts = append(s.texts, r.texts[at])
	s.vectors = append(s.vectors, r.vectors[at])
	s.tokens += tokens
}

// reset forgets the texts too, so that an idle worker holds on to nothing.
func (s *pass) reset() {
	clear(s.items)
	clear(s.texts)
	clear(s.vectors)
	s.items, s.texts, s.vectors = s.items[:0], s.texts[:0], s.vectors[:0]
	s.tokens, s.took = 0, 0
}

// work is the life of a worker.
func (p *Pool) work() {
	var s pass
	for p.next(&s) {
		p.run(&s)
	}
}

// next settles the pass that was run and waits for another. It is false when
// the pool is closed and nothing is left.
func (p *Pool) next(s *pass) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settle(s)
	for !p.take(s) {
		if p.closed.Load() {
			return false
		}
		p.mu.work.Wait()
	}
	if p.waiting() {
		p.mu.work.Signal() // one signal wakes one worker: it wakes the next
	}
	return true
}

// take fills a pass with what comes next (P1, P2).
func (p *Pool) take(s *pass) bool {
	s.reset()
	queries, documents := &p.mu.lanes[memory.EmbedQuery], &p.mu.lanes[memory.EmbedDocument]
	if documents.ring.Len() == 0 {
		p.mu.streak = 0
	}
	if p.mu.streak < turnOfDocuments {
		queries.fill(s, p.options.PassTokens)
	}
	if len(s.items) > 0 {
		p.mu.streak++
		return true
	}
	documents.fill(s, p.options.PassTokens)
	p.mu.streak = 0
	if len(s.items) == 0 {
		queries.fill(s, p.options.PassTokens) // the documents whose turn it was are gone
	}
	return len(s.items) > 0
}

func (p *Pool) waiting() bool {
	return p.mu.lanes[memory.EmbedQuery].ring.Len()+p.mu.lanes[memory.EmbedDocument].ring.Len() > 0
}

// run computes a pass. If the model fails on several texts, each is tried
// alone, so that only the guilty one fails (P6).
func (p *Pool) run(s *pass) {
	start := time.Now()
	err := p.call(s.texts, s.vectors)
	switch {
	case err != nil && len(s.items) == 1:
		s.items[0].err = err
	case err != nil:
		for i := range s.items {
			s.items[i].err = p.call(s.texts[i:i+1], s.vectors[i:i+1])
		}
	}
	s.took = time.Since(start)
}

func (p *Pool) call(texts []string, vectors [][]float32) (err error) {
	defer p.recovered(&err)
	p.counts.passes.Add(1)
	return p.model.EmbedBatch(texts, vectors)
}

// settle tells the callers what became of their texts.
func (p *Pool) settle(s *pass) {
	if len(s.items) == 0 {
		return
	}
	p.mu.pace.note(s.tokens, s.took)
	p.counts.texts.Add(int64(len(s.items)))
	p.counts.tokens.Add(int64(s.tokens))
	p.counts.busy.Add(int64(s.took))
	for i := range s.items {
		p.settleOne(s.items[i].of, s.items[i].err)
	}
}

func (p *Pool) settleOne(r *request, err error) {
	r.left--
	switch {
	case err != nil:
		p.counts.failed.Add(1)
		p.mu.lanes[r.kind].remove(r)
		r.end(err)
	case r.left == 0:
		r.end(nil)
	}
}

// PanicError is what a panic of the model becomes (P6).
type PanicError struct {
	Model string
	Value any
	Stack []byte // for the log
}

func (e *PanicError) Error() string { return fmt.Sprintf("model %s panicked: %v", e.Model, e.Value) }

// recovered turns a panic of the model into an error; it is deferred.
func (p *Pool) recovered(err *error) {
	if value := recover(); value != nil {
		p.counts.panics.Add(1)
		*err = &PanicError{Model: p.model.ID(), Value: value, Stack: debug.Stack()}
	}
}
