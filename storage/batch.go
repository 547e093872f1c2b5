package storage

import (
	"errors"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"loci/engine/memory"
)

// Batch is a set of writes to one partition that become durable together or
// not at all (I2, I3). It is for one goroutine, for one Commit, and must be
// closed; after that it must not be used. It keeps nothing that it is given.
type Batch struct {
	part    *Partition
	writes  *pebble.Batch
	scratch []byte // for compression
	bad     error  // the first misuse; Commit tells it
	done    bool   // committed, or tried to
}

// Tenant is whose partition the batch writes to.
func (b *Batch) Tenant() memory.TenantID { return b.part.tenant }

// PutRecord stores one version of a record.
func (b *Batch) PutRecord(id memory.ID, version uint32, body []byte) {
	b.putPacked(tenantKey{kind: kindRecord, id: id, version: version}, body)
}

// DeleteRecord removes one version of a record.
func (b *Batch) DeleteRecord(id memory.ID, version uint32) {
	b.remove(tenantKey{kind: kindRecord, id: id, version: version})
}

// PutVector stores the vector of one version of a record, made by the
// embedder of that generation.
func (b *Batch) PutVector(generation uint16, id memory.ID, version uint32, vector []byte) {
	b.put(tenantKey{kind: kindVector, generation: generation, id: id, version: version}, vector)
}

// DeleteVector removes a vector.
func (b *Batch) DeleteVector(generation uint16, id memory.ID, version uint32) {
	b.remove(tenantKey{kind: kindVector, generation: generation, id: id, version: version})
}

// PutAnswer stores the answer to a request that is to be carried out once, and
// the key by which it is swept after expires, which is kept to the microsecond.
func (b *Batch) PutAnswer(key [32]byte, expires time.Time, answer []byte) {
	micros := expires.UnixMicro()
	b.putPacked(tenantKey{kind: kindAnswer, answer: key, expires: micros}, answer)
	b.put(tenantKey{kind: kindSweep, answer: key, expires: micros}, nil)
}

// DeleteAnswer removes the answer that was put with exactly this expiry.
func (b *Batch) DeleteAnswer(key [32]byte, expires time.Time) {
	micros := expires.UnixMicro()
	b.remove(tenantKey{kind: kindAnswer, answer: key, expires: micros})
	b.remove(tenantKey{kind: kindSweep, answer: key, expires: micros})
}

// PutMeta stores a small value of the engine's own under a name of 1 to 255
// bytes.
func (b *Batch) PutMeta(name string, value []byte) {
	if b.nameFits(name) {
		b.putPacked(tenantKey{kind: kindMeta, name: name}, value)
	}
}

// DeleteMeta removes what PutMeta stored.
func (b *Batch) DeleteMeta(name string) {
	if b.nameFits(name) {
		b.remove(tenantKey{kind: kindMeta, name: name})
	}
}

func (b *Batch) nameFits(name string) bool {
	fits := len(name) >= 1 && len(name) <= maxMetaName
	if !fits && b.bad == nil {
		b.bad = errors.New("meta name must have 1 to 255 bytes")
	}
	return fits
}

// Empty reports whether there is nothing to write.
func (b *Batch) Empty() bool { return b.writes.Empty() }

// Count is the number of keys the batch writes or deletes.
func (b *Batch) Count() int { return int(b.writes.Count()) }

// Size is the length of Repr.
func (b *Batch) Size() int { return b.writes.Len() }

// Repr is the batch as bytes, for a log that carries it to another node; read
// it back with [Partition.BatchFrom]. It is valid until the batch is changed,
// committed or closed.
func (b *Batch) Repr() []byte { return b.writes.Repr() }

// Close gives the batch back. It may be called twice.
func (b *Batch) Close() {
	if b.writes != nil {
		_ = b.writes.Close() // only ever fails for a batch closed before
		b.writes = nil
	}
}

// putPacked writes a flag and the body, compressed if that is shorter. The
// raw body goes into the batch without a detour: no garbage per key.
func (b *Batch) putPacked(k tenantKey, body []byte) {
	flag := flagRaw
	if packed, shorter := compress(b.scratch, body); shorter {
		b.scratch, body, flag = packed, packed, flagZstd
	} else {
		b.scratch = packed
	}
	op := b.writes.SetDeferred(k.len(), 1+len(body))
	k.write(op.Key, &b.part.prefix)
	op.Value[0] = flag
	copy(op.Value[1:], body)
	_ = op.Finish() // fails only for indexed batches
}

func (b *Batch) put(k tenantKey, value []byte) {
	op := b.writes.SetDeferred(k.len(), len(value))
	k.write(op.Key, &b.part.prefix)
	copy(op.Value, value)
	_ = op.Finish() // fails only for indexed batches
}

func (b *Batch) remove(k tenantKey) {
	op := b.writes.DeleteDeferred(k.len())
	k.write(op.Key, &b.part.prefix)
	_ = op.Finish() // fails only for indexed batches
}
