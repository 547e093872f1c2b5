package storage

import (
	"context"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"loci/engine/memory"
)

// Count is what a partition holds, by kind of key.
type Count struct {
	Records int
	Vectors int
	Answers int
	Metas   int
	// Bytes is the length of all keys and values as stored.
	Bytes int64
}

func (c *Count) add(other Count) {
	c.Records += other.Records
	c.Vectors += other.Vectors
	c.Answers += other.Answers
	c.Metas += other.Metas
	c.Bytes += other.Bytes
}

// NodeCount is what the whole store holds.
type NodeCount struct {
	Tenants int // with keys in the store
	Control int // keys of the control partition
	Count       // of all tenants
}

// Verify walks every key of the partition and proves that each can be read:
// its key parses, its kind is known, its value unpacks, and every answer has
// its sweep key and the reverse (I6).
func (s *Snapshot) Verify(ctx context.Context) (Count, error) {
	v := verifier{snapshot: s}
	err := s.scan(s.part.prefix[:], func(k tenantKey, value []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return v.visit(k, value)
	})
	if err == nil && v.sweeps != v.count.Answers {
		err = fmt.Errorf("%d answers but %d sweep keys: %w", v.count.Answers, v.sweeps, ErrCorrupt)
	}
	if err != nil {
		return v.count, fmt.Errorf("verify tenant %s: %w", s.part.tenant, err)
	}
	return v.count, nil
}

type verifier struct {
	snapshot *Snapshot
	count    Count
	sweeps   int
	scratch  []byte
}

func (v *verifier) visit(k tenantKey, value []byte) error {
	v.count.Bytes += int64(k.len() + len(value))
	switch k.kind {
	case kindRecord:
		v.count.Records++
	case kindVector:
		v.count.Vectors++
	case kindAnswer:
		v.count.Answers++
	case kindMeta:
		v.count.Metas++
	case kindSweep:
		v.sweeps++
		return v.hasAnswer(k, value)
	}
	return v.unpacks(k, value)
}

func (v *verifier) unpacks(k tenantKey, value []byte) (err error) {
	if k.kind == kindVector {
		return nil
	}
	if v.scratch, err = unpack(v.scratch[:0], value); err != nil {
		return fmt.Errorf("key of kind 0x%02x %s version %d %q: %w", k.kind, k.id, k.version, k.name, err)
	}
	return nil
}

// hasAnswer looks for the answer of a sweep key. With equal numbers of both,
// none is left over on the other side either.
func (v *verifier) hasAnswer(k tenantKey, value []byte) error {
	if len(value) != 0 {
		return fmt.Errorf("sweep key with a value of %d bytes: %w", len(value), ErrCorrupt)
	}
	k.kind = kindAnswer
	_, err := v.snapshot.get(k, copyOf)
	if errors.Is(err, ErrNotFound) {
		return fmt.Errorf("sweep key without its answer: %w", ErrCorrupt)
	}
	return err
}

// checkValue is what can be said of a value without unpacking it.
func checkValue(kind byte, value []byte) error {
	switch {
	case kind == kindVector:
		return nil
	case kind == kindSweep && len(value) == 0:
		return nil
	case kind != kindSweep && len(value) > 0 && value[0] <= flagZstd:
		return nil
	}
	return fmt.Errorf("value of kind 0x%02x with %d bytes: %w", kind, len(value), ErrCorrupt)
}

// Verify proves for the whole node that every key belongs to the node header,
// the control partition or a tenant, and that each can be read.
func (s *Store) Verify(ctx context.Context) (NodeCount, error) {
	var sum NodeCount
	tenants, err := s.Tenants()
	if err != nil {
		return sum, fmt.Errorf("verify store: %w", err)
	}
	for _, t := range tenants {
		count, err := s.verifyTenant(ctx, t)
		if err != nil {
			return sum, err
		}
		sum.Tenants++
		sum.Count.add(count)
	}
	sum.Control, err = s.verifyRest(ctx)
	return sum, err
}

func (s *Store) verifyTenant(ctx context.Context, t memory.TenantID) (Count, error) {
	at := s.Partition(t).Read()
	defer at.Close()
	return at.Verify(ctx)
}

// verifyRest reads the keys that belong to no tenant. Tenants has looked at
// the first key of every tenant range and refused what is no range.
func (s *Store) verifyRest(ctx context.Context) (control int, err error) {
	err = s.each(tenantsEnd, nil, func(key, value []byte) error {
		if string(key) == string(headerKey) {
			return ctx.Err()
		}
		control++
		return errors.Join(ctx.Err(), checkControl(key, value))
	})
	if err != nil {
		return control, fmt.Errorf("verify store: %w", err)
	}
	return control, nil
}

// each shows the keys from low up to high.
func (s *Store) each(low, high []byte, visit func(key, value []byte) error) error {
	if !s.gate.enter() {
		return ErrClosed
	}
	defer s.gate.leave()
	it, err := s.db.NewIter(&pebble.IterOptions{LowerBound: low, UpperBound: high})
	if err != nil {
		return err
	}
	for ok := it.First(); ok && err == nil; ok = it.Next() {
		err = visit(it.Key(), it.Value())
	}
	return errors.Join(err, it.Close())
}
