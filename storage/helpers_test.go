package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"loci/engine/memory"
)

// small is a store that rotates its log every few batches.
func small(fs vfs.FS) Options {
	return Options{FS: fs, CacheBytes: 1 << 20, MemTableBytes: 32 << 10, Now: func() time.Time { return noon }}
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func open(t testing.TB, dir string, o Options) *Store {
	t.Helper()
	s, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func openMem(t testing.TB) *Store { return open(t, "store", small(vfs.NewMem())) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// commit fills a batch, commits and closes it.
func commit(s *Store, who memory.TenantID, fill func(*Batch)) error {
	b := s.Partition(who).NewBatch()
	defer b.Close()
	fill(b)
	return s.Commit(b)
}

func tenant(last byte) memory.TenantID {
	var t memory.TenantID
	t[0], t[15] = 0x42, last
	return t
}

func record(n uint32) memory.ID {
	var id memory.ID
	binary.BigEndian.PutUint32(id[12:], n)
	return id
}

func answerKey(n byte) (key [32]byte) { key[31] = n; return key }

// noise is bytes that do not compress.
func noise(seed uint64, n int) []byte {
	random := rand.NewChaCha8([32]byte(bytes.Repeat(binary.BigEndian.AppendUint64(nil, seed), 4)))
	b := make([]byte, n)
	_, _ = random.Read(b)
	return b
}

// dump is all that a store holds: the tenants' keys as they are, the control
// partition as people see it, without the ids and hashes that chance made.
func dump(s *Store) (string, error) {
	var b strings.Builder
	err := s.each(nil, tenantsEnd, func(key, value []byte) error {
		fmt.Fprintf(&b, "%x=%x\n", key, value)
		return nil
	})
	for _, t := range s.Control().Tenants() {
		fmt.Fprintf(&b, "tenant %s %v\n", t.Name, t.Deleting)
		for _, k := range s.Control().Keys(t.ID) {
			fmt.Fprintf(&b, "key %s %v revoked %v used %v\n", k.Name, k.Scopes, !k.RevokedAt.IsZero(), k.LastUsedAt)
		}
	}
	return b.String(), err
}

// dumpOf opens a store, proves it whole, and dumps it.
func dumpOf(dir string, o Options) (string, error) {
	s, err := Open(dir, o)
	if err != nil {
		return "", err
	}
	defer s.Close()
	if _, err := s.Verify(context.Background()); err != nil {
		return "", err
	}
	return dump(s)
}
