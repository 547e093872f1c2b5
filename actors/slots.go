package actors

import (
	"context"
	"sync/atomic"
)

// slots bounds how many reads run at the same time, and how many wait.
type slots struct {
	busy    chan struct{}
	waiting atomic.Int64
	most    int64 // that may wait
}

func newSlots(running, waiting int) slots {
	return slots{busy: make(chan struct{}, running), most: int64(waiting)}
}

// take waits for a slot; every nil must be followed by give.
func (s *slots) take(ctx context.Context, halt <-chan struct{}) error {
	select {
	case s.busy <- struct{}{}:
		return nil
	default:
	}
	if s.waiting.Add(1) > s.most {
		s.waiting.Add(-1)
		return errNodeFull()
	}
	defer s.waiting.Add(-1)
	select {
	case s.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return outOfTime(ctx, "it was not carried out")
	case <-halt:
		return errClosing()
	}
}

func (s *slots) give() { <-s.busy }

func (s *slots) running() int64 { return int64(len(s.busy)) }
