package storage

import (
	"encoding/binary"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"loci/engine/memory"
)

// Tenants lists the tenants that have keys in the store. It seeks from range
// to range: its cost is by tenant, not by key.
func (s *Store) Tenants() ([]memory.TenantID, error) {
	if !s.gate.enter() {
		return nil, ErrClosed
	}
	defer s.gate.leave()
	it, err := s.db.NewIter(&pebble.IterOptions{UpperBound: tenantsEnd})
	if err != nil {
		return nil, fmt.Errorf("list tenants: %w", err)
	}
	list, err := hop(it)
	if closeErr := it.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, fmt.Errorf("list tenants: %w", err)
	}
	return list, nil
}

func hop(it *pebble.Iterator) ([]memory.TenantID, error) {
	var list []memory.TenantID
	for ok := it.First(); ok; {
		t, err := tenantOf(it.Key())
		if err != nil {
			return nil, err
		}
		list = append(list, t)
		prefix := prefixOf(t)
		ok = it.SeekGE(prefixEnd(prefix[:]))
	}
	return list, it.Error()
}

// tenantOf tells whose key it is, and that its slot is the tenant's.
func tenantOf(key []byte) (memory.TenantID, error) {
	if len(key) <= tenantPrefixLen {
		return memory.TenantID{}, fmt.Errorf("key %x: %w", key, ErrCorrupt)
	}
	t := memory.TenantID(key[2:tenantPrefixLen])
	if slot := binary.BigEndian.Uint16(key); slot != Slot(t) {
		return t, fmt.Errorf("key of tenant %s in slot %d, not %d: %w", t, slot, Slot(t), ErrCorrupt)
	}
	return t, nil
}
