package redis

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"time"
)

// Conn is one connection to a Redis, dialled when it is first needed (I1).
type Conn struct {
	dial    func() (net.Conn, error)
	timeout time.Duration
	tcp     net.Conn
	in      *bufio.Reader
	out     []byte
	scratch []byte
}

// New is a connection to the server at addr on which each command may take at
// most timeout.
func New(addr string, timeout time.Duration) *Conn {
	return newConn(timeout, func() (net.Conn, error) { return net.DialTimeout("tcp", addr, timeout) })
}

func newConn(timeout time.Duration, dial func() (net.Conn, error)) *Conn {
	return &Conn{dial: dial, timeout: timeout, in: bufio.NewReaderSize(nil, 16<<10)}
}

var (
	wordSet  = []byte("SET")
	wordPing = []byte("PING")
)

// Set stores value under key and waits until Redis says OK, which with
// appendfsync always is after fsync.
func (c *Conn) Set(key, value []byte) error {
	r, err := c.do(wordSet, key, value)
	if err != nil {
		return fmt.Errorf("set: %w", err)
	}
	if r.kind != '+' || string(r.bytes) != "OK" {
		return fmt.Errorf("set: reply is %q, not OK", r.bytes)
	}
	return nil
}

// Ping asks whether the server answers.
func (c *Conn) Ping() error {
	if _, err := c.do(wordPing); err != nil {
		return fmt.Errorf("ping: %w", err)
	}
	return nil
}

// Close ends the connection; it may be closed twice.
func (c *Conn) Close() {
	if c.tcp != nil {
		_ = c.tcp.Close()
		c.tcp = nil
	}
}

func (c *Conn) do(words ...[]byte) (reply, error) {
	if err := c.ready(); err != nil {
		return reply{}, err
	}
	c.out = appendCommand(c.out[:0], words...)
	r, err := c.exchange()
	if err != nil && !isRefusal(err) {
		c.Close()
	}
	return r, err
}

func isRefusal(err error) bool {
	var refused Error
	return errors.As(err, &refused)
}

func (c *Conn) ready() error {
	if c.tcp != nil {
		return nil
	}
	tcp, err := c.dial()
	if err != nil {
		// A dead server must not cost a core: a closed loop would dial it
		// without end.
		time.Sleep(time.Millisecond)
		return fmt.Errorf("dial: %w", err)
	}
	c.tcp = tcp
	c.in.Reset(tcp)
	return nil
}

func (c *Conn) exchange() (r reply, err error) {
	if err := c.tcp.SetDeadline(time.Now().Add(c.timeout)); err != nil {
		return r, err
	}
	if _, err := c.tcp.Write(c.out); err != nil {
		return r, err
	}
	r, c.scratch, err = readReply(c.in, c.scratch)
	return r, err
}
