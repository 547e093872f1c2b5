package storage

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"loci/engine/memory"
)

// switchable fails the operations that match while it is on.
type switchable struct {
	on    atomic.Bool
	match func(errorfs.Op) bool
}

func (f *switchable) String() string { return "switchable" }

func (f *switchable) MaybeError(op errorfs.Op) error {
	if f.on.Load() && f.match(op) {
		return errorfs.ErrInjected
	}
	return nil
}

func onLog(kinds ...errorfs.OpKind) func(errorfs.Op) bool { return on(".log", kinds...) }

func on(part string, kinds ...errorfs.OpKind) func(errorfs.Op) bool {
	return func(op errorfs.Op) bool {
		for _, k := range kinds {
			if op.Kind == k && strings.Contains(op.Path, part) {
				return true
			}
		}
		return false
	}
}

// TestBreaks fails each kind of file that must not fail. The store breaks for
// good, tells it once, answers later writes at once, goes on reading, and after
// a power cut holds what it acknowledged.
func TestBreaks(t *testing.T) {
	cases := map[string]func(errorfs.Op) bool{
		"log write":      onLog(errorfs.OpFileWrite),
		"log sync":       onLog(errorfs.OpFileSync, errorfs.OpFileSyncData),
		"log create":     onLog(errorfs.OpCreate, errorfs.OpReuseForWrite),
		"manifest write": on("MANIFEST", errorfs.OpFileWrite),
		"manifest sync":  on("MANIFEST", errorfs.OpFileSync, errorfs.OpFileSyncData),
		"folder sync":    func(op errorfs.Op) bool { return op.Path == "store" && op.Kind == errorfs.OpFileSync },
	}
	for name, match := range cases {
		t.Run(name, func(t *testing.T) { breaks(t, match) })
	}
}

func breaks(t *testing.T, match func(errorfs.Op) bool) {
	disk, told := vfs.NewCrashableMem(), atomic.Int64{}
	f := &switchable{match: match}
	o := small(errorfs.Wrap(disk, f))
	o.Events.Broken = func(error) { told.Add(1) }
	s := open(t, "store", o)
	acked := uint32(0)
	var err error
	for ; err == nil && acked < 200; acked++ {
		f.on.Store(acked >= 3)
		err = put(alice, acked, 6<<10)(s)
	}
	if acked--; !errors.Is(err, ErrBroken) || !errors.Is(err, errorfs.ErrInjected) {
		t.Fatalf("commit %d gave %v", acked, err)
	}
	f.on.Store(false) // a disk that heals does not heal the store
	if again := put(bob, 1, 100)(s); !errors.Is(again, ErrBroken) || !errors.Is(s.Err(), ErrBroken) {
		t.Fatalf("the next commit gave %v, Err %v", again, s.Err())
	}
	holds(t, s, acked)
	if told.Load() != 1 {
		t.Errorf("told %d times that it broke", told.Load())
	}
	if err := s.Close(); !errors.Is(err, ErrBroken) {
		t.Errorf("close gave %v", err)
	}
	holds(t, open(t, "store", small(disk.CrashClone(vfs.CrashCloneCfg{}))), acked)
}

// holds proves that records 0 to n-1 are there, and none of bob's.
func holds(t *testing.T, s *Store, n uint32) {
	t.Helper()
	at := s.Partition(alice).Read()
	defer at.Close()
	for i := range n {
		for version := range uint32(2) {
			if _, err := at.Record(record(i), version+1); err != nil {
				t.Fatal(err)
			}
		}
	}
	other := s.Partition(bob).Read()
	defer other.Close()
	if count, err := other.Verify(context.Background()); err != nil || count != (Count{}) {
		t.Fatalf("bob has %v, %v", count, err)
	}
}

