package storage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"loci/engine/memory"
)

func TestOpenRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*pebble.Batch) error{
		"use a newer program": func(b *pebble.Batch) error { return b.Set(headerKey, []byte(`{"format":2}`), nil) },
		"read node header":    func(b *pebble.Batch) error { return b.Set(headerKey, []byte("x"), nil) },
		"keys but no header": func(b *pebble.Batch) error {
			return errors.Join(b.Delete(headerKey, nil), b.Set([]byte("x"), nil, nil))
		},
		"control partition": func(b *pebble.Batch) error { return b.Set(controlKeyOf(9, memory.ID{}), nil, nil) },
	} {
		disk := vfs.NewMem()
		s := open(t, "store", small(disk))
		must(t, s.write("test", spoil))
		must(t, s.Close())
		if _, err := Open("store", small(disk)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: open gave %v", name, err)
		}
	}
	if _, err := Open("store", Options{FS: vfs.NewMem(), CacheBytes: -1}); err == nil {
		t.Error("a negative cache was accepted")
	}
}

func TestClosedStore(t *testing.T) {
	s := openMem(t)
	p := s.Partition(alice)
	before, batch := p.Read(), p.NewBatch()
	batch.PutMeta("x", nil)
	_ = before.Close()
	must(t, s.Close())
	must(t, s.Close())
	at := p.Read()
	_, recordErr := at.Record(record(1), 1)
	_, tenantsErr := s.Tenants()
	_, createErr := s.Control().CreateTenant("alpha")
	for _, err := range []error{
		recordErr, tenantsErr, createErr, s.Commit(batch), s.Checkpoint("backup"), s.Erase(context.Background(), alice),
		at.Records(func(memory.ID, uint32, []byte) error { return nil }),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("a closed store gave %v", err)
		}
	}
	batch.Close()
	must(t, at.Close())
	if diff := cmp.Diff(Stats{}, s.Stats()); diff != "" {
		t.Error(diff)
	}
}

func TestBatchMisuse(t *testing.T) {
	s, other := openMem(t), openMem(t)
	b := s.Partition(alice).NewBatch()
	if !b.Empty() || b.Tenant() != alice {
		t.Error("a new batch is not empty, or not alice's")
	}
	must(t, s.Commit(b)) // empty: nothing to do
	if err := s.Commit(b); err == nil {
		t.Error("committed twice")
	}
	b.Close()
	b.Close()
	if err := s.Commit(b); err == nil {
		t.Error("committed after Close")
	}
	for name, err := range map[string]error{
		"empty name":    commit(s, alice, func(b *Batch) { b.PutMeta("", nil) }),
		"long name":     commit(s, alice, func(b *Batch) { b.DeleteMeta(strings.Repeat("x", 256)) }),
		"other's batch": func() error { b := other.Partition(alice).NewBatch(); defer b.Close(); return s.Commit(b) }(),
	} {
		if err == nil {
			t.Errorf("%s was committed", name)
		}
	}
}

func TestSnapshotStaysAtItsInstant(t *testing.T) {
	s := openMem(t)
	must(t, learn(alice, 1)(s))
	at := s.Partition(alice).Read()
	defer at.Close()
	must(t, change(alice)(s))
	must(t, s.flush())
	if _, err := at.Record(record(1), 1); err != nil {
		t.Errorf("the old version: %v", err)
	}
	if _, err := at.Record(record(1), 2); !errors.Is(err, ErrNotFound) {
		t.Errorf("the new version: %v", err)
	}
}

