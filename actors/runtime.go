package actors

import (
	"fmt"
	"runtime/debug"
	"strconv"
	"sync/atomic"

	"github.com/anthdm/hollywood/actor"

	"loci/engine/memory"
)

// inboxSize is the ring an idle actor keeps: 1 KB an actor with 16, 28 KB with
// hollywood's own 1,024. It grows by itself; the gate says how far (I2, I7).
const inboxSize = 16

// behaviour is what an actor does. The mailbox calls one method at a time.
type behaviour interface {
	// receive works on all messages that were waiting, up to 4,096.
	receive(batch []message)
	// crashed is told when receive panicked, before finished.
	crashed(batch []message, crash *crash)
	// finished is the last call for a batch, whatever happened. What the batch
	// held on to is let go here.
	finished(batch []message)
}

// crash is a panic, caught.
type crash struct {
	value any
	stack []byte
}

func (c *crash) Error() string { return fmt.Sprintf("panic: %v", c.value) }

// host runs mailboxes on hollywood. This file is the only one that knows
// it, and uses three things of it: SpawnProc, Registry.Remove and the inbox.
//
// What hollywood would do, and why it cannot happen here: its own process calls
// a nil func after MaxRestarts, which ends the program (we bring our own, with
// our own recover); Request draws reply ids of 31 bits, so answers can be mixed
// up (a message brings its own channel); a second Respond blocks the actor (see
// letter.answer); a message to an actor that has gone becomes a dead letter
// (we send to the mailbox itself, and stop it only when it is empty, I2); an id
// used twice silently drops the second actor (ours are numbered).
type host struct {
	engine  *actor.Engine
	spawned atomic.Uint64
}

func newHost() (*host, error) {
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		return nil, fmt.Errorf("start the actor runtime: %w", err)
	}
	return &host{engine: engine}, nil
}

// mailbox is our hollywood Processer: an inbox and the behaviour behind it.
type mailbox struct {
	host  *host
	pid   *actor.PID
	inbox *actor.Inbox
	actor behaviour
	batch []message // scratch of Invoke
}

var _ actor.Processer = (*mailbox)(nil)

// mailbox makes a mailbox that takes messages but works on none before open.
func (h *host) mailbox(t memory.TenantID, b behaviour) *mailbox {
	id := "tenant/" + t.String() + "/" + strconv.FormatUint(h.spawned.Add(1), 10)
	return &mailbox{
		host: h, actor: b,
		pid:   actor.NewPID(h.engine.Address(), id),
		inbox: actor.NewInbox(inboxSize),
	}
}

func (m *mailbox) open() { m.host.engine.SpawnProc(m) }

// send never blocks. The sender has been admitted: the inbox has no bound.
func (m *mailbox) send(msg message) { m.inbox.Send(actor.Envelope{Msg: msg}) }

// stop ends an empty mailbox (I2). It may be called twice.
func (m *mailbox) stop() { m.Shutdown() }

// Start is hollywood's.
func (m *mailbox) Start() { m.inbox.Start(m) }

// PID is hollywood's.
func (m *mailbox) PID() *actor.PID { return m.pid }

// Send is hollywood's way in; we use send.
func (m *mailbox) Send(_ *actor.PID, msg any, sender *actor.PID) {
	m.inbox.Send(actor.Envelope{Msg: msg, Sender: sender})
}

// Shutdown is hollywood's.
func (m *mailbox) Shutdown() {
	_ = m.inbox.Stop() // always nil
	m.host.engine.Registry.Remove(m.pid)
}

// Invoke works on a batch. No panic leaves it: it would end the process.
func (m *mailbox) Invoke(envelopes []actor.Envelope) {
	batch := m.unpack(envelopes)
	if crash := catch(func() { m.actor.receive(batch) }); crash != nil {
		_ = catch(func() { m.actor.crashed(batch, crash) }) // an event's own panic; the batch is still finished
	}
	_ = catch(func() { m.actor.finished(batch) })
	m.tidy()
}

// tidy lets an idle actor hold on to no message and to little memory.
func (m *mailbox) tidy() {
	clear(m.batch)
	if cap(m.batch) > keptBatch {
		m.batch = nil
	}
}

// keptBatch is the longest scratch an actor keeps between batches: 4 KB.
const keptBatch = 256

// unpack leaves out what is not ours: hollywood's poison pills.
func (m *mailbox) unpack(envelopes []actor.Envelope) []message {
	m.batch = m.batch[:0]
	for _, e := range envelopes {
		if msg, ok := e.Msg.(message); ok {
			m.batch = append(m.batch, msg)
		}
	}
	return m.batch
}

// catch runs work and returns its panic, if it has one.
func catch(work func()) (caught *crash) {
	defer func() {
		if value := recover(); value != nil {
			caught = &crash{value, debug.Stack()}
		}
	}()
	work()
	return nil
}
