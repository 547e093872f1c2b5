package storage

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"time"

	"loci/engine/memory"
)

// FormatVersion is the version of everything drawn below. A store carries the
// version it was written with in its node header; Open refuses a newer one.
//
// History:
//
//	1  the first: records, vectors, answers with sweep keys, meta, control
//	   tenants, keys and last uses
const FormatVersion = 1

// The layout. Integers are big-endian, so that byte order is number order.
//
//	tenant      [slot 2][tenant 16][kind 1]…            slot is 0x0000..0x0fff
//	  record      0x10 [id 16][version 4]               → packed body
//	  vector      0x20 [generation 2][id 16][version 4] → vector, as given
//	  answer      0x30 [key 32][expires 8]              → packed answer
//	  sweep       0x31 [expires 8][key 32]              → empty
//	  meta        0x40 [name 1..255]                    → packed value
//	control     [0xc000][kind 1]…                       no slot is that high
//	  tenant      0x01 [tenant 16]                      → JSON
//	  key         0x02 [id 16]                          → JSON with the hash
//	  last use    0x03 [id 16]                          → microseconds 8
//	node        [0xffff]
//	  header      "loci"                                → JSON {"format": 1}
//
// expires is in microseconds since 1970 with the sign bit turned, so that
// times before 1970 sort first. A packed value starts with a flag (pack.go).
//
// An answer's key holds its expiry so that a second answer under the same key
// can never be swept together with the first.
const (
	slotCount = 4096

	kindRecord byte = 0x10
	kindVector byte = 0x20
	kindAnswer byte = 0x30
	kindSweep  byte = 0x31
	kindMeta   byte = 0x40

	controlTenant  byte = 0x01
	controlKey     byte = 0x02
	controlLastUse byte = 0x03

	tenantPrefixLen = 2 + 16
	maxMetaName     = 255
)

var (
	tenantsEnd    = []byte{slotCount >> 8, slotCount & 0xff}
	controlPrefix = []byte{0xc0, 0x00}
	headerKey     = []byte("\xff\xffloci")
)

// Slot is the tenant's place among 4,096: FNV-1a of 64 bits over the 16 bytes
// of the id, its halves folded by xor, modulo 4,096. It never changes for a
// tenant: the slot is written in every key.
func Slot(t memory.TenantID) uint16 {
	h := fnv.New64a()
	h.Write(t[:])
	sum := h.Sum64()
	return uint16((sum ^ sum>>32) % slotCount)
}

type tenantPrefix [tenantPrefixLen]byte

func prefixOf(t memory.TenantID) tenantPrefix {
	var p tenantPrefix
	binary.BigEndian.PutUint16(p[:], Slot(t))
	copy(p[2:], t[:])
	return p
}

// prefixEnd is the first key after all keys that start with prefix. A tenant
// prefix always has one: its first byte is below 0x10.
func prefixEnd(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i]++; end[i] != 0 {
			return end[:i+1]
		}
	}
	return nil
}

// tenantKey is one key of a tenant, taken apart. Only the fields of its kind
// are set.
type tenantKey struct {
	kind       byte
	generation uint16
	id         memory.ID
	version    uint32
	answer     [32]byte
	expires    int64 // microseconds
	name       string
}

func (k *tenantKey) len() int {
	switch k.kind {
	case kindRecord:
		return tenantPrefixLen + 1 + 16 + 4
	case kindVector:
		return tenantPrefixLen + 1 + 2 + 16 + 4
	case kindAnswer, kindSweep:
		return tenantPrefixLen + 1 + 32 + 8
	}
	return tenantPrefixLen + 1 + len(k.name)
}

// write fills dst, which is k.len() long. It is the only function that writes
// a tenant's key (I1).
func (k *tenantKey) write(dst []byte, prefix *tenantPrefix) {
	copy(dst, prefix[:])
	dst[tenantPrefixLen] = k.kind
	rest := dst[tenantPrefixLen+1:]
	switch k.kind {
	case kindRecord:
		copy(rest, k.id[:])
		binary.BigEndian.PutUint32(rest[16:], k.version)
	case kindVector:
		binary.BigEndian.PutUint16(rest, k.generation)
		copy(rest[2:], k.id[:])
		binary.BigEndian.PutUint32(rest[18:], k.version)
	case kindAnswer:
		copy(rest, k.answer[:])
		binary.BigEndian.PutUint64(rest[32:], orderedTime(k.expires))
	case kindSweep:
		binary.BigEndian.PutUint64(rest, orderedTime(k.expires))
		copy(rest[8:], k.answer[:])
	case kindMeta:
		copy(rest, k.name)
	}
}

// parseKey takes a tenant's key apart; rest is what follows the prefix.
func parseKey(rest []byte) (tenantKey, error) {
	if len(rest) == 0 {
		return tenantKey{}, fmt.Errorf("key without a kind: %w", ErrCorrupt)
	}
	k := tenantKey{kind: rest[0]}
	rest = rest[1:]
	switch {
	case k.kind == kindRecord && len(rest) == 20:
		k.id, k.version = memory.ID(rest[:16]), binary.BigEndian.Uint32(rest[16:])
	case k.kind == kindVector && len(rest) == 22:
		k.generation = binary.BigEndian.Uint16(rest)
		k.id, k.version = memory.ID(rest[2:18]), binary.BigEndian.Uint32(rest[18:])
	case k.kind == kindAnswer && len(rest) == 40:
		k.answer, k.expires = [32]byte(rest[:32]), readTime(rest[32:])
	case k.kind == kindSweep && len(rest) == 40:
		k.answer, k.expires = [32]byte(rest[8:]), readTime(rest)
	case k.kind == kindMeta && len(rest) >= 1 && len(rest) <= maxMetaName:
		k.name = string(rest)
	default:
		return tenantKey{}, fmt.Errorf("key of kind 0x%02x with %d bytes: %w", k.kind, len(rest), ErrCorrupt)
	}
	return k, nil
}

func orderedTime(micros int64) uint64 { return uint64(micros) ^ 1<<63 }

func readTime(b []byte) int64 { return int64(binary.BigEndian.Uint64(b) ^ 1<<63) }

func timeOf(micros int64) time.Time { return time.UnixMicro(micros).UTC() }
