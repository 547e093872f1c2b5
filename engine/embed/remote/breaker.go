package remote

import (
	"errors"
	"sync"
	"time"
)

// verdict is what a try told about the server.
type verdict int

const (
	unknown verdict = iota
	good
	bad
)

// breaker is a circuit breaker. Closed, it lets every try through and counts
// bad ones in a row; open, it lets none through until its pause is over; then,
// half-open, a single one, whose verdict closes or opens it again.
type breaker struct {
	after int
	pause time.Duration
	mu    struct {
		sync.Mutex
		failures int       // in a row, while closed
		open     bool      // or half-open
		until    time.Time // while open
		trial    *ticket   // the single try of half-open
		why      error     // what opened it
		epoch    int       // grows when open changes
	}
}

// ticket lets one try through. Its verdict counts only if the breaker has not
// changed meanwhile.
type ticket struct{ epoch int }

func newBreaker(after int, pause time.Duration) *breaker {
	return &breaker{after: after, pause: pause}
}

// maxOpen is the longest that a server's Retry-After keeps the breaker open:
// long ones are often wrong, and one try a minute hurts nobody.
const maxOpen = time.Minute

// enter gives a ticket, or the refusal that says how long to stay away.
func (b *breaker) enter() (*ticket, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	wait := time.Until(b.mu.until)
	switch {
	case !b.mu.open:
		return &ticket{b.mu.epoch}, nil
	case wait > 0:
		return nil, notNow(b.mu.why, wait)
	case b.mu.trial != nil:
		return nil, notNow(b.mu.why, time.Second) // the verdict is near
	}
	b.mu.trial = &ticket{b.mu.epoch}
	return b.mu.trial, nil
}

// leave takes the verdict, and the error behind a bad one.
func (b *breaker) leave(t *ticket, v verdict, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t.epoch != b.mu.epoch {
		return
	}
	if t == b.mu.trial {
		b.mu.trial = nil
	}
	switch v {
	case good:
		b.mu.failures = 0
		b.turn(false)
	case bad:
		b.mu.failures++
		if b.mu.open || b.mu.failures >= b.after {
			b.mu.until = time.Now().Add(max(b.pause, min(retryAfter(err), maxOpen)))
			b.mu.why = reason(err)
			b.turn(true)
		}
	}
}

// reason is the cause of a failure. A refusal by the breaker must not look like
// one that may pass, or it would be tried again.
func reason(err error) error {
	if failure, may := errors.AsType[*passing](err); may {
		return failure.cause
	}
	return err
}

// turn opens or closes. Opening again is a change too: it ends the trial.
func (b *breaker) turn(open bool) {
	if b.mu.open || open {
		b.mu.epoch++
		b.mu.failures = 0
	}
	b.mu.open = open
}

func (b *breaker) state() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case !b.mu.open:
		return "closed"
	case time.Now().Before(b.mu.until):
		return "open"
	}
	return "half-open"
}
