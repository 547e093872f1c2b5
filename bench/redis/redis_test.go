package redis

import (
	"errors"
	"io"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is a connection that has its answers ready and keeps what it is sent.
type fake struct {
	net.Conn
	answers io.Reader
	sent    strings.Builder
	closed  bool
}

func (f *fake) Read(p []byte) (int, error)  { return f.answers.Read(p) }
func (f *fake) Write(p []byte) (int, error) { return f.sent.Write(p) }
func (f *fake) SetDeadline(time.Time) error { return nil }
func (f *fake) Close() error                { f.closed = true; return nil }
func scripted(answers string) (*Conn, *fake) {
	f := &fake{answers: oneByOne{strings.NewReader(answers)}}
	return newConn(time.Second, func() (net.Conn, error) { return f, nil }), f
}

// oneByOne gives a byte at a time, the worst that TCP may do.
type oneByOne struct{ io.Reader }

func (o oneByOne) Read(p []byte) (int, error) { return o.Reader.Read(p[:min(len(p), 1)]) }

func TestSetOnTheWire(t *testing.T) {
	conn, f := scripted("+OK\r\n")
	if err := conn.Set([]byte("loci:1"), []byte("a\r\nb")); err != nil {
		t.Fatal(err)
	}
	want := "*3\r\n$3\r\nSET\r\n$6\r\nloci:1\r\n$4\r\na\r\nb\r\n"
	if diff := cmp.Diff(want, f.sent.String()); diff != "" {
		t.Errorf("command differs (-want +got):\n%s", diff)
	}
}

func TestReplies(t *testing.T) {
	for _, c := range []struct {
		name, answer string
		want         reply
		wrong        string
		closes       bool
	}{
		{"simple", "+PONG\r\n", reply{kind: '+', bytes: []byte("PONG")}, "", false},
		{"number", ":-12\r\n", reply{kind: ':', bytes: []byte("-12"), number: -12}, "", false},
		{"bulk", "$6\r\na\r\nb\r\n\r\n", reply{kind: '$', bytes: []byte("a\r\nb\r\n")}, "", false},
		{"empty bulk", "$0\r\n\r\n", reply{kind: '$', bytes: []byte{}}, "", false},
		{"null bulk", "$-1\r\n", reply{kind: '$'}, "", false},
		{"error", "-OOM command not allowed\r\n", reply{kind: '-', bytes: []byte("OOM command not allowed")}, "OOM", false},
		{"array", "*1\r\n$1\r\na\r\n", reply{}, "not understood", true},
		{"no carriage return", "+OK\n", reply{}, "malformed", true},
		{"bulk of wrong length", "$2\r\nabc\r\n", reply{}, "does not end", true},
		{"bulk too long", "$999999999999\r\n", reply{}, "too large", true},
		{"bulk cut short", "$5\r\nab", reply{}, "unexpected EOF", true},
		{"silence", "", reply{}, "EOF", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn, f := scripted(c.answer)
			got, err := conn.do(wordPing)
			if (err != nil) != (c.wrong != "") || (err != nil && !strings.Contains(err.Error(), c.wrong)) {
				t.Errorf("got error %v; want %q", err, c.wrong)
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(reply{})); diff != "" {
				t.Errorf("reply differs (-want +got):\n%s", diff)
			}
			if f.closed != c.closes {
				t.Errorf("closed is %v; want %v", f.closed, c.closes)
			}
		})
	}
}

func TestSetAcceptsNothingButOK(t *testing.T) {
	for _, answer := range []string{"+QUEUED\r\n", "$2\r\nOK\r\n", ":1\r\n", "-READONLY no\r\n"} {
		conn, _ := scripted(answer)
		if err := conn.Set([]byte("k"), []byte("v")); err == nil {
			t.Errorf("%q was taken for a success", answer)
		}
	}
}

func TestErrorKinds(t *testing.T) {
	for text, want := range map[Error]string{"OOM command not allowed": "redis OOM", "ERR": "redis ERR"} {
		if got := text.Kind(); got != want {
			t.Errorf("kind of %q is %q; want %q", text, got, want)
		}
	}
}

func TestBenchmarkTable(t *testing.T) {
	out := `"test","rps","avg_latency_ms"` + "\n" + `"SET","65123.45","0.5"` + "\n"
	if got, err := parseBenchmark([]byte(out)); err != nil || got != 65123.45 {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := parseBenchmark([]byte("nothing\n")); err == nil {
		t.Error("a table without SET was read")
	}
}

func TestMissingServerSaysSo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Start(t.Context(), t.TempDir()); !errors.Is(err, ErrMissing) {
		t.Errorf("got %v; want ErrMissing", err)
	}
	if _, err := Benchmark(t.Context(), "127.0.0.1:1", 1, 1, 1); !errors.Is(err, ErrMissing) {
		t.Errorf("got %v; want ErrMissing", err)
	}
	if Version() != "" {
		t.Error("a missing server has a version")
	}
}

func TestRealServer(t *testing.T) {
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("redis-server is not installed: the anchor is optional")
	}
	server, err := Start(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	conn := New(server.Addr, 5*time.Second)
	defer conn.Close()
	key, value := []byte("key"), []byte(strings.Repeat("v", 300))
	if err := conn.Set(key, value); err != nil {
		t.Fatal(err)
	}
	if got, err := conn.do([]byte("GET"), key); err != nil || string(got.bytes) != string(value) {
		t.Errorf("got %q, %v", got.bytes, err)
	}
	if allocs := testing.AllocsPerRun(100, func() { _ = conn.Set(key, value) }); allocs > 0 {
		t.Errorf("%v allocations for a SET", allocs)
	}
	server.Stop()
	if err := conn.Set(key, value); err == nil {
		t.Error("a stopped server answered")
	}
}
