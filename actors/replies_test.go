package actors

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"loci/engine/memory"
)

// Trap: hollywood's Request draws reply ids of 31 bits, so a caller may get an
// answer meant for another, also of another tenant. Here two tenants' callers
// hammer the same pools, a third of them leaving early; tenants come and go all
// the while. Every answer must be the caller's own.
func TestNoReplyReachesTheWrongCaller(t *testing.T) {
	w := newWorld()
	s := w.system(t, Options{Idle: 1, Queue: 64})
	defer closeSystem(t, s)
	tenants := []memory.Caller{someone(), someone()}
	var all sync.WaitGroup
	for worker := range 32 {
		all.Go(func() { hammer(t, s, w, tenants[worker%2], worker) })
	}
	all.Wait()
	w.mustBeKept(t)
}

func hammer(t *testing.T, s *System, w *world, who memory.Caller, worker int) {
	random := rand.New(rand.NewPCG(1, uint64(worker)))
	for i := range 400 {
		ctx, cancel := impatient(t.Context(), random)
		word := fmt.Sprintf("%d/%d", worker, i)
		n, err := say(ctx, s, who, word)
		if err == nil && n.result != who.Tenant.String()+word {
			t.Errorf("said %q and was told %q", word, n.result)
		}
		expected(t, ctx, err)
		_, err = hear(ctx, s, w, who) // says so if the view is not the tenant's
		expected(t, ctx, err)
		cancel()
	}
}

// impatient callers have 0 to 200 µs, others all the time.
func impatient(ctx context.Context, random *rand.Rand) (context.Context, context.CancelFunc) {
	if random.IntN(3) > 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Duration(random.IntN(200))*time.Microsecond)
}

// expected allows an error only if the caller was out of time or the queue full.
func expected(t *testing.T, ctx context.Context, err error) {
	if err != nil && memory.CodeOf(err) != memory.Overloaded {
		t.Errorf("unexpected: %v", err)
	}
}
