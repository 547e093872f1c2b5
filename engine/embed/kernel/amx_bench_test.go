//go:build linux && amd64

package kernel

import (
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// BenchmarkTiles measures the product alone, over more weights than the second-
// level cache holds: ten matrices of the model's largest size.
func BenchmarkTiles(b *testing.B) {
	if !slices.Contains(Available(), AMX) {
		b.Skip("this machine has no AMX")
	}
	for _, c := range [][3]int{{16, 1536, 384}, {32, 1536, 384}, {128, 1536, 384}, {128, 384, 1536}, {200, 1536, 384}} {
		rows, n, k := c[0], c[1], c[2]
		b.Run(fmt.Sprintf("rows=%d,inputs=%d", rows, k), func(b *testing.B) {
			a := aligned[uint16]((rows + 32) * k)
			sums := aligned[float32]((rows + 32) * panel)
			const copies = 10
			home, err := newArena(2 * copies * n * k)
			if err != nil {
				b.Fatal(err)
			}
			defer runtime.KeepAlive(home)
			w := home.bytes
			for i := range w {
				w[i] = 0x3f
			}
			used := threadTime()
			for i := range b.N {
				m := w[2*(i%copies)*n*k:]
				for p := range n / panel {
					amxMul(unsafe.Pointer(&a[0]), unsafe.Pointer(&m[2*p*panel*k]), unsafe.Pointer(&sums[0]),
						lineBytes, uintptr(k/panel*tileBytes), tileBytes, 4*panel, roundUp(rows, 16)/16, 1, k/panel, &fullTiles)
				}
			}
			b.ReportMetric(2*float64(rows*n*k)*float64(b.N)/(threadTime()-used).Seconds()/1e9, "GFLOP/cpu-s")
			b.ReportMetric(2*float64(n*k)*float64(b.N)/(threadTime()-used).Seconds()/1e9, "GB/cpu-s")
		})
	}
}

func threadTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
