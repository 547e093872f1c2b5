package storage

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Store is the one Pebble of a node, shared by all its tenants.
type Store struct {
	db      *pebble.DB
	options Options
	guard   *guardFS
	health  *health
	gate    gate
	control *Control
	copying sync.Mutex // one checkpoint at a time

	once     sync.Once // of Close
	closeErr error
}

// Open opens the store in dir, or makes one. Exactly one process may have it
// open; a store of a newer format is refused.
func Open(dir string, o Options) (*Store, error) {
	if err := o.fill(); err != nil {
		return nil, fmt.Errorf("open store %s: %w", dir, err)
	}
	health := &health{events: o.Events}
	s := &Store{options: o, health: health, guard: newGuardFS(o.FS, dir, health)}
	if err := s.open(dir); err != nil {
		return nil, fmt.Errorf("open store %s: %w", dir, err)
	}
	return s, nil
}

func (s *Store) open(dir string) error {
	db, err := openPebble(dir, s.options, s.guard, s.health)
	if err != nil {
		return err
	}
	s.db = db
	if err := s.ready(); err != nil {
		s.guard.release()
		return errors.Join(err, s.db.Close())
	}
	return nil
}

// ready brings the store from "Pebble is open" to "the store is ours and
// known".
func (s *Store) ready() error {
	if err := s.Err(); err != nil {
		return err
	}
	if err := s.checkHeader(); err != nil {
		return err
	}
	control, err := loadControl(s)
	if err != nil {
		return err
	}
	s.control = control
	return nil
}

// openPebble turns a panic into an error: Pebble panics on some I/O errors
// that a caller can well be told about.
func openPebble(dir string, o Options, fs vfs.FS, h *health) (db *pebble.DB, err error) {
	defer func() {
		if r := recover(); r != nil {
			db, err = nil, fmt.Errorf("pebble: %v", r)
		}
	}()
	cache := pebble.NewCache(o.CacheBytes)
	defer cache.Unref()
	return pebble.Open(dir, pebbleOptions(o, cache, fs, h))
}

type header struct {
	Format int `json:"format"`
}

// checkHeader reads the node header, or writes it into a store without one.
func (s *Store) checkHeader() error {
	value, err := get(s.db, headerKey)
	if errors.Is(err, ErrNotFound) {
		return s.writeHeader()
	}
	if err != nil {
		return fmt.Errorf("read node header: %w", err)
	}
	var h header
	if err := json.Unmarshal(value, &h); err != nil || h.Format < 1 {
		return fmt.Errorf("read node header %q: %w", value, ErrCorrupt)
	}
	if h.Format > FormatVersion {
		return fmt.Errorf("the store has format %d, this program knows up to %d: use a newer program", h.Format, FormatVersion)
	}
	return nil
}

// writeHeader marks a new store as ours. A store that has keys but no header
// was written by something else.
func (s *Store) writeHeader() error {
	empty, err := s.isEmpty()
	if err != nil {
		return err
	}
	if !empty {
		return fmt.Errorf("the store has keys but no header: %w", ErrCorrupt)
	}
	value, err := json.Marshal(header{Format: FormatVersion})
	if err != nil {
		return err
	}
	return s.write("node header", func(b *pebble.Batch) error { return b.Set(headerKey, value, nil) })
}

func (s *Store) isEmpty() (bool, error) {
	it, err := s.db.NewIter(nil)
	if err != nil {
		return false, err
	}
	empty := !it.First()
	return empty, errors.Join(it.Error(), it.Close())
}

// Control is the partition of tenants and keys.
func (s *Store) Control() *Control { return s.control }

// Err is nil, or why the store refuses writes: [ErrBroken] for good,
// [ErrFlushing] for now.
func (s *Store) Err() error { return s.health.refusal() }

// Close writes what is only noted in memory, waits for work under way, and
// closes Pebble. Open snapshots are closed with it. It may be called twice.
func (s *Store) Close() error {
	s.once.Do(func() { s.closeErr = s.close() })
	return s.closeErr
}

func (s *Store) close() error {
	err := s.control.stop()
	s.gate.close()
	s.guard.release()
	if s.health.poisoned() {
		// A panic left locks of Pebble's behind; its Close would wait for them.
		return s.Err()
	}
	err = errors.Join(err, s.db.Close())
	if broken := s.health.broken(); broken != nil {
		return broken
	}
	if err != nil {
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}
