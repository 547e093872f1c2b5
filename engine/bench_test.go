package engine

import (
	"context"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"loci/engine/memory"
)

// BenchmarkLearn is the engine's share of a learn: preparing, staging in
// groups of 64, and the commit into a store without a disk.
func BenchmarkLearn(b *testing.B) {
	d := deskOn(b, vfs.NewMem(), memory.NewTenantID())
	b.ReportAllocs()
	var group []Write
	for i := 0; b.Loop(); i++ {
		content := fmt.Sprintf("On day %d Maria Lopez moved crate %d from the harbour in Genoa to warehouse %d, as the manager had asked in writing.", i%365, i, i%97)
		w, err := d.p.View().Learn(context.Background(), d.who, &memory.LearnRequest{Content: content, Tags: []string{"cargo"}})
		d.must(err)
		if group = append(group, w); len(group) == 64 {
			d.must(d.commit(group...))
			group = group[:0]
		}
	}
}

func BenchmarkPrepare(b *testing.B) {
	d := deskOn(b, vfs.NewMem(), memory.NewTenantID())
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		content := fmt.Sprintf("On day %d Maria Lopez moved crate %d from the harbour in Genoa to warehouse %d, as the manager had asked in writing.", i%365, i, i%97)
		_, err := d.p.View().Learn(context.Background(), d.who, &memory.LearnRequest{Content: content, Tags: []string{"cargo"}})
		d.must(err)
	}
}

func BenchmarkSearch(b *testing.B) {
	d := deskOn(b, vfs.NewMem(), memory.NewTenantID())
	for range 10 {
		w, err := d.p.View().LearnBatch(context.Background(), d.who, &memory.BatchRequest{Items: numbered(1000)})
		d.must(d.do(w, err))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		d.search(memory.SearchRequest{Query: fmt.Sprintf("where did parcel %d go", i%1000), Limit: 10})
	}
}
