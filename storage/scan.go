package storage

import (
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"loci/engine/memory"
)

// Records shows every version of every record, by id and then version. The
// body is valid only during the call. An error from yield ends the walk and is
// returned as it is.
func (s *Snapshot) Records(yield func(id memory.ID, version uint32, body []byte) error) error {
	var scratch []byte
	return s.scan(s.kindSpan(kindRecord), func(k tenantKey, value []byte) error {
		body, err := unpack(scratch[:0], value)
		if err != nil {
			return fmt.Errorf("read record %s version %d: %w", k.id, k.version, err)
		}
		scratch = body
		return yield(k.id, k.version, body)
	})
}

// Vectors shows every vector of one generation, by id and then version. The
// vector is valid only during the call. An error from yield ends the walk and
// is returned as it is.
func (s *Snapshot) Vectors(generation uint16, yield func(id memory.ID, version uint32, vector []byte) error) error {
	span := s.part.key(nil, tenantKey{kind: kindVector, generation: generation})
	span = span[:tenantPrefixLen+1+2]
	return s.scan(span, func(k tenantKey, value []byte) error { return yield(k.id, k.version, value) })
}

// kindSpan is the part that all keys of one kind share.
func (s *Snapshot) kindSpan(kind byte) []byte {
	return s.part.key(nil, tenantKey{kind: kind})[:tenantPrefixLen+1]
}

// errStop ends a walk from inside without being an error.
var errStop = errors.New("stop")

// direction is how an iterator is moved.
type direction struct{ first, next func(*pebble.Iterator) bool }

var (
	forward  = direction{(*pebble.Iterator).First, (*pebble.Iterator).Next}
	backward = direction{(*pebble.Iterator).Last, (*pebble.Iterator).Prev}
)

// scan shows all keys that start with span, in order; visit may end it with
// errStop.
func (s *Snapshot) scan(span []byte, visit func(tenantKey, []byte) error) error {
	return s.iterate(span, forward, visit)
}

// iterate walks the keys under span, which starts with the partition's prefix,
// so the bounds lie inside the partition (I1).
func (s *Snapshot) iterate(span []byte, d direction, visit func(tenantKey, []byte) error) error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	it, err := s.at.NewIter(&pebble.IterOptions{LowerBound: span, UpperBound: prefixEnd(span)})
	if err != nil {
		return err
	}
	err = walk(it, d, visit)
	if closeErr := it.Close(); err == nil {
		err = closeErr
	}
	return err
}

func walk(it *pebble.Iterator, d direction, visit func(tenantKey, []byte) error) error {
	for ok := d.first(it); ok; ok = d.next(it) {
		k, err := parseKey(it.Key()[tenantPrefixLen:])
		if err != nil {
			return err
		}
		value, err := it.ValueAndErr()
		if err != nil {
			return err
		}
		if err := visit(k, value); err == errStop {
			return nil
		} else if err != nil {
			return err
		}
	}
	return it.Error()
}
