package storage

import (
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"loci/engine/memory"
)

// Control is what the node knows of its tenants and their API keys. All of it
// is in memory, loaded at Open: reads take no lock, writes copy, commit, and
// then publish (I5). A copy of 100,000 keys takes some milliseconds, and
// tenants and keys are made by people.
type Control struct {
	store *Store
	now   func() time.Time

	writing sync.Mutex // held from reading the state to publishing the next
	state   atomic.Pointer[controlState]

	stopped chan struct{}
	flusher sync.WaitGroup
}

// controlState is never changed once it is published; only the last-use times
// inside its keys are, atomically.
type controlState struct {
	tenants map[memory.TenantID]Tenant
	names   map[string]memory.TenantID
	keys    map[memory.ID]*keyEntry
	byHash  map[hashHead][]*keyEntry
}

func newControlState() *controlState {
	return &controlState{
		tenants: map[memory.TenantID]Tenant{},
		names:   map[string]memory.TenantID{},
		keys:    map[memory.ID]*keyEntry{},
		byHash:  map[hashHead][]*keyEntry{},
	}
}

func (c *controlState) clone() *controlState {
	return &controlState{
		tenants: maps.Clone(c.tenants),
		names:   maps.Clone(c.names),
		keys:    maps.Clone(c.keys),
		byHash:  maps.Clone(c.byHash),
	}
}

// loadControl reads the control partition and starts the writer of last uses.
func loadControl(s *Store) (*Control, error) {
	c := &Control{store: s, now: s.options.Now, stopped: make(chan struct{})}
	state := newControlState()
	err := s.each(controlPrefix, prefixEnd(controlPrefix), func(key, value []byte) error {
		return state.load(key[len(controlPrefix):], value)
	})
	if err != nil {
		return nil, fmt.Errorf("load control partition: %w", err)
	}
	c.state.Store(state)
	c.flusher.Go(c.flushNowAndThen)
	return c, nil
}

// load takes one stored key into the state. Keys come in order: a tenant
// before keys, a key before its last use.
func (c *controlState) load(key, value []byte) error {
	kind, id, err := parseControl(key)
	if err != nil {
		return err
	}
	switch kind {
	case controlTenant:
		return c.loadTenant(memory.TenantID(id), value)
	case controlKey:
		return c.loadKey(id, value)
	}
	return c.loadLastUse(id, value)
}

// moment is now as it will be read back from disk.
func (c *Control) moment() time.Time { return c.now().UTC().Truncate(time.Microsecond) }

// change makes the next state: edit fills the batch and the copy of the
// state; only after the batch is on disk the copy becomes the state (I5).
func (c *Control) change(what string, edit func(next *controlState, b *pebble.Batch) error) error {
	next := c.state.Load().clone()
	err := c.store.write(what, func(b *pebble.Batch) error { return edit(next, b) })
	if err != nil {
		return err
	}
	c.state.Store(next)
	return nil
}

// flushNowAndThen writes last uses until the store closes.
func (c *Control) flushNowAndThen() {
	tick := time.NewTicker(c.store.options.FlushEvery)
	defer tick.Stop()
	for {
		select {
		case <-c.stopped:
			return
		case <-tick.C:
			if err := c.Flush(); err != nil {
				c.store.health.background(err)
			}
		}
	}
}

// stop ends the flusher and writes what it had still to write.
func (c *Control) stop() error {
	close(c.stopped)
	c.flusher.Wait()
	if err := c.Flush(); err != nil && !errors.Is(err, ErrBroken) {
		return err
	}
	return nil // of a broken store Close tells anyway
}

// controlKeyOf builds a key of the control partition.
func controlKeyOf(kind byte, id memory.ID) []byte {
	key := make([]byte, 0, len(controlPrefix)+1+16)
	return append(append(append(key, controlPrefix...), kind), id[:]...)
}

// parseControl takes a control key apart; key is without the prefix.
func parseControl(key []byte) (kind byte, id memory.ID, err error) {
	if len(key) != 17 || key[0] < controlTenant || key[0] > controlLastUse {
		return 0, id, fmt.Errorf("control key %x: %w", key, ErrCorrupt)
	}
	return key[0], memory.ID(key[1:]), nil
}

// checkControl proves that one key outside all tenants is a control key that
// can be read.
func checkControl(key, value []byte) error {
	if len(key) < len(controlPrefix) || string(key[:len(controlPrefix)]) != string(controlPrefix) {
		return fmt.Errorf("key %x belongs to nobody: %w", key, ErrCorrupt)
	}
	kind, id, err := parseControl(key[len(controlPrefix):])
	if err != nil {
		return err
	}
	return checkControlValue(kind, id, value)
}

// checkControlValue loads the value into a state that knows just enough.
func checkControlValue(kind byte, id memory.ID, value []byte) error {
	state := newControlState()
	switch kind {
	case controlTenant:
		return state.loadTenant(memory.TenantID(id), value)
	case controlKey:
		_, err := decodeKey(id, value)
		return err
	}
	state.keys[id] = &keyEntry{lastUse: new(atomic.Int64), written: new(atomic.Int64)}
	return state.loadLastUse(id, value)
}
