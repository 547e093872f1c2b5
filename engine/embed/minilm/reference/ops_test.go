package reference

import (
	"math"
	"testing"
)

// near compares to a share of the larger of want and 1e-300.
func near(got, want, share float64) bool {
	return math.Abs(got-want) <= share*math.Max(math.Abs(want), 1e-300)
}

func TestFunctions(t *testing.T) {
	for x := -40.0; x <= 0; x += 0.0371 {
		if got := exp(x); !near(got, math.Exp(x), 4e-15) {
			t.Errorf("exp(%v) = %v, want %v", x, got, math.Exp(x))
		}
	}
	if exp(-1000) != 0 {
		t.Error("exp does not end")
	}
	for x := -7.0; x <= 7; x += 0.0213 {
		if got := erf(x); !near(got, math.Erf(x), 4e-14) {
			t.Errorf("erf(%v) = %v, want %v", x, got, math.Erf(x))
		}
		want := 0.5 * x * (1 + math.Erf(x/math.Sqrt2))
		if got := gelu(x); math.Abs(got-want) > 1e-13 {
			t.Errorf("gelu(%v) = %v, want %v", x, got, want)
		}
	}
}

func TestSoftmax(t *testing.T) {
	x := []float64{1000, 1000 + math.Log(2), -1e9}
	softmax(x)
	for i, want := range []float64{1. / 3, 2. / 3, 0} {
		if math.Abs(x[i]-want) > 1e-12 {
			t.Errorf("%d: %v, want %v", i, x[i], want)
		}
	}
}

func TestDot(t *testing.T) {
	a := []float64{1, 2, 3, 4, 5, 6, 7}
	for n := range len(a) + 1 {
		want := float64(n*(n+1)*(2*n+1)) / 6
		if got := Dot(a[:n], a); got != want {
			t.Errorf("of %d: %v, want %v", n, got, want)
		}
	}
}

func TestNorm(t *testing.T) {
	x, n := make([]float64, Hidden), Norm{W: make([]float64, Hidden), B: make([]float64, Hidden)}
	for i := range x {
		x[i], n.W[i], n.B[i] = 5+float64(i%2)*2, 3, 1 // 5 and 7: mean 6, deviation 1
	}
	for i, got := range n.apply(x) {
		if want := 1 + 3*float64(i%2*2-1); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%d: %v, want %v", i, got, want)
		}
	}
}

func TestPool(t *testing.T) {
	x := make([]float64, 2*Hidden)
	x[0], x[1], x[Hidden] = 2, 8, 4
	got := Pool(x)
	if math.Abs(got[0]-0.6) > 1e-12 || math.Abs(got[1]-0.8) > 1e-12 {
		t.Errorf("%v, want 0.6 and 0.8", got[:2])
	}
}
