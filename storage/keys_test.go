package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"loci/engine/memory"
)

// TestLayout holds built keys against the drawing in keys.go, byte for byte. A
// change here is a new FormatVersion.
func TestLayout(t *testing.T) {
	who := memory.TenantID(bytes.Repeat([]byte{0xaa}, 16))
	p := (&Store{}).Partition(who)
	id := memory.ID(bytes.Repeat([]byte{0x11}, 16))
	answer := [32]byte(bytes.Repeat([]byte{0x22}, 32))
	prefix := "0e17" + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	ids, answers := "11111111111111111111111111111111", hex.EncodeToString(answer[:])
	for _, test := range []struct {
		name string
		key  tenantKey
		want string
	}{
		{"record", tenantKey{kind: kindRecord, id: id, version: 7}, "10" + ids + "00000007"},
		{"vector", tenantKey{kind: kindVector, generation: 3, id: id, version: 7}, "20" + "0003" + ids + "00000007"},
		{"answer", tenantKey{kind: kindAnswer, answer: answer, expires: 1}, "30" + answers + "8000000000000001"},
		{"sweep", tenantKey{kind: kindSweep, answer: answer, expires: -1}, "31" + "7fffffffffffffff" + answers},
		{"meta", tenantKey{kind: kindMeta, name: "abc"}, "40" + "616263"},
	} {
		if diff := cmp.Diff(prefix+test.want, hex.EncodeToString(p.key(nil, test.key))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestSlotsNeverChange: the slot is in every key on disk.
func TestSlotsNeverChange(t *testing.T) {
	counts := map[uint16]int{}
	for n := range uint32(100_000) {
		slot := Slot(memory.TenantID(record(n)))
		if slot >= slotCount {
			t.Fatalf("slot %d", slot)
		}
		counts[slot]++
	}
	for slot, n := range counts {
		if n > 100 { // 24 on average
			t.Errorf("slot %d holds %d of 100,000 tenants", slot, n)
		}
	}
	for last, want := range map[byte]uint16{0x00: 0x0869, 0x01: 0x0f3a, 0xff: 0x0668} {
		if got := Slot(tenant(last)); got != want {
			t.Errorf("slot of tenant %x is %#04x, was %#04x", last, got, want)
		}
	}
}

// TestKeysParse: what is built is read back; what is not a key is refused.
func TestKeysParse(t *testing.T) {
	p := (&Store{}).Partition(alice)
	rapid.Check(t, func(t *rapid.T) {
		rest := rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "key")
		k, err := parseKey(rest)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		if built := p.key(nil, k)[tenantPrefixLen:]; !bytes.Equal(built, rest) {
			t.Fatalf("%x is read as %+v, which is %x", rest, k, built)
		}
	})
}

// TestRawKeys reads all keys of a used store beneath the API and holds each
// against the drawing, by a reading of it that shares no code with keys.go.
func TestRawKeys(t *testing.T) {
	s := openMem(t)
	seen := map[string]int{}
	for _, st := range workload()[:9] {
		must(t, st.run(s))
	}
	must(t, use(secretOne)(s))
	it, err := s.db.NewIter(nil)
	must(t, err)
	for ok := it.First(); ok; ok = it.Next() {
		seen[drawn(it.Key(), it.Value())]++
	}
	must(t, it.Close())
	want := map[string]int{
		"header": 1, "control tenant": 2, "control key": 2, "control last use": 1,
		"record": 10, "vector": 2, "answer": 2, "sweep": 2, "meta": 2,
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("keys by kind (-want +got):\n%s", diff)
	}
	_, err = s.Verify(context.Background())
	must(t, err)
}

func drawn(key, value []byte) string {
	head := binary.BigEndian.Uint16(key)
	switch {
	case string(key) == "\xff\xffloci" && string(value) == `{"format":1}`:
		return "header"
	case head == 0xc000 && len(key) == 19:
		return map[byte]string{1: "control tenant", 2: "control key", 3: "control last use"}[key[2]]
	case head > 0x0fff || len(key) < 19:
		return "nobody's"
	}
	lengths := map[byte]int{0x10: 20, 0x20: 22, 0x30: 40, 0x31: 40, 0x40: len("generation")}
	names := map[byte]string{0x10: "record", 0x20: "vector", 0x30: "answer", 0x31: "sweep", 0x40: "meta"}
	if lengths[key[18]] != len(key)-19 {
		return "misshapen"
	}
	return names[key[18]]
}
