package load

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestConstantScheduleIsEvenAndDoesNotDrift(t *testing.T) {
	got := Schedule(4, time.Second, Constant, 0)
	want := []time.Duration{0, 250 * time.Millisecond, 500 * time.Millisecond, 750 * time.Millisecond}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("schedule differs (-want +got):\n%s", diff)
	}
	long := Schedule(30_000, 10*time.Second, Constant, 0)
	if want := 9 * time.Second; len(long) != 300_000 || long[270_000] != want {
		t.Errorf("%d arrivals, number 270000 at %v; want 300000, %v", len(long), long[270_000], want)
	}
}

func TestPoissonScheduleIsSeededAndHasItsRate(t *testing.T) {
	one := Schedule(10_000, 10*time.Second, Poisson, 1)
	if !slices.IsSorted(one) || one[len(one)-1] >= 10*time.Second {
		t.Error("moments are out of order or out of the span")
	}
	// The count has a deviation of sqrt(100000) = 316; five of them are allowed.
	if math.Abs(float64(len(one))-100_000) > 5*316 {
		t.Errorf("%d arrivals; want about 100000", len(one))
	}
	if !slices.Equal(one, Schedule(10_000, 10*time.Second, Poisson, 1)) {
		t.Error("the same seed made another schedule")
	}
	if slices.Equal(one, Schedule(10_000, 10*time.Second, Poisson, 2)) {
		t.Error("another seed made the same schedule")
	}
}
