// Package actors says who may do what, when. Every live tenant has one actor;
// its mailbox is the one place where the tenant's writes are put in order. A
// [System] is the memory.Service that the edge talks to.
//
// A write is admitted (or refused, if a queue is full), prepared on the
// caller's goroutine, and sent to the tenant's actor. The actor takes all
// messages that wait, stages their writes as one change, has it made durable
// by one [Log.Append], publishes it, and answers. A read takes a slot, pins the
// tenant's current view with one atomic load and runs on the caller's
// goroutine; only the first read of a sleeping tenant goes through the mailbox,
// to wake it.
//
// Invariants:
//
//	I1  A tenant has at most one actor. A new one is made only after the gate
//	    of the old one was shut while nobody was inside.
//	I2  A message holds places in its tenant's gate from before it is sent
//	    until its actor is done with the batch it came in. A mailbox is stopped
//	    only when its gate is shut and empty, so no message is ever lost.
//	I3  A message is answered once, on a channel that is its own. The channel is
//	    used again only after its one answer was taken; a channel that was left
//	    behind by a timeout is never used again.
//	I4  A write is acknowledged after Append and after Publish, in this order.
//	    Groups are appended and published in the order they were staged.
//	I5  After a failed Append or a panic the partition is thrown away; the last
//	    published view stays for readers, and nothing is written until the
//	    partition has been opened again.
//	I6  The tenant of a call is the tenant of its memory.Caller. No request can
//	    name another.
//	I7  Every queue has a bound. Full means memory.Overloaded with a time to come
//	    back, and is counted in [Stats].
//
// Caveats: what Go calls fatal (a concurrent map write, no memory left) ends
// the process and cannot be recovered here. A read slot bounds work on the
// engine, not on the embedder: an embedder bounds itself.
package actors
