package remote

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"loci/engine/memory"
)

// patience is how long a server must have had a request before the end of the
// caller's own deadline counts against the server.
const patience = time.Second

// passing is a failure that may pass (I4).
type passing struct {
	cause error
	after time.Duration // what the server said about coming back; 0 if nothing
}

func (p *passing) Error() string { return p.cause.Error() }
func (p *passing) Unwrap() error { return p.cause }

// ask gets the vectors of one batch, trying again as the options say.
func (c *Client) ask(ctx context.Context, texts []string) ([][]float32, error) {
	body, err := c.wire.encode(texts)
	if err != nil {
		return nil, err
	}
	for try := 0; ; try++ {
		vectors, err := c.guarded(ctx, body, len(texts))
		failure, may := errors.AsType[*passing](err)
		if !may {
			return vectors, err
		}
		pause := c.pause(try, failure.after)
		if try >= c.options.Retries || failure.after > c.options.MaxPause || !fits(ctx, pause) {
			return nil, notNow(failure.cause, pause)
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// guarded is one try, if the breaker allows it.
func (c *Client) guarded(ctx context.Context, body []byte, count int) (vectors [][]float32, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ticket, err := c.breaker.enter()
	if err != nil {
		return nil, err
	}
	start, verdict := time.Now(), unknown
	defer func() { c.breaker.leave(ticket, verdict, err) }()
	vectors, err = c.try(ctx, body, count)
	verdict = judge(ctx, err, time.Since(start))
	if ctx.Err() != nil && err != nil {
		return nil, ctx.Err() // the caller's own end, not a failure to try again
	}
	return vectors, err
}

// judge says what a try tells about the server. A refusal is an answer too;
// a caller that went away tells nothing.
func judge(ctx context.Context, err error, took time.Duration) verdict {
	_, may := errors.AsType[*passing](err)
	switch {
	case err == nil:
		return good
	case errors.Is(ctx.Err(), context.Canceled):
		return unknown
	case ctx.Err() != nil && took < patience:
		return unknown
	case may:
		return bad
	}
	return good
}

func retryAfter(err error) time.Duration {
	if failure, may := errors.AsType[*passing](err); may {
		return failure.after
	}
	return 0
}

// pause doubles with each try and is spread over its upper half, so that
// clients that failed together do not come back together.
func (c *Client) pause(try int, after time.Duration) time.Duration {
	full := min(c.options.Pause<<min(try, 16), c.options.MaxPause)
	spread := full/2 + rand.N(full/2+1)
	if after > 0 {
		return max(spread, after+rand.N(full/2+1))
	}
	return spread
}

// fits reports whether the caller has time left after the pause.
func fits(ctx context.Context, pause time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || time.Until(deadline) > pause
}

// notNow is what a failure that may pass looks like to the caller (I4).
func notNow(cause error, after time.Duration) error {
	refusal := memory.Busy("the embedding service is not answering", max(after, time.Second))
	refusal.Cause = cause
	return refusal
}

func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