// TestAnswers: a second answer under a key outlives the sweep of the first.
func TestAnswers(t *testing.T) {
	s := openMem(t)
	key, early, late := answerKey(1), noon.Add(time.Hour), noon.Add(2*time.Hour)
	must(t, commit(s, alice, func(b *Batch) {
		b.PutAnswer(key, early, []byte("first"))
		b.PutAnswer(key, late, []byte("second"))
		b.PutAnswer(answerKey(2), time.Time{}, []byte("ancient"))
	}))
	must(t, commit(s, bob, func(b *Batch) { b.PutAnswer(key, early, []byte("bob's")) }))
	at := s.Partition(alice).Read()
	defer at.Close()
	expired, err := at.ExpiredAnswers(early, 10)
	must(t, err)
	want := []Expired{{answerKey(2), time.Time{}}, {key, early}}
	if diff := cmp.Diff(want, expired); diff != "" {
		t.Errorf("expired (-want +got):\n%s", diff)
	}
	if one, err := at.ExpiredAnswers(early, 1); err != nil || len(one) != 1 {
		t.Errorf("limit 1 gave %v, %v", one, err)
	}
	must(t, commit(s, alice, func(b *Batch) {
		for _, e := range expired {
			b.DeleteAnswer(e.Key, e.Expires)
		}
	}))
	after := s.Partition(alice).Read()
	defer after.Close()
	answer, expires, err := after.Answer(key)
	if err != nil || string(answer) != "second" || !expires.Equal(late) {
		t.Errorf("answer %q until %v, %v", answer, expires, err)
	}
	if _, err := after.Verify(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestVerifyFinds spoils a store in each way that Verify looks for.
func TestVerifyFinds(t *testing.T) {
	key := func(k tenantKey) []byte { return (&Store{}).Partition(alice).key(nil, k) }
	wrongSlot := key(tenantKey{kind: kindRecord})
	wrongSlot[1] ^= 1
	for name, spoil := range map[string][2][]byte{
		"unknown kind":         {append(key(tenantKey{kind: kindMeta}), 0x77), nil},
		"no flag":              {key(tenantKey{kind: kindRecord}), nil},
		"unknown flag":         {key(tenantKey{kind: kindRecord}), {9}},
		"bad zstd":             {key(tenantKey{kind: kindRecord}), {flagZstd, 1, 2, 3}},
		"sweep without answer": {key(tenantKey{kind: kindSweep}), nil},
		"answer without sweep": {key(tenantKey{kind: kindAnswer}), {0}},
		"wrong slot":           {wrongSlot, {0}},
		"nobody's key":         {[]byte("\x80x"), nil},
		"control key":          {controlKeyOf(controlTenant, memory.ID{}), []byte("x")},
	} {
		s := openMem(t)
		must(t, learn(bob, 1)(s))
		must(t, s.write("test", func(b *pebble.Batch) error { return b.Set(spoil[0], spoil[1], nil) }))
		if _, err := s.Verify(context.Background()); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: verify gave %v", name, err)
		}
		must(t, s.Close())
	}
}

// TestBatchFrom carries a batch as bytes; every way to spoil it is refused, and
// never panics.
func TestBatchFrom(t *testing.T) {
	s := openMem(t)
	p := s.Partition(alice)
	b := p.NewBatch()
	defer b.Close()
	b.PutRecord(record(1), 1, make([]byte, 1000))
	b.PutVector(1, record(1), 1, []byte("vector"))
	b.DeleteMeta("x")
	repr := append([]byte(nil), b.Repr()...)
	copied, err := p.BatchFrom(repr)
	must(t, err)
	defer copied.Close()
	if copied.Count() != 3 || copied.Size() != len(repr) {
		t.Errorf("copied %d operations in %d bytes", copied.Count(), copied.Size())
	}
	must(t, s.Commit(copied))
	if _, err := s.Partition(bob).BatchFrom(repr); !errors.Is(err, ErrForeign) {
		t.Errorf("bob took alice's batch: %v", err)
	}
	for cut := range len(repr) {
		if taken, err := p.BatchFrom(repr[:cut]); err == nil {
			taken.Close()
			t.Errorf("%d of %d bytes were taken", cut, len(repr))
		}
	}
	for i := range repr {
		spoilt := append([]byte(nil), repr...)
		for bit := range 8 {
			spoilt[i] = repr[i] ^ 1<<bit
			if taken, err := p.BatchFrom(spoilt); err == nil {
				taken.Close()
			}
		}
	}
}

func TestCheckpointRefuses(t *testing.T) {
	s := openMem(t)
	must(t, s.Checkpoint("backup"))
	if err := s.Checkpoint("backup"); !errors.Is(err, os.ErrExist) {
		t.Errorf("a second checkpoint to the same folder gave %v", err)
	}
	if _, err := dumpOf("backup", small(s.options.FS)); err != nil {
		t.Error(err)
	}
}

// TestAllAtOnce: eight tenants write and read while one more is erased and a
// checkpoint is taken.
func TestAllAtOnce(t *testing.T) {
	s := open(t, "store", Options{FS: vfs.NewMem(), MemTableBytes: 256 << 10})
	var all sync.WaitGroup
	victim := tenant(0xee)
	must(t, put(victim, 1, 6<<10)(s))
	run := func(work func() error) {
		all.Go(func() {
			if err := work(); err != nil {
				t.Error(err)
			}
		})
	}
	for who := range byte(8) {
		run(func() error { return writeAndRead(s, tenant(who)) })
	}
	run(func() error { return s.Erase(context.Background(), victim) })
	run(func() error { return s.Checkpoint("backup") })
	all.Wait()
	count, err := s.Verify(context.Background())
	must(t, err)
	if count.Tenants != 8 || count.Records != 8*50*2 {
		t.Errorf("the store holds %+v", count)
	}
	_, err = dumpOf("backup", small(s.options.FS))
	must(t, err)
}

// TestWritersGoOn fills memtables of the default size from the smallest on: no
// writer may wait for a flush that Pebble does not mean to start.
func TestWritersGoOn(t *testing.T) {
	s := open(t, "store", Options{FS: vfs.NewMem()})
	var all sync.WaitGroup
	for who := range byte(4) {
		all.Go(func() {
			for i := range uint32(24) {
				if err := put(tenant(who), i, 128<<10)(s); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

func writeAndRead(s *Store, who memory.TenantID) error {
	for i := range uint32(50) {
		if err := put(who, i, 4<<10)(s); err != nil {
			return err
		}
		at := s.Partition(who).Read()
		n := 0
		err := at.Records(func(memory.ID, uint32, []byte) error { n++; return nil })
		if n != 2*int(i+1) {
			err = errors.Join(err, fmt.Errorf("tenant %s sees %d records after %d batches", who, n, i+1))
		}
		if err = errors.Join(err, at.Close()); err != nil {
			return err
		}
	}
	return nil
}
