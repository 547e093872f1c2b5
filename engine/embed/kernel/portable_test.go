package kernel

import (
	"math"
	"testing"
)

func TestGELUFollowsTheErrorFunction(t *testing.T) {
	for v := -12.0; v <= 12; v += 1.0 / 256 {
		want := v * 0.5 * (1 + math.Erf(v/math.Sqrt2))
		bound := 1e-6 + 6e-6*math.Abs(v)
		if math.Abs(v) > 4 {
			bound = 4e-5 * math.Abs(v)
		}
		if got := float64(gelu(float32(v))); math.Abs(got-want) > bound {
			t.Fatalf("gelu(%v) = %v, want %v", v, got, want)
		}
	}
}

func TestExpFollowsTheExponential(t *testing.T) {
	for x := -87.0; x <= 0; x += 1.0 / 128 {
		want := math.Exp(x)
		if got := float64(exp(float32(x))); math.Abs(got-want) > 1e-6*want {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	if got := exp(-1e30); got > 1e-37 {
		t.Errorf("exp(-1e30) = %v", got)
	}
}
