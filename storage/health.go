package storage

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// health is whether the store takes writes, and if not, why.
type health struct {
	events  Events
	cause   atomic.Pointer[error]      // why it is broken, once and for all
	trouble atomic.Pointer[tableError] // the last failed table write
	poison  atomic.Bool                // a panic went through Pebble
	rotated atomic.Bool                // a memtable was filled since writers last looked

	mu struct {
		sync.Mutex
		turn chan struct{} // closed when waiting writers should look again
	}
}

// tableError is a table write that failed. Pebble tries again by itself, so it
// counts for a second only; while the disk stays bad there is a new one 20
// times a second (guard.go).
type tableError struct {
	err error
	at  time.Time
}

const troubleLasts = time.Second

// breakFor ends all writing for this cause; the first cause stays.
func (h *health) breakFor(cause error) {
	err := fmt.Errorf("%w: %w", ErrBroken, cause)
	if h.cause.CompareAndSwap(nil, &err) && h.events.Broken != nil {
		h.events.Broken(cause)
	}
	h.wake()
}

// poisonFor is breakFor after a panic, which may have left Pebble's locks held.
func (h *health) poisonFor(what any) {
	h.poison.Store(true)
	h.breakFor(fmt.Errorf("pebble: panic: %v", what))
}

func (h *health) poisoned() bool { return h.poison.Load() }

func (h *health) broken() error {
	if cause := h.cause.Load(); cause != nil {
		return *cause
	}
	return nil
}

// refusal is nil if a write may be tried.
func (h *health) refusal() error {
	if err := h.broken(); err != nil {
		return err
	}
	if t := h.trouble.Load(); t != nil && time.Since(t.at) < troubleLasts {
		return t.err
	}
	return nil
}

// tableFailed refuses new writes for now, and sends back those that wait for
// a flush: they would wait for as long as the disk is bad.
func (h *health) tableFailed(err error) {
	h.trouble.Store(&tableError{fmt.Errorf("%w: %w", ErrFlushing, err), time.Now()})
	h.wake()
}

// flushed lets writers look again: there may be room.
func (h *health) flushed() { h.wake() }

// turn is closed at the next change that a waiting writer should know of.
func (h *health) turn() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.mu.turn == nil {
		h.mu.turn = make(chan struct{})
	}
	return h.mu.turn
}

func (h *health) wake() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.mu.turn != nil {
		close(h.mu.turn)
		h.mu.turn = nil
	}
}

func (h *health) background(err error) {
	if h.events.Background != nil {
		h.events.Background(err)
	}
}

func (h *health) stall(reason string) {
	if h.events.StallBegin != nil {
		h.events.StallBegin(reason)
	}
}

func (h *health) unstall() {
	if h.events.StallEnd != nil {
		h.events.StallEnd()
	}
}
