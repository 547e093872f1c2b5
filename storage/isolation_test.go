package storage

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"loci/engine/memory"
)

// model is what a partition should show, as a plain map from a readable name
// of the key to its value.
type model map[string]string

// pairs are tenants that a careless key layout would mix up: one bit apart,
// one byte apart at a border, all ones, all zeros, and in the same slot.
func pairs() [][2]memory.TenantID {
	var zero, ones, almost memory.TenantID
	for i := range ones {
		ones[i], almost[i] = 0xff, 0xff
	}
	almost[15] = 0xfe
	a := tenant(0x20)
	carry, carried := tenant(0xff), tenant(0x00)
	carried[14]++
	return [][2]memory.TenantID{{a, tenant(0x21)}, {zero, ones}, {almost, ones}, {carry, carried}, {a, sameSlot(a)}}
}

// sameSlot finds another tenant of the same slot.
func sameSlot(t memory.TenantID) memory.TenantID {
	for n := range uint32(1 << 24) {
		other := memory.TenantID(record(n))
		if other != t && Slot(other) == Slot(t) {
			return other
		}
	}
	panic("no tenant shares the slot")
}

// TestTenantsNeverMeet does random things to two tenants. Each always shows
// exactly its own writes, through every read; erasing one leaves the other; a
// power cut at the end changes nothing.
func TestTenantsNeverMeet(t *testing.T) {
	choice := rapid.SampledFrom(pairs())
	rapid.Check(t, func(t *rapid.T) { meet(t, choice.Draw(t, "pair")) })
}

func meet(t *rapid.T, pair [2]memory.TenantID) {
	disk := vfs.NewCrashableMem()
	s, err := Open("store", small(disk))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := [2]model{{}, {}}
	for range rapid.IntRange(1, 12).Draw(t, "steps") {
		who := rapid.IntRange(0, 1).Draw(t, "who")
		if rapid.IntRange(0, 9).Draw(t, "erase") == 0 {
			if err := s.Erase(context.Background(), pair[who]); err != nil {
				t.Fatal(err)
			}
			want[who] = model{}
		} else {
			change := drawChange(t, want[who])
			if err := commit(s, pair[who], change); err != nil {
				t.Fatal(err)
			}
		}
	}
	shows(t, s, pair, want)
	after, err := Open("store", small(disk.CrashClone(vfs.CrashCloneCfg{})))
	if err != nil {
		t.Fatal(err)
	}
	defer after.Close()
	shows(t, after, pair, want)
}

// drawChange draws a batch and does the same to the model.
func drawChange(t *rapid.T, m model) func(*Batch) {
	return func(b *Batch) {
		for range rapid.IntRange(1, 5).Draw(t, "ops") {
			n := rapid.SampledFrom([]uint32{0, 1, 0xfffffffe, 0xffffffff}).Draw(t, "n")
			value := rapid.SampledFrom([]string{"", "x", "\x00", "\xff\xff", strings.Repeat("long ", 300)}).Draw(t, "value")
			drawOp(t, b, m, n, value)
		}
	}
}

func drawOp(t *rapid.T, b *Batch, m model, n uint32, value string) {
	id, generation, expires := record(n), uint16(n), noon.Add(time.Duration(n))
	switch rapid.IntRange(0, 7).Draw(t, "op") {
	case 0:
		b.PutRecord(id, n, []byte(value))
		m[fmt.Sprint("record ", id, n)] = value
	case 1:
		b.DeleteRecord(id, n)
		delete(m, fmt.Sprint("record ", id, n))
	case 2:
		b.PutVector(generation, id, n, []byte(value))
		m[fmt.Sprint("vector ", generation, id, n)] = value
	case 3:
		b.DeleteVector(generation, id, n)
		delete(m, fmt.Sprint("vector ", generation, id, n))
	case 4:
		b.PutAnswer(answerKey(byte(n)), expires, []byte(value))
		m[fmt.Sprint("answer ", byte(n))] = value
	case 5:
		b.DeleteAnswer(answerKey(byte(n)), expires)
		delete(m, fmt.Sprint("answer ", byte(n)))
	case 6:
		b.PutMeta(fmt.Sprint("\xff", n), []byte(value))
		m[fmt.Sprint("meta ", n)] = value
	case 7:
		b.DeleteMeta(fmt.Sprint("\xff", n))
		delete(m, fmt.Sprint("meta ", n))
	}
}

func shows(t *rapid.T, s *Store, pair [2]memory.TenantID, want [2]model) {
	for i, who := range pair {
		got, err := readAll(s, who)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want[i], got); diff != "" {
			t.Fatalf("tenant %d (-want +got):\n%s", i, diff)
		}
	}
	if _, err := s.Verify(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// readAll reads a partition through every read there is.
func readAll(s *Store, who memory.TenantID) (model, error) {
	at := s.Partition(who).Read()
	defer at.Close()
	m := model{}
	err := at.Records(func(id memory.ID, version uint32, body []byte) error {
		m[fmt.Sprint("record ", id, version)] = string(body)
		one, err := at.Record(id, version)
		if string(one) != string(body) {
			err = errors.Join(err, errors.New("Record and Records differ"))
		}
		return err
	})
	for _, generation := range []uint16{0, 1, 0xfffe, 0xffff} {
		err = errors.Join(err, at.Vectors(generation, func(id memory.ID, version uint32, vector []byte) error {
			m[fmt.Sprint("vector ", generation, id, version)] = string(vector)
			one, err := at.Vector(generation, id, version)
			if string(one) != string(vector) {
				err = errors.Join(err, errors.New("Vector and Vectors differ"))
			}
			return err
		}))
	}
	return m, errors.Join(err, readNamed(at, m))
}

func readNamed(at *Snapshot, m model) error {
	for _, n := range []uint32{0, 1, 0xfffffffe, 0xffffffff} {
		answer, _, err := at.Answer(answerKey(byte(n)))
		if err == nil {
			m[fmt.Sprint("answer ", byte(n))] = string(answer)
		} else if !errors.Is(err, ErrNotFound) {
			return err
		}
		value, err := at.Meta(fmt.Sprint("\xff", n))
		if err == nil {
			m[fmt.Sprint("meta ", n)] = string(value)
		} else if !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	return nil
}
