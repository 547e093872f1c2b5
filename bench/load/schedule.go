package load

import (
	"math/rand/v2"
	"time"
)

// Schedule is the moments, counted from the start of a run, at which requests
// fall due: rate a second over span, in order (I1).
func Schedule(rate float64, span time.Duration, arrivals Arrivals, seed uint64) []time.Duration {
	if arrivals == Poisson {
		return poisson(rate, span, seed)
	}
	return constant(rate, span)
}

// constant computes each moment from its number, since a sum of rounded gaps
// would drift.
func constant(rate float64, span time.Duration) []time.Duration {
	due := make([]time.Duration, 0, expected(rate, span))
	for n := 0; ; n++ {
		at := time.Duration(float64(n) / rate * float64(time.Second))
		if at >= span {
			return due
		}
		due = append(due, at)
	}
}

func poisson(rate float64, span time.Duration, seed uint64) []time.Duration {
	gaps := rand.New(rand.NewPCG(seed, 0x10c1))
	due := make([]time.Duration, 0, expected(rate, span))
	for sum := gaps.ExpFloat64() / rate; sum < span.Seconds(); sum += gaps.ExpFloat64() / rate {
		due = append(due, time.Duration(sum*float64(time.Second)))
	}
	return due
}

func expected(rate float64, span time.Duration) int { return int(rate*span.Seconds()) + 1 }
