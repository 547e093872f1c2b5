package engine

import (
	"context"
	"fmt"
	"math"
	"time"

	"loci/engine/analysis"
	"loci/engine/memory"
)

// Kit is what a tenant's partition works with; all tenants of a node share it.
type Kit struct {
	Embedder memory.Embedder
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

// EmbedQuery turns a question into a vector. It may take long, so it is
// called before any mailbox or view is involved.
func (k Kit) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	vectors, err := k.embed(ctx, []string{text}, memory.EmbedQuery)
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

func (k Kit) embed(ctx context.Context, texts []string, kind memory.EmbedKind) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	vectors, err := k.Embedder.Embed(ctx, texts, kind)
	if err != nil {
		return nil, fmt.Errorf("embed %d texts: %w", len(texts), err)
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("embed %d texts: got %d vectors", len(texts), len(vectors))
	}
	for _, v := range vectors {
		if err := k.settle(v); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

// settle rounds a vector in place to what storage keeps, so that a vector
// just learned and the same one read back after a restart are equal (I6).
func (k Kit) settle(v []float32) error {
	if len(v) != k.Embedder.Dim() {
		return fmt.Errorf("embedder %s: vector of %d, want %d", k.Embedder.ID(), len(v), k.Embedder.Dim())
	}
	for i, x := range v {
		if math.IsNaN(float64(x)) {
			return fmt.Errorf("embedder %s: vector holds NaN", k.Embedder.ID())
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
