//go:build unix

package minilm_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"loci/engine/embed/kernel"
	"loci/engine/embed/minilm"
)

// BenchmarkEmbed measures texts of one length, in passes of as many as fit: one
// goroutine with -cpu 1, two with -cpu 2.
func BenchmarkEmbed(b *testing.B) {
	for _, p := range kernel.Available() {
		for _, n := range []int{12, 32, 200} {
			b.Run(fmt.Sprintf("%v/tokens=%d", p, n), func(b *testing.B) {
				benchmarkEmbed(b, load(b, p), n, max(1, minilm.PassTokens/n))
			})
		}
	}
}

// BenchmarkQuery measures one text alone, as a search embeds its query.
func BenchmarkQuery(b *testing.B) {
	for _, p := range kernel.Available() {
		for _, n := range []int{12, 32} {
			b.Run(fmt.Sprintf("%v/tokens=%d", p, n), func(b *testing.B) {
				benchmarkEmbed(b, load(b, p), n, 1)
			})
		}
	}
}

func benchmarkEmbed(b *testing.B, m *minilm.Model, tokens, texts int) {
	batch := make([][]int32, texts)
	for i := range batch {
		batch[i] = make([]int32, tokens)
		for j := range batch[i] {
			batch[i][j] = int32(1000 + (i*7+j*131)%20000)
		}
	}
	b.ReportAllocs()
	used := processorTime(b)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		dst := newVectors(texts)
		for pb.Next() {
			if err := m.Embed(batch, dst); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N*texts)/b.Elapsed().Seconds(), "texts/s")
	b.ReportMetric(float64(b.N*texts)/(processorTime(b)-used).Seconds(), "texts/cpu-s")
}

// processorTime is what the process has used: on a machine that others use too
// it says more than the clock.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkColdStart goes from the bytes in the binary to the first vector of a
// 12-token query. The file's pages are in memory after the first round; what is
// left is what every start pays.
func BenchmarkColdStart(b *testing.B) {
	ids := make([]int32, 12)
	for i := range ids {
		ids[i] = int32(2000 + i)
	}
	for range b.N {
		f, err := minilm.Builtin()
		if err != nil {
			b.Fatal(err)
		}
		m, err := minilm.Load(f, minilm.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if err := m.Embed([][]int32{ids}, newVectors(1)); err != nil {
			b.Fatal(err)
		}
	}
}

// TestMemory logs the resident memory after a start and a pass, when asked with
// -v: a number for people, since it depends on what ran before.
func TestMemory(t *testing.T) {
	start := time.Now()
	load(t, kernel.Auto)
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return // no such file outside Linux, and nothing is asserted
	}
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmRSS") || strings.HasPrefix(line, "VmHWM") {
			t.Logf("%s (loaded in %v)", strings.TrimSpace(line), time.Since(start))
		}
	}
}
