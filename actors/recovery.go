package actors

import (
	"fmt"
	"time"

	"loci/engine/memory"
)

// A tenant that failed rests before it is opened again: 50 ms, and twice as
// long after each further failure, up to 10 s. There is no last attempt.
const (
	shortestRest = 50 * time.Millisecond
	longestRest  = 10 * time.Second
)

// renewEvery bounds how often a worn partition is opened anew.
const renewEvery = 10 * time.Second

// restAfter is how long to rest after so many failures in a row.
func restAfter(failures int) time.Duration {
	if failures > 8 { // 50 ms doubled eight times is more than 10 s
		return longestRest
	}
	return min(shortestRest<<(failures-1), longestRest)
}

// fail throws the partition away and tells about it.
func (t *tenant) fail(cause error) {
	t.sys.options.Events.failed(t.id, cause, t.throwAway(cause))
}

// throwAway ends the use of the partition and begins a rest (I5). The last good
// view stays for readers.
func (t *tenant) throwAway(cause error) time.Duration {
	t.part = nil
	t.failures++
	t.cause = cause
	rest := restAfter(t.failures)
	t.rests.Store(int64(t.sys.clock() + rest))
	return rest
}

// recovered ends a row of failures: a group was stored.
func (t *tenant) recovered() { t.failures, t.cause = 0, nil }

// resting refuses while the tenant rests. Any goroutine may ask.
func (t *tenant) resting(cause error) error {
	left := time.Duration(t.rests.Load()) - t.sys.clock()
	if left <= 0 {
		return nil
	}
	t.sys.count.refusedResting.Add(1)
	return errResting(left, cause)
}

// writable makes sure that the partition is open and the store takes writes.
// While the store refuses them nothing is opened or dropped for it: readers
// keep what they have.
func (t *tenant) writable() error {
	if err := t.sys.ground.health(); err != nil {
		t.sys.count.refusedResting.Add(1)
		return &memory.Error{
			Code: memory.Overloaded, Detail: "the server cannot store anything at present",
			RetryAfter: longestRest, Cause: err,
		}
	}
	return t.ready()
}

// ready makes sure that the partition is open.
func (t *tenant) ready() error {
	if t.part != nil {
		return nil
	}
	if err := t.resting(t.cause); err != nil {
		return err
	}
	if err := t.open(); err != nil {
		t.sys.count.openErrors.Add(1)
		t.fail(err)
		return errResting(restAfter(t.failures), err)
	}
	return nil
}

// open loads the tenant and shows it to readers. Few are loaded at the same
// time: loading takes all the memory and disk it can get.
func (t *tenant) open() error {
	began := t.sys.clock()
	part, err := t.load()
	if err != nil {
		return err
	}
	if t.failures > 0 || t.view.Load() != nil {
		t.sys.count.restarts.Add(1)
	}
	t.part = part
	t.view.Store(part.View())
	t.sys.count.activations.Add(1)
	t.sys.options.Events.activated(t.id, t.sys.clock()-began)
	t.sys.keepUpToDate(t.id, part.View())
	return nil
}

func (t *tenant) load() (partition, error) {
	select {
	case t.sys.opening <- struct{}{}:
		defer func() { <-t.sys.opening }()
	case <-t.sys.life.Done():
		return nil, t.sys.life.Err()
	}
	part, err := t.sys.ground.open(t.sys.life, t.id)
	if err != nil {
		return nil, fmt.Errorf("activate tenant %s: %w", t.id, err)
	}
	return part, nil
}

// replaceSpent opens a partition anew whose vectors were switched, before it
// gets another write. If that fails it is as after any failure: writes rest,
// readers keep the view they have.
func (t *tenant) replaceSpent() {
	if t.part.Spent() {
		t.part = nil
		_ = t.ready() // a failure has been told, and is told to the next write
	}
}

// renew opens a worn partition anew, between batches. Readers go on with the
// old view meanwhile. If it does not open, the worn one is still good.
func (t *tenant) renew() {
	if t.part == nil || !t.part.Worn() || t.renewed > 0 && t.sys.clock()-t.renewed < renewEvery {
		return
	}
	t.renewed = max(t.sys.clock(), 1)
	if err := t.open(); err != nil {
		t.sys.count.openErrors.Add(1)
		t.sys.options.Events.failed(t.id, err, 0)
	}
}
