package load

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// longest is the largest latency told apart from larger ones, in microseconds.
const longest = int64(time.Minute / time.Microsecond)

// tally is what one goroutine saw in the measured window. Each worker has its
// own, so that counting needs no lock; they are merged at the end.
type tally struct {
	latency *hdrhistogram.Histogram // microseconds, three digits
	lag     *hdrhistogram.Histogram // intended to really sent, two digits
	failed  failures
	ok      int64
	missed  int64
	last    time.Duration // the last answer, from the start of the run
}

func newTally() *tally {
	return &tally{
		latency: hdrhistogram.New(1, longest, 3),
		lag:     hdrhistogram.New(1, longest, 2),
		failed:  failures{},
	}
}

// answered counts a request that came to an end, one way or the other (I3, I4).
func (t *tally) answered(took time.Duration, at time.Duration, err error) {
	t.last = max(t.last, at)
	if err == nil {
		t.ok++
		record(t.latency, took)
		return
	}
	kind := KindOf(err)
	t.failed.add(kind, err)
	if kind == KindTimeout {
		record(t.latency, took)
	}
}

// miss counts an arrival that was never sent (I3, I4).
func (t *tally) miss(waited time.Duration) {
	t.missed++
	record(t.latency, waited)
}

func (t *tally) merge(other *tally) {
	t.latency.Merge(other.latency)
	t.lag.Merge(other.lag)
	t.failed.merge(other.failed)
	t.ok += other.ok
	t.missed += other.missed
	t.last = max(t.last, other.last)
}

func record(h *hdrhistogram.Histogram, d time.Duration) {
	// Inside the bounds RecordValue cannot fail.
	_ = h.RecordValue(min(max(d.Microseconds(), 1), longest))
}
