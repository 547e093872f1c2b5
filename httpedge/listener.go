package httpedge

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	lingerTime  = 2 * time.Second
	lingerBytes = 8 << 20
	// refusals that are being written at once; beyond it a connection is
	// closed without a word, so that a flood costs no goroutines.
	maxRefusals = 64
)

// gate bounds the open connections of all listeners (E5).
type gate struct {
	limit    int64
	open     atomic.Int64
	refusing atomic.Int64
	refusals sync.WaitGroup
	answer   func() []byte
}

func newGate(limit int, answer func() []byte) *gate {
	return &gate{limit: int64(limit), answer: answer}
}

// admit counts a connection in, or refuses it.
func (g *gate) admit(c net.Conn) bool {
	if g.open.Add(1) <= g.limit {
		return true
	}
	g.open.Add(-1)
	if g.refusing.Add(1) > maxRefusals {
		g.refusing.Add(-1)
		_ = c.Close()
		return false
	}
	g.refusals.Go(func() {
		defer g.refusing.Add(-1)
		_ = c.SetWriteDeadline(time.Now().Add(lingerTime))
		_, _ = c.Write(g.answer()) // a client that is gone needs no answer
		closeGently(c)
	})
	return false
}

// wait returns when no refusal is being written any more.
func (g *gate) wait() { g.refusals.Wait() }

// listener hands out connections that the gate has counted.
type listener struct {
	net.Listener
	gate *gate
	once sync.Once
	err  error
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.gate.admit(c) {
			return &conn{Conn: c, gate: l.gate}, nil
		}
	}
}

// Close may be called twice; both we and fasthttp do.
func (l *listener) Close() error {
	l.once.Do(func() { l.err = l.Listener.Close() })
	return l.err
}

// conn is a counted connection.
type conn struct {
	net.Conn
	gate    *gate
	lingers atomic.Bool // the client may still be sending what nobody will read
	once    sync.Once
}

// Close counts the connection out.
func (c *conn) Close() (err error) {
	c.once.Do(func() {
		defer c.gate.open.Add(-1)
		if c.lingers.Load() {
			closeGently(c.Conn)
			return
		}
		err = c.Conn.Close()
	})
	return err
}

// closeGently ends our side, then reads for a while what the client still
// sends: closing with unread bytes makes the kernel reset the connection, and
// a reset can overtake the answer (RFC 9112, 9.6).
func closeGently(c net.Conn) {
	defer c.Close()
	half, ok := c.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return
	}
	_ = c.SetReadDeadline(time.Now().Add(lingerTime))
	_, _ = io.CopyN(io.Discard, c, lingerBytes)
}
