package rawhttp

import (
	"bufio"
	"fmt"
	"net"
	"net/netip"
	"time"
)

// Conn is one connection to a server, dialled when it is first needed (I1).
type Conn struct {
	addr    string
	timeout time.Duration
	tcp     net.Conn
	in      *bufio.Reader
	body    []byte
}

// New is a connection to addr (an IP address and a port, loopback only: I4)
// on which each request may take at most timeout.
func New(addr string, timeout time.Duration) (*Conn, error) {
	if err := CheckLoopback(addr); err != nil {
		return nil, err
	}
	return &Conn{addr: addr, timeout: timeout, in: bufio.NewReaderSize(nil, 16<<10)}, nil
}

// CheckLoopback refuses every address that leaves this machine (I4).
func CheckLoopback(addr string) error {
	parsed, err := netip.ParseAddrPort(addr)
	if err != nil {
		return fmt.Errorf("address %q: %w", addr, err)
	}
	if !parsed.Addr().IsLoopback() {
		return fmt.Errorf("address %q: only loopback addresses are measured", addr)
	}
	return nil
}

// Do sends the bytes of a request and reads the answer (I2, I3).
func (c *Conn) Do(request []byte) (status int, body []byte, err error) {
	if err := c.ready(); err != nil {
		return 0, nil, err
	}
	status, last, err := c.exchange(request)
	if err != nil || last {
		c.Close()
	}
	if err != nil {
		return 0, nil, fmt.Errorf("exchange with %s: %w", c.addr, err)
	}
	return status, c.body, nil
}

// Close ends the connection; it may be closed twice.
func (c *Conn) Close() {
	if c.tcp != nil {
		_ = c.tcp.Close()
		c.tcp = nil
	}
}

func (c *Conn) ready() error {
	if c.tcp != nil {
		return nil
	}
	tcp, err := net.DialTimeout("tcp", c.addr, c.timeout)
	if err != nil {
		// A dead server must not cost a core: a closed loop would dial it
		// without end.
		time.Sleep(time.Millisecond)
		return fmt.Errorf("dial %s: %w", c.addr, err)
	}
	c.tcp = tcp
	c.in.Reset(tcp)
	return nil
}

func (c *Conn) exchange(request []byte) (status int, last bool, err error) {
	if err := c.tcp.SetDeadline(time.Now().Add(c.timeout)); err != nil {
		return 0, false, err
	}
	if _, err := c.tcp.Write(request); err != nil {
		return 0, false, err
	}
	head, err := readHead(c.in)
	if err != nil {
		return 0, false, err
	}
	c.body, err = readBody(c.in, c.body[:0], head.length)
	return head.status, head.last, err
}
