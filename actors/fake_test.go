package actors

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"loci/engine"
	"loci/engine/memory"
	"loci/storage"
)

// world is a scripted stand-in for engine and storage. Its tenants keep lists
// of words; what was appended is durable, what was published is visible. The
// hooks, where set, come before the work and may block, fail or panic.
type world struct {
	onOpen    func(ctx context.Context, t memory.TenantID) error
	onStage   func(t memory.TenantID, writes []write)
	onAppend  func(ctx context.Context, t memory.TenantID) error
	onPublish func(t memory.TenantID)
	onCheck   func(ctx context.Context, t memory.TenantID) error
	worn      atomic.Bool
	sick      atomic.Pointer[error]

	mu struct {
		sync.Mutex
		durable map[memory.TenantID][]string
		owners  map[memory.TenantID]int // actors at work on a tenant: never more than one
		pending map[*storage.Batch]*fakeChange
		views   map[*engine.View]*fakePartition
		appends int
	}
	faults atomic.Int64 // broken promises of the actor
}

func newWorld() *world {
	w := &world{}
	w.mu.durable = map[memory.TenantID][]string{}
	w.mu.owners = map[memory.TenantID]int{}
	w.mu.pending = map[*storage.Batch]*fakeChange{}
	w.mu.views = map[*engine.View]*fakePartition{}
	return w
}

// system starts actors over the world.
func (w *world) system(t testing.TB, o Options) *System {
	t.Helper()
	s, err := newSystem(ground{open: w.open, log: w, health: w.health}, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (w *world) health() error {
	if err := w.sick.Load(); err != nil {
		return *err
	}
	return nil
}

// own notes that an actor works on a tenant, until the func it returns is called.
func (w *world) own(t memory.TenantID) func() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.mu.owners[t]++; w.mu.owners[t] > 1 {
		w.faults.Add(1)
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.mu.owners[t]--
	}
}

func (w *world) stored(t memory.TenantID) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.mu.durable[t])
}

func (w *world) appends() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.mu.appends
}

func (w *world) open(ctx context.Context, t memory.TenantID) (partition, error) {
	defer w.own(t)()
	if w.onOpen != nil {
		if err := w.onOpen(ctx, t); err != nil {
			return nil, err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	p := &fakePartition{world: w, tenant: t, words: slices.Clone(w.mu.durable[t])}
	p.show()
	return p, nil
}

// Append makes the world a Log.
func (w *world) Append(ctx context.Context, b *storage.Batch) error {
	w.mu.Lock()
	c := w.mu.pending[b]
	delete(w.mu.pending, b)
	w.mu.Unlock()
	defer w.own(c.part.tenant)()
	if w.onAppend != nil {
		if err := w.onAppend(ctx, c.part.tenant); err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mu.appends++
	c.appended = true
	w.mu.durable[c.part.tenant] = append(w.mu.durable[c.part.tenant], c.words()...)
	return nil
}

// wordsOf is what a view shows.
func (w *world) wordsOf(t memory.TenantID, v *engine.View) ([]string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.mu.views[v]
	if p == nil || p.tenant != t {
		return nil, fmt.Errorf("view %p is not of tenant %s", v, t)
	}
	return p.shown[v], nil
}

type fakePartition struct {
	world  *world
	tenant memory.TenantID
	words  []string
	staged *fakeChange
	view   *engine.View
	shown  map[*engine.View][]string
}

// show makes a new view of the words; the world is locked.
func (p *fakePartition) show() {
	p.view = &engine.View{}
	if p.shown == nil {
		p.shown = map[*engine.View][]string{}
	}
	p.shown[p.view] = slices.Clip(p.words) // what is appended later lands elsewhere
	p.world.mu.views[p.view] = p
}

func (p *fakePartition) View() *engine.View { return p.view }

func (p *fakePartition) Stage(writes []write) change {
	defer p.world.own(p.tenant)()
	if p.staged != nil {
		p.world.faults.Add(1) // the last one was neither published nor thrown away
	}
	if p.world.onStage != nil {
		p.world.onStage(p.tenant, writes)
	}
	c := &fakeChange{part: p, batch: &storage.Batch{}, writes: slices.Clone(writes)}
	p.staged = c
	p.world.mu.Lock()
	defer p.world.mu.Unlock()
	p.world.mu.pending[c.batch] = c
	return c
}

func (p *fakePartition) Publish(ch change) {
	defer p.world.own(p.tenant)()
	c := ch.(*fakeChange)
	if c != p.staged || !c.appended && !c.Empty() {
		p.world.faults.Add(1)
	}
	if p.world.onPublish != nil {
		p.world.onPublish(p.tenant)
	}
	p.staged = nil
	p.world.mu.Lock()
	defer p.world.mu.Unlock()
	p.words = append(p.words, c.words()...)
	for _, w := range c.writes {
		w.(*note).result = p.tenant.String() + w.(*note).word
	}
	p.show()
}

func (p *fakePartition) Worn() bool { return p.world.worn.Load() }

func (p *fakePartition) Spent() bool { return false }

func (p *fakePartition) Check(ctx context.Context) (*engine.Report, error) {
	defer p.world.own(p.tenant)()
	if p.world.onCheck != nil {
		if err := p.world.onCheck(ctx, p.tenant); err != nil {
			return nil, err
		}
	}
	return &engine.Report{Records: len(p.words)}, nil
}

type fakeChange struct {
	part     *fakePartition
	batch    *storage.Batch
	writes   []write
	appended bool
}

func (c *fakeChange) Batch() *storage.Batch { return c.batch }
func (c *fakeChange) Empty() bool           { return len(c.words()) == 0 }

// words are those of the writes that were not refused. A word "" changes nothing.
func (c *fakeChange) words() []string {
	var words []string
	for _, w := range c.writes {
		if n := w.(*note); n.err == nil && n.word != "" {
			words = append(words, n.word)
		}
	}
	return words
}

// note is a write of one word.
type note struct {
	word   string
	err    error
	result string // the tenant and the word, after Publish
}

func (n *note) Err() error     { return n.err }
func (n *note) Fail(err error) { n.err = err }

// say writes a word, as the service's own methods do.
func say(ctx context.Context, s *System, who memory.Caller, word string) (*note, error) {
	return carry(ctx, s, who, onePlace, func(*engine.View) (*note, error) { return &note{word: word}, nil })
}

// hear reads the words that a tenant's view shows.
func hear(ctx context.Context, s *System, w *world, who memory.Caller) ([]string, error) {
	return read(ctx, s, who, func(v *engine.View) ([]string, error) { return w.wordsOf(who.Tenant, v) })
}

func mustSay(t testing.TB, s *System, who memory.Caller, words ...string) {
	t.Helper()
	for _, word := range words {
		n, err := say(context.Background(), s, who, word)
		if err != nil {
			t.Fatalf("say %q: %v", word, err)
		}
		if want := who.Tenant.String() + word; n.result != want {
			t.Fatalf("say %q: result %q, want %q", word, n.result, want)
		}
	}
}

func mustHear(t testing.TB, s *System, w *world, who memory.Caller) []string {
	t.Helper()
	words, err := hear(context.Background(), s, w, who)
	if err != nil {
		t.Fatalf("hear: %v", err)
	}
	return words
}

func (w *world) mustBeKept(t testing.TB) {
	t.Helper()
	if n := w.faults.Load(); n > 0 {
		t.Errorf("the actors broke %d promises: two owners, or a publish out of order", n)
	}
}
