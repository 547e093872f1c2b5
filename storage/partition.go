package storage

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/batchrepr"

	"loci/engine/memory"
)

// Partition is one tenant's share of the store. It holds no state but the
// prefix of its keys, so any number of them may exist for one tenant.
type Partition struct {
	store  *Store
	tenant memory.TenantID
	prefix tenantPrefix
	end    []byte
}

// Partition gives the tenant's share. It does no I/O, and does not ask
// whether the tenant is known.
func (s *Store) Partition(t memory.TenantID) *Partition {
	p := &Partition{store: s, tenant: t, prefix: prefixOf(t)}
	p.end = prefixEnd(p.prefix[:])
	return p
}

// Tenant is whose share this is.
func (p *Partition) Tenant() memory.TenantID { return p.tenant }

// key appends the tenant's key to dst (I1).
func (p *Partition) key(dst []byte, k tenantKey) []byte {
	n := len(dst)
	dst = append(dst, make([]byte, k.len())...)
	k.write(dst[n:], &p.prefix)
	return dst
}

// NewBatch starts an empty batch of writes to this partition.
func (p *Partition) NewBatch() *Batch {
	return &Batch{part: p, writes: p.store.db.NewBatch()}
}

// BatchFrom makes a batch from what Repr gave, on this node or another. It
// refuses bytes that are no batch, operations that no Batch makes, and any key
// outside this partition (I3). It keeps no part of repr.
func (p *Partition) BatchFrom(repr []byte) (*Batch, error) {
	if err := p.checkRepr(repr); err != nil {
		return nil, fmt.Errorf("read batch for tenant %s: %w", p.tenant, err)
	}
	b := p.NewBatch()
	if err := b.writes.SetRepr(append([]byte(nil), repr...)); err != nil {
		b.Close()
		return nil, fmt.Errorf("read batch for tenant %s: %w", p.tenant, err)
	}
	return b, nil
}

func (p *Partition) checkRepr(repr []byte) error {
	header, ok := batchrepr.ReadHeader(repr)
	if !ok {
		return fmt.Errorf("batch of %d bytes: %w", len(repr), ErrCorrupt)
	}
	count := uint32(0)
	for rest := repr[batchrepr.HeaderLen:]; len(rest) > 0; count++ {
		op, after, err := readOp(rest)
		if err != nil {
			return err
		}
		if err := p.checkOp(op); err != nil {
			return err
		}
		rest = after
	}
	if count != header.Count {
		return fmt.Errorf("batch with %d operations says %d: %w", count, header.Count, ErrCorrupt)
	}
	return nil
}

func (p *Partition) checkOp(op batchOp) error {
	if len(op.key) < tenantPrefixLen || tenantPrefix(op.key[:tenantPrefixLen]) != p.prefix {
		return fmt.Errorf("batch operation: %w", ErrForeign)
	}
	k, err := parseKey(op.key[tenantPrefixLen:])
	if err != nil || op.kind == pebble.InternalKeyKindDelete {
		return err
	}
	return checkValue(k.kind, op.value)
}
