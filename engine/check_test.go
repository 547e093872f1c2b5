package engine

import (
	"context"
	"strings"
	"testing"

	"loci/engine/memory"
	"loci/storage"
)

// TestCheckSeesDamage breaks storage and indexes in many ways; each must be
// noticed, and named.
func TestCheckSeesDamage(t *testing.T) {
	for _, tc := range []struct {
		name   string
		damage func(d *desk, id memory.ID, b *storage.Batch)
		want   string
	}{
		{"a lost vector", func(_ *desk, id memory.ID, b *storage.Batch) { b.DeleteVector(1, id, 1) }, "has no vector"},
		{"a lost record", func(_ *desk, id memory.ID, b *storage.Batch) { b.DeleteRecord(id, 1) }, "without its record"},
		{"a short vector", func(_ *desk, id memory.ID, b *storage.Batch) { b.PutVector(1, id, 1, []byte{1, 2}) }, "bytes"},
		{"a record that is noise", func(_ *desk, id memory.ID, b *storage.Batch) { b.PutRecord(id, 1, []byte{1, 200}) }, "corrupt"},
		{"a gap in history", func(d *desk, id memory.ID, b *storage.Batch) {
			m := d.get(id)
			b.PutRecord(id, 3, encodeRecord(nil, m))
			b.PutVector(1, id, 3, packVector(nil, make([]float32, 64)))
		}, "comes after"},
		{"another text", func(d *desk, id memory.ID, b *storage.Batch) {
			m := d.get(id)
			m.Content = "Something else altogether."
			b.PutRecord(id, 1, encodeRecord(nil, m))
		}, "postings"},
		{"another project", func(d *desk, id memory.ID, b *storage.Batch) {
			m := d.get(id)
			m.Project = "elsewhere"
			b.PutRecord(id, 1, encodeRecord(nil, m))
		}, "rows"},
		{"a successor that does not exist", func(d *desk, id memory.ID, b *storage.Batch) {
			m := d.get(id)
			m.SupersededBy = memory.NewID()
			b.PutRecord(id, 1, encodeRecord(nil, m))
		}, "superseded by a memory that does not exist"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDesk(t)
			id := d.learned("A sound memory.")
			d.sound()
			b := d.store.Partition(d.id).NewBatch()
			tc.damage(d, id, b)
			d.must(d.store.Commit(b))
			report, err := d.p.Check(context.Background())
			d.must(err)
			if !strings.Contains(strings.Join(report.Problems, "\n"), tc.want) {
				t.Fatalf("problems %q, want one with %q", report.Problems, tc.want)
			}
		})
	}
}

func TestCheckStored(t *testing.T) {
	d := newDesk(t)
	library(d)
	report, err := CheckStored(context.Background(), d.store.Partition(d.id), d.kit)
	d.must(err)
	if len(report.Problems) > 0 || report.Records == 0 || report.Terms == 0 || report.Entities != 2 || report.Relations != 1 {
		t.Fatalf("%+v", report)
	}
}
