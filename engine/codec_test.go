package engine

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"loci/engine/memory"
)

func fullMemory() *memory.Memory {
	sure := 0.25
	at := time.Date(2026, 1, 2, 3, 4, 5, 678000, time.UTC)
	return &memory.Memory{
		ID: memory.NewID(), Type: memory.Decision, Version: 7, Content: "Inhalt ✓", Title: "Title", Category: "c", Tags: []string{"a", "b"},
		Project: "p", AgentID: "ag", SessionID: "s", Source: "user", MemoryType: "semantic", Confidence: &sure,
		Metadata: json.RawMessage(`{"a":[1,2]}`), OccurredAt: at, ValidFrom: at.Add(-time.Hour), ValidTo: at.AddDate(7000, 0, 0),
		CreatedAt: at, UpdatedAt: at.Add(time.Second), Supersedes: memory.NewID(), SupersededBy: memory.NewID(),
		Entities: []memory.Link{{EntityID: memory.NewID()}, {EntityID: memory.NewID()}}, Reasoning: "r", Alternatives: []string{"x", "y"},
		Status: "accepted", EntityType: "t", Aliases: []string{"l"}, EntityID: memory.NewID(), From: memory.NewID(), To: memory.NewID(),
		RelationType: "rt", Weight: 0.5,
	}
}

func TestRecordComesBackWhole(t *testing.T) {
	want := fullMemory()
	got, err := decodeRecord(want.ID, want.Version, encodeRecord(nil, want))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}

// TestRecordOfVersionOne holds the bytes of today's format: if this fails,
// stored records of users have become unreadable, and the format needs a new
// version and a migration.
func TestRecordOfVersionOne(t *testing.T) {
	at := time.UnixMicro(1_700_000_000_000_000).UTC()
	m := &memory.Memory{Type: memory.Fact, Content: "hi", CreatedAt: at, UpdatedAt: at}
	want := "\x01\x04fact\x02\x02hi\x10\x08\x00\x40\x1e\x18\x24\x0a\x06\x00\x11\x08\x00\x40\x1e\x18\x24\x0a\x06\x00"
	if got := string(encodeRecord(nil, m)); got != want {
		t.Fatalf("%q, want %q", got, want)
	}
}

func TestUnknownFieldsAreSkipped(t *testing.T) {
	m := fullMemory()
	raw := append(encodeRecord(nil, m), 200, 3, 'x', 'y', 'z')
	got, err := decodeRecord(m.ID, m.Version, raw)
	if err != nil || cmp.Diff(m, got) != "" {
		t.Fatalf("%v %s", err, cmp.Diff(m, got))
	}
}

func FuzzDecodeRecord(f *testing.F) {
	f.Add(encodeRecord(nil, fullMemory()))
	f.Add([]byte{1, 4, 'f', 'a'})
	f.Add([]byte{2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := decodeRecord(memory.ID{1}, 1, raw)
		if err != nil {
			return
		}
		again, err := decodeRecord(memory.ID{1}, 1, encodeRecord(nil, m))
		if err != nil {
			t.Fatal(err)
		}
		if m.Type != again.Type || m.Content != again.Content || !m.UpdatedAt.Equal(again.UpdatedAt) {
			t.Fatalf("%+v became %+v", m, again)
		}
	})
}
