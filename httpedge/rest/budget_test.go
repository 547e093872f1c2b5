package rest_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"strconv"
	"testing"

	"loci/engine/memory"
	"loci/httpedge"
	"loci/httpedge/rest"
)

// instant is a service that answers at once and allocates nothing, so that
// what is measured is the edge.
type instant struct {
	memory.Service
	result *memory.LearnResult
}

func (s instant) Learn(context.Context, memory.Caller, *memory.LearnRequest) (*memory.LearnResult, error) {
	return s.result, nil
}

// oneKey is an authenticator that allocates nothing either.
type oneKey struct{ who memory.Caller }

func (k oneKey) Authenticate(context.Context, string) (memory.Caller, error) { return k.who, nil }

const learnBody = `{"content":"Ada prefers tea to coffee, and takes it without sugar in the afternoon.","category":"preference","tags":["drinks","habits"],"project":"kitchen","agentId":"agent-7","confidence":0.9}`

// line is a client that allocates nothing: it sends the same bytes again and
// again and reads answers into one buffer.
type line struct {
	conn    net.Conn
	request []byte
	buffer  [8192]byte
}

func dial(tb testing.TB, addr string) *line {
	tb.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { c.Close() })
	request := fmt.Sprintf("POST /api/learn HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer loci_a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(learnBody), learnBody)
	return &line{conn: c, request: []byte(request)}
}

// send does one learn; it reports whether it was answered with 200.
func (l *line) send() bool {
	if _, err := l.conn.Write(l.request); err != nil {
		return false
	}
	for n := 0; n < len(l.buffer); {
		got, err := l.conn.Read(l.buffer[n:])
		if err != nil {
			return false
		}
		if n += got; complete(l.buffer[:n]) {
			return bytes.HasPrefix(l.buffer[:n], []byte("HTTP/1.1 200"))
		}
	}
	return false
}

var lengthHeader = []byte("Content-Length: ")

func complete(answer []byte) bool {
	head := bytes.Index(answer, []byte("\r\n\r\n"))
	at := bytes.Index(answer, lengthHeader)
	if head < 0 || at < 0 {
		return false
	}
	digits := answer[at+len(lengthHeader):]
	length, _ := strconv.Atoi(string(digits[:bytes.IndexByte(digits, '\r')]))
	return len(answer) >= head+4+length
}

func serveInstant(tb testing.TB) string {
	tb.Helper()
	result := &memory.LearnResult{Action: memory.Added, ID: memory.NewID(), Message: "added", Links: []memory.Link{{EntityID: memory.NewID(), Name: "Ada"}}}
	srv, err := httpedge.New(httpedge.Options{
		Auth:   oneKey{memory.Caller{Tenant: tenantA, KeyID: memory.NewID(), Scopes: both}},
		Routes: rest.Routes(instant{result: result}),
	})
	if err != nil {
		tb.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	tb.Cleanup(func() {
		if err := srv.Shutdown(context.Background()); err != nil {
			tb.Error(err)
		}
		<-served
	})
	return ln.Addr().String()
}

// TestLearnBudget bounds the allocations of one learn through the whole edge,
// network included: 10 for the request and what it keeps, 6 for its check, 4
// for the deadline, 1 each for the request id and the credential.
func TestLearnBudget(t *testing.T) {
	client := dial(t, serveInstant(t))
	got := testing.AllocsPerRun(500, func() {
		if !client.send() {
			t.Fatal("no answer")
		}
	})
	t.Logf("%v allocations", got)
	if got > 24+slack {
		t.Errorf("%v allocations for a learn, budget %d", got, 24+slack)
	}
}

func BenchmarkLearn(b *testing.B) {
	client := dial(b, serveInstant(b))
	b.ReportAllocs()
	for b.Loop() {
		if !client.send() {
			b.Fatal("no answer")
		}
	}
}

func BenchmarkLearnParallel(b *testing.B) {
	addr := serveInstant(b)
	b.SetParallelism(32)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		client := dial(b, addr)
		for pb.Next() {
			if !client.send() {
				b.Error("no answer")
				return
			}
		}
	})
}
