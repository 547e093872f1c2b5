package rawhttp

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/valyala/fasthttp"
	"go.uber.org/goleak"
)

// The two that are passed over are fasthttp's own and end by themselves, up to
// ten seconds after Shutdown, or never (its clock for the Date header).
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2"),
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1"))
}

// scripted accepts one connection for each answer, waits for a request and
// sends the answer, whatever was asked.
func scripted(t *testing.T, answers ...string) (addr string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, answer := range answers {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 4096))
			_, _ = io.WriteString(conn, answer)
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() { _ = listener.Close(); <-done })
	return listener.Addr().String()
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		name, answer string
		status       int
		body, wrong  string
	}{
		{"plain", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello", ""},
		{"any case, bare newlines", "HTTP/1.1 200 OK\ncontent-length:5\n\nhello", 200, "hello", ""},
		{"other headers", "HTTP/1.1 503 Busy\r\nDate: x\r\nContent-Type: t\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n", 503, "", ""},
		{"no content", "HTTP/1.1 204 No Content\r\n\r\n", 204, "", ""},
		{"cut short", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", 0, "", "unexpected EOF"},
		{"silence", "", 0, "", "EOF"},
		{"not HTTP", "+PONG\r\n\r\n", 0, "", "not HTTP/1"},
		{"no length", "HTTP/1.1 200 OK\r\n\r\nhello", 0, "", "without Content-Length"},
		{"length is no number", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", 0, "", "malformed"},
		{"length is empty", "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", 0, "", "empty"},
		{"length too large", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", 0, "", "too large"},
		{"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 0, "", "chunked"},
		{"endless header", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 20<<10), 0, "", "buffer full"},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn, err := New(scripted(t, c.answer), 5*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			status, body, err := conn.Do(Get("127.0.0.1", "/"))
			if status != c.status || string(body) != c.body {
				t.Errorf("got %d %q; want %d %q", status, body, c.status, c.body)
			}
			if (err != nil) != (c.wrong != "") || (err != nil && !strings.Contains(err.Error(), c.wrong)) {
				t.Errorf("got error %v; want %q", err, c.wrong)
			}
		})
	}
}

func TestConnectionIsDialledAgain(t *testing.T) {
	good := "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
	conn, err := New(scripted(t, good, "nonsense", good), 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var got []bool
	for range 3 {
		_, _, err := conn.Do(Get("127.0.0.1", "/"))
		got = append(got, err == nil)
	}
	if diff := cmp.Diff([]bool{true, false, true}, got); diff != "" {
		t.Errorf("outcomes differ (-want +got):\n%s", diff)
	}
}

func TestSilentServerTimesOut(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	conn, err := New(listener.Addr().String(), 20*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := conn.Do(Get("127.0.0.1", "/")); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("got %v; want a timeout", err)
	}
}

func TestOnlyLoopbackIsDialled(t *testing.T) {
	for addr, good := range map[string]bool{
		"127.0.0.1:80": true, "[::1]:80": true, "127.9.9.9:80": true,
		"192.0.2.1:80": false, "0.0.0.0:80": false, "localhost:80": false, "127.0.0.1": false, "": false,
	} {
		if _, err := New(addr, time.Second); (err == nil) != good {
			t.Errorf("%q: %v", addr, err)
		}
	}
}

// echo is a real server that sends back what it got.
func echo(t *testing.T) (addr string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, done := &fasthttp.Server{Handler: func(ctx *fasthttp.RequestCtx) {
		ctx.SetBody(append(ctx.Request.Header.Peek("Authorization"), ctx.PostBody()...))
	}}, make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Shutdown(); <-done })
	return listener.Addr().String()
}

func TestRequestsAreUnderstoodAndAnswersRead(t *testing.T) {
	addr := echo(t)
	conn, err := New(addr, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	post := NewPost(addr, "/", "secret")
	for _, body := range []string{"{}", "", strings.Repeat("long ", 50_000), "{}"} {
		status, got, err := conn.Do(post.Append(nil, []byte(body)))
		if err != nil || status != 200 {
			t.Fatal(status, err)
		}
		if diff := cmp.Diff("Bearer secret"+body, string(got)); diff != "" {
			t.Errorf("echo differs (-want +got):\n%s", diff)
		}
	}
}

func TestReadingAnAnswerAllocatesNothing(t *testing.T) {
	answer := "HTTP/1.1 200 OK\r\nServer: s\r\nContent-Type: application/json\r\nContent-Length: 5\r\nX-Request-Id: 1\r\n\r\nhello"
	source, post := strings.NewReader(answer), NewPost("127.0.0.1:1", "/api/learn", "key")
	in, body, request := bufio.NewReader(source), make([]byte, 0, 16), make([]byte, 0, 512)
	allocs := testing.AllocsPerRun(1000, func() {
		source.Reset(answer)
		in.Reset(source)
		h, err := readHead(in)
		if err == nil {
			body, err = readBody(in, body[:0], h.length)
		}
		request = post.Append(request[:0], body)
		if err != nil || NotOK(h.status, body) != nil {
			t.Error(h, err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations for an exchange", allocs)
	}
}
