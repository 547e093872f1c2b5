package actors

import (
	"context"
	"sync"
	"sync/atomic"

	"loci/engine"
)

// message is what may stand in a tenant's mailbox. There are three kinds:
//
//	*storing   a prepared write
//	*waking    a read that found the tenant asleep and wants a view
//	*checking  the proof that indexes and storage agree
//
// The actor works through them in tenant.receive.
type message interface {
	// take is the actor's: true if the caller still waits for the message. From
	// then on the caller waits for what becomes of it.
	take() bool
	// refuse answers with an error, if there was no answer yet.
	refuse(err error)
	// room is how many places the message holds.
	room() int64
}

type storing struct {
	letter[struct{}]
	what write
}

type waking struct{ letter[*engine.View] }

type checking struct{ letter[*engine.Report] }

var (
	_ message = (*storing)(nil)
	_ message = (*waking)(nil)
	_ message = (*checking)(nil)
)

// answer is what comes back.
type answer[T any] struct {
	value T
	err   error
}

// letter is the part that all messages share. A letter is made for one request
// and never used again; only its channel is.
type letter[T any] struct {
	// The context is the request's own and lives as long as the letter: the
	// actor drops what nobody waits for.
	ctx    context.Context
	state  atomic.Int32
	places int64
	reply  chan answer[T]
	// answered is the actor's. It stands here and not beside the channel: after
	// the answer the channel may already be another letter's (I3).
	answered bool
}

// States of a letter: it waits until either its actor takes it or its caller
// gives it up, whoever comes first.
const (
	waits int32 = iota
	taken
	givenUp
)

func (l *letter[T]) take() bool {
	if err := l.ctx.Err(); err != nil {
		l.refuse(outOfTime(l.ctx, "it was not carried out"))
		return false
	}
	return l.state.CompareAndSwap(waits, taken)
}

// giveUp is the caller's: true if the actor will never work on the letter.
func (l *letter[T]) giveUp() bool { return l.state.CompareAndSwap(waits, givenUp) }

func (l *letter[T]) room() int64 { return l.places }

func (l *letter[T]) refuse(err error) {
	var none T
	l.answer(none, err)
}

// answer gives the one answer. Another one is dropped: it must neither block
// the actor nor reach whoever has the channel by now.
func (l *letter[T]) answer(value T, err error) {
	if l.answered {
		return
	}
	l.answered = true
	l.reply <- answer[T]{value, err} // size one, and empty: never blocks
}

// channels is a pool of reply channels of size one.
type channels[T any] struct{ pool sync.Pool }

func (c *channels[T]) get() chan answer[T] {
	if ch, ok := c.pool.Get().(chan answer[T]); ok {
		return ch
	}
	return make(chan answer[T], 1)
}

// write puts a letter's fields together; its channel comes from the pool.
func (c *channels[T]) write(ctx context.Context, places int64) letter[T] {
	return letter[T]{ctx: ctx, places: places, reply: c.get()}
}

// await waits for the answer. The channel goes back to the pool only here,
// empty; whoever leaves earlier leaves the channel to the collector (I3).
func (c *channels[T]) await(l *letter[T], halt <-chan struct{}) (T, error) {
	select {
	case a := <-l.reply:
		return c.opened(l, a)
	case <-l.ctx.Done():
		return c.leave(l)
	case <-halt:
		return c.halted(l)
	}
}

func (c *channels[T]) opened(l *letter[T], a answer[T]) (T, error) {
	c.pool.Put(l.reply)
	return a.value, a.err
}

// leave is for a caller that is out of time. An answer that is there already
// is still taken.
func (c *channels[T]) leave(l *letter[T]) (none T, err error) {
	if l.giveUp() {
		return none, outOfTime(l.ctx, "it was not carried out")
	}
	select {
	case a := <-l.reply:
		return c.opened(l, a)
	default:
		return none, outOfTime(l.ctx, "it may still be carried out")
	}
}

// halted is for a system that ends now: what has not begun is refused, what
// has begun is waited for, as its outcome is about to be known.
func (c *channels[T]) halted(l *letter[T]) (none T, err error) {
	if l.giveUp() {
		return none, errClosing()
	}
	select {
	case a := <-l.reply:
		return c.opened(l, a)
	case <-l.ctx.Done():
		return c.leave(l)
	}
}
