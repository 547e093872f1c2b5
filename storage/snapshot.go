package storage

import (
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"loci/engine/memory"
)

// Snapshot is a partition as it was at one instant. Any number of goroutines
// may read it; it must be closed, and until then Pebble keeps what it shows.
// After the store is closed its methods give [ErrClosed].
type Snapshot struct {
	part *Partition
	at   *pebble.Snapshot // nil if the store was closed already
}

// Read takes a snapshot. It shows every batch whose Commit has returned, and
// may show some whose Commit has not (see the caveats of the package).
func (p *Partition) Read() *Snapshot {
	s := &Snapshot{part: p}
	if p.store.gate.enter() {
		defer p.store.gate.leave()
		s.at = p.store.db.NewSnapshot()
	}
	return s
}

// Close lets the snapshot go. It may be called twice, but not while a read of
// the same snapshot is under way.
func (s *Snapshot) Close() error {
	if s.at == nil {
		return nil
	}
	at := s.at
	s.at = nil
	if !s.part.store.gate.enter() {
		return nil // it went with the store
	}
	defer s.part.store.gate.leave()
	return at.Close()
}

// enter keeps the store open for the time of one read.
func (s *Snapshot) enter() (leave func(), err error) {
	gate := &s.part.store.gate
	if s.at == nil || !gate.enter() {
		return nil, ErrClosed
	}
	return gate.leave, nil
}

// Record gives the body of one version of a record. The caller owns it.
func (s *Snapshot) Record(id memory.ID, version uint32) ([]byte, error) {
	body, err := s.get(tenantKey{kind: kindRecord, id: id, version: version}, unpack)
	if err != nil {
		return nil, fmt.Errorf("read record %s version %d: %w", id, version, err)
	}
	return body, nil
}

// Vector gives the vector of one version of a record. The caller owns it.
func (s *Snapshot) Vector(generation uint16, id memory.ID, version uint32) ([]byte, error) {
	vector, err := s.get(tenantKey{kind: kindVector, generation: generation, id: id, version: version}, copyOf)
	if err != nil {
		return nil, fmt.Errorf("read vector %s version %d of generation %d: %w", id, version, generation, err)
	}
	return vector, nil
}

// Meta gives what PutMeta stored. The caller owns it.
func (s *Snapshot) Meta(name string) ([]byte, error) {
	if len(name) == 0 || len(name) > maxMetaName {
		return nil, fmt.Errorf("read meta %q: %w", name, ErrNotFound)
	}
	value, err := s.get(tenantKey{kind: kindMeta, name: name}, unpack)
	if err != nil {
		return nil, fmt.Errorf("read meta %q: %w", name, err)
	}
	return value, nil
}

// Answer gives the answer under the key with the latest expiry, and that
// expiry. Storage keeps no clock: it gives expired answers too.
func (s *Snapshot) Answer(key [32]byte) (answer []byte, expires time.Time, err error) {
	span := s.part.key(nil, tenantKey{kind: kindAnswer, answer: key})
	span = span[:len(span)-8] // all expiries
	found := false
	err = s.iterate(span, backward, func(k tenantKey, value []byte) (err error) {
		found, expires = true, timeOf(k.expires)
		if answer, err = unpack(nil, value); err != nil {
			return err
		}
		return errStop
	})
	if err == nil && !found {
		err = ErrNotFound
	}
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("read answer: %w", err)
	}
	return answer, expires, nil
}

// Expired is an answer whose time is over; give both to [Batch.DeleteAnswer].
type Expired struct {
	Key     [32]byte
	Expires time.Time
}

// ExpiredAnswers lists answers that expire at now or earlier, oldest first, at
// most limit of them.
func (s *Snapshot) ExpiredAnswers(now time.Time, limit int) ([]Expired, error) {
	var list []Expired
	last := now.UnixMicro()
	err := s.scan(s.kindSpan(kindSweep), func(k tenantKey, _ []byte) error {
		if len(list) >= limit || k.expires > last {
			return errStop
		}
		list = append(list, Expired{Key: k.answer, Expires: timeOf(k.expires)})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list expired answers: %w", err)
	}
	return list, nil
}
