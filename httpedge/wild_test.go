package httpedge_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"loci/engine/memory"
	"loci/httpedge"
)

// Requests that no HTTP library would send, over bare connections.

func (h *house) dial() net.Conn {
	h.t.Helper()
	c, err := net.Dial("tcp", h.addr)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		h.t.Fatal(err)
	}
	return c
}

// raw writes bytes on a connection of their own and reads one answer. The
// write goes on while the answer is read, as with any client of a large body.
func (h *house) raw(request string) reply {
	h.t.Helper()
	c := h.dial()
	go func() { _, _ = io.WriteString(c, request) }()
	return h.answer(bufio.NewReader(c))
}

func (h *house) answer(from *bufio.Reader) reply {
	h.t.Helper()
	res, err := http.ReadResponse(from, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	if res.Close { // ReadResponse takes the header out of the map
		res.Header.Set("Connection", "close")
	}
	return reply{res.StatusCode, res.Header, body}
}

func chunked(body string) string {
	var b strings.Builder
	for len(body) > 0 {
		n := min(len(body), 60_000)
		fmt.Fprintf(&b, "%x\r\n%s\r\n", n, body[:n])
		body = body[n:]
	}
	return b.String() + "0\r\n\r\n"
}

func TestUnreadableRequests(t *testing.T) {
	h := open(t, httpedge.Options{})
	for _, c := range []struct {
		name, request string
		status        int
		code          memory.Code
	}{
		{"not HTTP", "hello there\r\n\r\n", 400, memory.Invalid},
		{"TLS to a plain port", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, memory.Invalid},
		{"bad header", "GET /healthz HTTP/1.1\r\nno colon here\r\n\r\n", 400, memory.Invalid},
		{"bad length", "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n", 400, memory.Invalid},
		{"bad chunk", "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n0\r\n\r\n", 400, memory.Invalid},
		{"two lengths", "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}   ", 400, memory.Invalid},
		{"header too large", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Big: " + strings.Repeat("x", 20_000) + "\r\n\r\n", 431, memory.TooLarge},
		{"address too long", "GET /" + strings.Repeat("x", 20_000) + " HTTP/1.1\r\nHost: x\r\n\r\n", 431, memory.TooLarge},
		{"length too large", "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\nabc", 413, memory.TooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := h.raw(c.request)
			expectProblem(t, r, c.status, c.code)
			if r.header.Get("Connection") != "close" {
				t.Error("the connection is not closed")
			}
		})
	}
	h.stillServes()
}

// TestExpectContinue: curl asks before it sends more than a megabyte.
func TestExpectContinue(t *testing.T) {
	h := open(t, httpedge.Options{})
	c := h.dial()
	fmt.Fprintf(c, "POST /echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key-a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 15\r\n\r\n")
	in := bufio.NewReader(c)
	if line, _ := in.ReadString('\n'); !strings.Contains(line, "100") {
		t.Fatalf("got %q", line)
	}
	_, _ = in.ReadString('\n')
	fmt.Fprint(c, `{"content":"x"}`)
	if r := h.answer(in); r.status != 200 {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// TestHostDoesNotMatter (E7).
func TestHostDoesNotMatter(t *testing.T) {
	h := open(t, httpedge.Options{PublicURL: "https://memory.example"})
	for _, path := range []string{"/openapi.json", "/api", "/nowhere"} {
		var bodies []string
		for _, host := range []string{"a.example", "evil.example:99"} {
			r := h.raw("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nX-Request-Id: same\r\n\r\n")
			if strings.Contains(string(r.body), host) || !strings.Contains(string(r.body), "https://memory.example") {
				t.Errorf("%s: shows %s or not its own address", path, host)
			}
			bodies = append(bodies, string(r.body))
		}
		if bodies[0] != bodies[1] {
			t.Errorf("%s depends on the Host header", path)
		}
	}
}

// TestSlowLoris: clients that dribble are cut off with 408 after the read
// timeout, and others are served meanwhile.
func TestSlowLoris(t *testing.T) {
	h := open(t, httpedge.Options{ReadTimeout: 700 * time.Millisecond})
	for name, start := range map[string]string{
		"header": "POST /echo HTTP/1.1\r\nHost: x\r\nX-Slow: ",
		"body":   "POST /echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key-a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
		"chunks": "POST /echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key-a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			var slow []net.Conn
			for range 20 {
				c := h.dial()
				if _, err := io.WriteString(c, start); err != nil {
					t.Fatal(err)
				}
				slow = append(slow, c)
			}
			h.stillServes()
			for _, c := range slow {
				expectProblem(t, h.answer(bufio.NewReader(c)), 408, memory.Invalid)
				c.Close()
			}
			h.stillServes()
		})
	}
}

// TestConnectionBound: one connection too many is told so, and there is room
// again when another closes.
func TestConnectionBound(t *testing.T) {
	h := open(t, httpedge.Options{Connections: 3})
	hold := func() (net.Conn, *bufio.Reader) {
		c := h.dial()
		fmt.Fprint(c, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
		in := bufio.NewReader(c)
		if r := h.answer(in); r.status != 200 {
			t.Fatalf("a connection within the bound: %d", r.status)
		}
		return c, in
	}
	first, _ := hold()
	hold()
	_, in := hold()
	r := h.raw("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
	expectProblem(t, r, 503, memory.Overloaded)
	if r.header.Get("Retry-After") == "" || r.header.Get("Connection") != "close" {
		t.Errorf("headers %v", r.header)
	}
	first.Close()
	for r.status != 200 { // until the server has seen the close
		r = h.raw("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	}
	_ = in
}