// TestTablesFailForNow fails every table write. Writers are refused, not held
// for ever; when the disk is well again the store is too.
func TestTablesFailForNow(t *testing.T) {
	f := &switchable{match: on(".sst", errorfs.OpCreate)}
	s := open(t, "store", small(errorfs.Wrap(vfs.NewMem(), f)))
	f.on.Store(true)
	acked, err := uint32(0), error(nil)
	for ; err == nil && acked < 1000; acked++ {
		err = put(alice, acked, 6<<10)(s)
	}
	if acked--; !errors.Is(err, ErrFlushing) {
		t.Fatalf("commit %d gave %v", acked, err)
	}
	if err := s.Erase(context.Background(), bob); !errors.Is(err, ErrFlushing) {
		t.Fatalf("erase gave %v", err)
	}
	holds(t, s, acked)
	f.on.Store(false)
	for turn := s.health.turn(); s.Err() != nil; turn = s.health.turn() {
		select {
		case <-turn:
		case <-time.After(troubleLasts): // as long as trouble lasts, not longer
		}
	}
	must(t, put(alice, acked, 6<<10)(s))
	holds(t, s, acked+1)
	must(t, s.Close())
}

// TestBadBackupDisk fails everything in the folder of a checkpoint: it fails,
// is gone, and the store is well.
func TestBadBackupDisk(t *testing.T) {
	for _, kind := range []errorfs.OpKind{errorfs.OpCreate, errorfs.OpFileWrite, errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpMkdirAll} {
		f := &switchable{match: on("backup", kind)}
		s := open(t, "store", small(errorfs.Wrap(vfs.NewMem(), f)))
		must(t, learn(alice, 1)(s))
		f.on.Store(true)
		err := s.Checkpoint("backup")
		if err == nil && kind != errorfs.OpFileSyncData || s.Err() != nil {
			t.Errorf("op %d: checkpoint gave %v, Err %v", kind, err, s.Err())
		}
		f.on.Store(false)
		if err != nil {
			must(t, s.Checkpoint("backup"))
		}
		must(t, learn(bob, 1)(s))
		must(t, s.Close())
	}
}

// TestReadErrors lets table reads fail: every read says so.
func TestReadErrors(t *testing.T) {
	f := &switchable{match: on(".sst", errorfs.OpFileReadAt, errorfs.OpOpen)}
	disk := vfs.NewMem()
	s := open(t, "store", small(disk))
	for i := range uint32(20) { // blocks enough that Open has not read them all
		must(t, put(alice, i, 6<<10)(s))
	}
	must(t, s.flush())
	must(t, s.Close())
	s = open(t, "store", small(errorfs.Wrap(disk, f)))
	f.on.Store(true)
	at := s.Partition(alice).Read()
	defer at.Close()
	_, err := at.Record(record(3), 1)
	walkErr := at.Records(func(memory.ID, uint32, []byte) error { return nil })
	for _, err := range []error{err, walkErr} {
		if err == nil || errors.Is(err, ErrNotFound) {
			t.Errorf("a failed read gave %v", err)
		}
	}
}

// TestFlushesLastUse holds the clock of the writer of last uses.
func TestFlushesLastUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := vfs.NewCrashableMem()
		o := small(disk)
		o.Now = time.Now
		s, err := Open("store", o)
		must(t, err)
		defer s.Close()
		must(t, createTenant("alpha")(s))
		must(t, installKey("alpha", secretOne, "one")(s))
		_, err = s.Control().Authenticate(context.Background(), secretOne)
		must(t, err)
		used := time.Now()
		time.Sleep(time.Minute + time.Second)
		synctest.Wait()
		after, err := Open("store", small(disk.CrashClone(vfs.CrashCloneCfg{})))
		must(t, err)
		defer after.Close()
		keys := after.Control().Keys(named(after, "alpha"))
		if len(keys) != 1 || !keys[0].LastUsedAt.Equal(used.Truncate(time.Microsecond)) {
			t.Errorf("keys after a crash: %+v, used at %v", keys, used)
		}
	})
}
