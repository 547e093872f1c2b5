package actors

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"loci/engine"
	"loci/engine/memory"
	"loci/storage"
)

// System is Loci's memory service on one node: it holds the tenants' actors.
type System struct {
	ground  ground
	options Options
	kit     engine.Kit
	host    *host
	born    time.Time

	mu struct {
		sync.RWMutex
		tenants map[memory.TenantID]*tenant
		live    int       // tenants without the tombstones of dropped ones
		closing bool      // nobody new is let in
		leaving []*tenant // who was there when Close began
	}

	queued  atomic.Int64 // places taken in all mailboxes
	slots   slots        // of reads
	opening chan struct{}
	count   counters

	stores channels[struct{}]
	wakes  channels[*engine.View]
	checks channels[*engine.Report]

	// life ends when what has not begun is refused: the hard end of Close.
	life    context.Context
	end     context.CancelFunc
	sweeper sync.WaitGroup
	// updating holds the tenants that are being embedded anew.
	updating sync.Map
	evict    sync.Mutex // one at a time looks for tenants to passivate
}

var _ memory.Service = (*System)(nil)

// New makes a system over a store. The store must stay open until Close has
// returned.
func New(store *storage.Store, o Options) (*System, error) {
	switch {
	case o.Kit.Embedder == nil:
		return nil, errors.New("start actors: option Kit.Embedder is needed")
	case o.Kit.Analyzer == nil:
		return nil, errors.New("start actors: option Kit.Analyzer is needed")
	}
	return newSystem(groundOf(store, &o), o)
}

func newSystem(g ground, o Options) (*System, error) {
	if err := o.fill(); err != nil {
		return nil, fmt.Errorf("start actors: %w", err)
	}
	host, err := newHost()
	if err != nil {
		return nil, err
	}
	s := &System{
		ground: g, options: o, kit: o.Kit, host: host, born: time.Now(),
		slots: newSlots(o.Reads, o.ReadQueue), opening: make(chan struct{}, o.OpenAtOnce),
	}
	s.mu.tenants = map[memory.TenantID]*tenant{}
	s.life, s.end = context.WithCancel(context.Background())
	s.startSweeper()
	return s, nil
}

// clock is the time since the system began. It never runs backwards.
func (s *System) clock() time.Duration { return time.Since(s.born) }

// Close lets nobody new in, and waits until everything that was let in has
// been answered. When ctx ends it refuses whatever has not begun, and waits
// for the rest, which cannot be called off, for at most Options.Grace. Its
// error says that something is still running; Close may be called again to go
// on waiting. The store may be closed when it returned nil.
func (s *System) Close(ctx context.Context) error {
	leaving := s.shutDoors()
	err := drained(ctx, leaving)
	s.end()
	if err != nil {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.options.Grace)
		defer cancel()
		err = drained(last, leaving)
	}
	s.sweeper.Wait()
	stopAll(leaving)
	if err != nil {
		return fmt.Errorf("close actors: %w", err)
	}
	s.empty()
	return nil
}

func (s *System) empty() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mu.live = 0
	clear(s.mu.tenants)
}

func (s *System) shutDoors() []*tenant {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.mu.closing {
		s.mu.closing = true
		for _, t := range s.mu.tenants {
			s.mu.leaving = append(s.mu.leaving, t.behind())
			t.behind().gate.shut()
		}
	}
	return s.mu.leaving
}

// drained waits until nobody is inside any of the tenants.
func drained(ctx context.Context, tenants []*tenant) error {
	busy := 0
	for _, t := range tenants {
		if !t.drained(ctx) {
			busy++
		}
	}
	if busy > 0 {
		return fmt.Errorf("%d tenants have requests running: %w", busy, context.Cause(ctx))
	}
	return nil
}

// stopAll ends the mailboxes that are empty. One that is not still belongs to
// its actor.
func stopAll(tenants []*tenant) {
	for _, t := range tenants {
		if t.left() && t.box != nil {
			t.box.stop()
		}
	}
}
