package storage

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"loci/engine/memory"
)

// step is one write path, carried out whole or not at all.
type step struct {
	name string
	run  func(*Store) error
}

// The two tenants of the workload differ in one bit.
var alice, bob = tenant(0x10), tenant(0x11)

const (
	secretOne = "loci_one_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	secretTwo = "loci_two_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

// workload goes through every write path of the store, with memtables small
// enough that logs rotate, flushes run and large batches take Pebble's own way.
func workload() []step {
	steps := []step{
		{"create tenant alpha", createTenant("alpha")},
		{"create tenant beta", createTenant("beta")},
		{"install key one", installKey("alpha", secretOne, "one")},
		{"install key two", installKey("beta", secretTwo, "two")},
		{"alice learns", learn(alice, 1)},
		{"bob learns", learn(bob, 1)},
		{"alice learns a lot", put(alice, 100, 40<<10)},
	}
	for i := range uint32(8) {
		steps = append(steps,
			step{fmt.Sprintf("alice fills %d", i), put(alice, 200+i, 6<<10)},
			step{fmt.Sprintf("bob fills %d", i), put(bob, 200+i, 6<<10)})
	}
	return append(steps,
		step{"alice changes", change(alice)},
		step{"alice forgets", forget(alice)},
		step{"use key one", use(secretOne)},
		step{"revoke key one", revoke("alpha", "one")},
		step{"checkpoint", func(s *Store) error { return s.Checkpoint("backup") }},
		step{"begin deleting beta", func(s *Store) error { return s.Control().BeginDelete(named(s, "beta")) }},
		step{"erase bob", func(s *Store) error { return s.Erase(context.Background(), bob) }},
		step{"finish deleting beta", func(s *Store) error { return s.Control().FinishDelete(named(s, "beta")) }},
		step{"alice learns again", learn(alice, 2)},
		step{"bob learns again", learn(bob, 2)},
	)
}

func learn(who memory.TenantID, n uint32) func(*Store) error {
	return func(s *Store) error {
		return commit(s, who, func(b *Batch) {
			b.PutRecord(record(n), 1, noise(uint64(n), 300))
			b.PutRecord(record(n+1000), 1, make([]byte, 2000)) // compresses
			b.PutVector(1, record(n), 1, noise(uint64(n)+1, 512))
			b.PutAnswer(answerKey(byte(n)), noon.Add(time.Hour), []byte("answer"))
			b.PutMeta("generation", []byte{byte(n)})
		})
	}
}

func put(who memory.TenantID, n uint32, size int) func(*Store) error {
	return func(s *Store) error {
		return commit(s, who, func(b *Batch) {
			b.PutRecord(record(n), 1, noise(uint64(n), size/2))
			b.PutRecord(record(n), 2, noise(uint64(n)+1, size/2))
		})
	}
}

func change(who memory.TenantID) func(*Store) error {
	return func(s *Store) error {
		return commit(s, who, func(b *Batch) {
			b.DeleteRecord(record(1), 1)
			b.PutRecord(record(1), 2, []byte("changed"))
			b.DeleteVector(1, record(1), 1)
			b.PutVector(2, record(1), 2, noise(9, 512))
		})
	}
}

func forget(who memory.TenantID) func(*Store) error {
	return func(s *Store) error {
		return commit(s, who, func(b *Batch) {
			b.DeleteAnswer(answerKey(1), noon.Add(time.Hour))
			b.DeleteMeta("generation")
		})
	}
}

func createTenant(name string) func(*Store) error {
	return func(s *Store) error { _, err := s.Control().CreateTenant(name); return err }
}

func named(s *Store, name string) memory.TenantID {
	t, _ := s.Control().TenantByName(name)
	return t.ID
}

func installKey(tenant, secret, name string) func(*Store) error {
	return func(s *Store) error {
		_, err := s.Control().InstallKey(named(s, tenant), secret, KeySpec{Name: name})
		return err
	}
}

func use(secret string) func(*Store) error {
	return func(s *Store) error {
		if _, err := s.Control().Authenticate(context.Background(), secret); err != nil {
			return err
		}
		return s.Control().Flush()
	}
}

func revoke(tenant, name string) func(*Store) error {
	return func(s *Store) error {
		for _, k := range s.Control().Keys(named(s, tenant)) {
			if k.Name == name {
				_, err := s.Control().RevokeKey(k.ID)
				return err
			}
		}
		return fmt.Errorf("no key %s", name)
	}
}

// states is what the store holds before the first step and after each.
func states(t *testing.T, steps []step) []string {
	t.Helper()
	s := openMem(t)
	list := make([]string, 0, len(steps)+1)
	for i := range len(steps) + 1 {
		if i > 0 {
			if err := steps[i-1].run(s); err != nil {
				t.Fatalf("%s: %v", steps[i-1].name, err)
			}
		}
		state, err := dump(s)
		must(t, err)
		list = append(list, state)
	}
	must(t, s.Close())
	return list
}

// TestWorkloadReopens is the workload without a crash, on the real disk: every
// state is read back by a store opened afresh.
func TestWorkloadReopens(t *testing.T) {
	steps := workload()
	want := states(t, steps)
	dir := t.TempDir()
	t.Chdir(t.TempDir()) // the checkpoint goes to "backup"
	for i, st := range steps {
		s, err := Open(dir, small(vfs.Default))
		must(t, err)
		if err := st.run(s); err != nil {
			t.Fatalf("%s: %v", st.name, err)
		}
		must(t, s.Close())
		got, err := dumpOf(dir, small(vfs.Default))
		must(t, err)
		if got != want[i+1] {
			t.Fatalf("after %q the store reopens with another state", st.name)
		}
	}
	checkBackup(t, vfs.Default, steps, want)
}

// checkBackup opens the workload's checkpoint, which must hold the state at
// the time it was made.
func checkBackup(t *testing.T, fs vfs.FS, steps []step, want []string) {
	t.Helper()
	got, err := dumpOf("backup", small(fs))
	must(t, err)
	for i, st := range steps {
		if st.name == "checkpoint" && got != want[i+1] {
			t.Fatal("the checkpoint holds another state than the store did")
		}
	}
}
