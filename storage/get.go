package storage

import (
	"errors"

	"github.com/cockroachdb/pebble/v2"
)

// get reads one key of the partition and copies its value out by take.
func (s *Snapshot) get(k tenantKey, take func(dst, value []byte) ([]byte, error)) ([]byte, error) {
	leave, err := s.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	var room [96]byte // every key but a long meta name fits
	value, closer, err := s.at.Get(s.part.key(room[:0], k))
	if err != nil {
		return nil, notFound(err)
	}
	defer closer.Close()
	return take(nil, value)
}

func copyOf(dst, value []byte) ([]byte, error) { return append(dst, value...), nil }

// get reads one key that belongs to no tenant.
func get(r pebble.Reader, key []byte) ([]byte, error) {
	value, closer, err := r.Get(key)
	if err != nil {
		return nil, notFound(err)
	}
	defer closer.Close()
	return append([]byte(nil), value...), nil
}

func notFound(err error) error {
	if errors.Is(err, pebble.ErrNotFound) {
		return ErrNotFound
	}
	return err
}
