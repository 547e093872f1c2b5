package storage

import (
	"testing"

	"loci/engine/memory"
)

// BenchmarkCommit64 is 64 learns of one tenant in one durable batch: a record
// of 300 bytes and a vector of 512 each, on the real disk, with fsync.
func BenchmarkCommit64(b *testing.B) {
	s := open(b, b.TempDir(), Options{})
	body, vector := noise(1, 300), noise(2, 512)
	p, n := s.Partition(alice), uint32(0)
	b.ReportAllocs()
	for b.Loop() {
		batch := p.NewBatch()
		for range 64 {
			n++
			batch.PutRecord(record(n), 1, body)
			batch.PutVector(1, record(n), 1, vector)
		}
		if err := s.Commit(batch); err != nil {
			b.Fatal(err)
		}
		batch.Close()
	}
	b.ReportMetric(float64(b.N)*64/b.Elapsed().Seconds(), "learns/s")
}

// BenchmarkFill64 is the same batch without its commit: what storage itself
// costs.
func BenchmarkFill64(b *testing.B) {
	s := openMem(b)
	body, vector := noise(1, 300), noise(2, 512)
	p := s.Partition(alice)
	b.ReportAllocs()
	for b.Loop() {
		batch := p.NewBatch()
		for n := range uint32(64) {
			batch.PutRecord(record(n), 1, body)
			batch.PutVector(1, record(n), 1, vector)
		}
		batch.Close()
	}
}

// BenchmarkCommitParallel is small batches of many tenants that share fsyncs.
func BenchmarkCommitParallel(b *testing.B) {
	s := open(b, b.TempDir(), Options{})
	body := noise(1, 1000)
	b.SetParallelism(32)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		p, n := s.Partition(memory.NewTenantID()), uint32(0)
		for pb.Next() {
			batch := p.NewBatch()
			n++
			batch.PutRecord(record(n), 1, body)
			if err := s.Commit(batch); err != nil {
				b.Error(err)
			}
			batch.Close()
		}
	})
}

// BenchmarkRecord is one point read from a snapshot.
func BenchmarkRecord(b *testing.B) {
	s := openMem(b)
	must(b, learn(alice, 1)(s))
	at := s.Partition(alice).Read()
	defer at.Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := at.Record(record(1), 1); err != nil {
			b.Fatal(err)
		}
	}
}
