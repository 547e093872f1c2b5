package engine

import (
	"fmt"
	"math"
	"time"

	"loci/engine/analysis"
	"loci/engine/memory"
)

// Kit is what a tenant's partition works with; all tenants of a node share it.
type Kit struct {
	// Embedder makes the vectors of everything new.
	Embedder memory.Embedder
	// Earlier are embedders that older vectors may be of: a tenant goes on
	// searching with its own until it has been embedded anew.
	Earlier  []memory.Embedder
	Analyzer *analysis.Analyzer
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

func (k Kit) now() time.Time {
	if k.Now == nil {
		return time.Now()
	}
	return k.Now()
}

// settle rounds a vector in place to what storage keeps, so that a vector
// just learned and the same one read back after a restart are equal (I6).
func settle(v []float32, by memory.Embedder) error {
	if len(v) != by.Dim() {
		return fmt.Errorf("embedder %s: vector of %d, want %d", by.ID(), len(v), by.Dim())
	}
	for i, x := range v {
		if math.IsNaN(float64(x)) {
			return fmt.Errorf("embedder %s: vector holds NaN", by.ID())
		}
		v[i] = unfix(fix(x))
	}
	return nil
}

// One dimension of a unit vector as a 16-bit fixed-point number: half the
// bytes of a float32 on disk at an error of at most 1.5e-5. It rounds half
// away from zero; math.Round would take a tenth of a learn's time.
func fix(x float32) int16 {
	scaled := max(-math.MaxInt16, min(math.MaxInt16, float64(x)*math.MaxInt16))
	if scaled < 0 {
		return int16(scaled - 0.5)
	}
	return int16(scaled + 0.5)
}

func unfix(x int16) float32 { return float32(x) * (1.0 / math.MaxInt16) }

func packVector(dst []byte, v []float32) []byte {
	for _, x := range v {
		f := uint16(fix(x))
		dst = append(dst, byte(f), byte(f>>8))
	}
	return dst
}

func unpackVector(packed []byte) []float32 {
	v := make([]float32, len(packed)/2)
	for i := range v {
		v[i] = unfix(int16(uint16(packed[2*i]) | uint16(packed[2*i+1])<<8))
	}
	return v
}

// none is the micros of a time that was not given.
const none = math.MinInt64

// forever is later than every commit.
const forever = math.MaxInt64

func micros(t time.Time) int64 {
	if t.IsZero() {
		return none
	}
	return t.UnixMicro()
}

func fromMicros(m int64) time.Time {
	if m == none {
		return time.Time{}
	}
	return time.UnixMicro(m).UTC()
}
