package httpedge_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"loci/engine/memory"
	"loci/httpedge"
)

func gzipped(t *testing.T, plain []byte) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func zstded(t *testing.T, plain []byte) string {
	t.Helper()
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll(plain, nil))
}

func TestContentType(t *testing.T) {
	h := open(t, httpedge.Options{})
	for kind, good := range map[string]bool{
		"application/json": true, "application/json; charset=utf-8": true, "Application/JSON;charset=\"UTF-8\"": true,
		"text/plain": false, "application/json; charset=latin1": false, "application/problem+json": false, "application/x-www-form-urlencoded": false, "": false, "json": false, "a/b/c": false,
	} {
		r := h.call("POST", "/echo", `{"content":"x"}`, "Authorization", bearerA, "Content-Type", kind)
		if good && r.status != 200 {
			t.Errorf("%q: %d %s", kind, r.status, r.body)
		}
		if !good {
			expectProblem(t, r, 415, memory.Unsupported)
		}
	}
	h.stillServes()
}

func TestCompressedBodies(t *testing.T) {
	h := open(t, httpedge.Options{})
	plain := []byte(`{"content":"` + strings.Repeat("tea ", 1000) + `"}`)
	for _, c := range []struct{ encoding, body string }{
		{"gzip", gzipped(t, plain)}, {"GZIP", gzipped(t, plain)}, {"zstd", zstded(t, plain)}, {"identity", string(plain)},
	} {
		r := h.call("POST", "/echo", c.body, "Authorization", bearerA, "Content-Encoding", c.encoding)
		var got echoed
		if err := json.Unmarshal(r.body, &got); err != nil || len(got.Content) != 4000 {
			t.Errorf("%s: %d %s", c.encoding, r.status, r.body)
		}
	}
	for _, encoding := range []string{"br", "deflate", "gzip, gzip", "compress"} {
		expectProblem(t, h.call("POST", "/echo", string(plain), "Authorization", bearerA, "Content-Encoding", encoding), 415, memory.Unsupported)
	}
	for _, c := range []struct{ encoding, body string }{
		{"gzip", "not gzip"}, {"gzip", gzipped(t, plain)[:40]}, {"zstd", "not zstd"}, {"zstd", zstded(t, plain)[:30]}, {"gzip", zstded(t, plain)},
	} {
		r := h.call("POST", "/echo", c.body, "Authorization", bearerA, "Content-Encoding", c.encoding)
		expectField(t, expectProblem(t, r, 400, memory.Invalid), "body")
	}
	same := func(headers ...string) string {
		var got echoed
		all := append([]string{"Authorization", bearerA, "Idempotency-Key", "k"}, headers...)
		body := string(plain)
		if len(headers) > 0 {
			body = gzipped(t, plain)
		}
		if err := json.Unmarshal(h.call("POST", "/echo", body, all...).body, &got); err != nil {
			t.Fatal(err)
		}
		return got.Sum
	}
	if same() != same("Content-Encoding", "gzip") {
		t.Error("the sum of a body depends on how it was compressed")
	}
}

// TestBombs: a few kilobytes that unfold to 64 MiB get 413, in bounded memory.
func TestBombs(t *testing.T) {
	h := open(t, httpedge.Options{})
	megabyte := make([]byte, 1<<20) // both formats allow parts to be strung together
	for encoding, body := range map[string]string{"gzip": strings.Repeat(gzipped(t, megabyte), 64), "zstd": strings.Repeat(zstded(t, megabyte), 64)} {
		if len(body) > 1<<20 {
			t.Fatalf("the %s bomb has %d bytes", encoding, len(body))
		}
		before := allocated()
		expectProblem(t, h.call("POST", "/echo", body, "Authorization", bearerA, "Content-Encoding", encoding), 413, memory.TooLarge)
		if allocated := allocated() - before; allocated > 32<<20 {
			t.Errorf("%s: %d MiB were allocated for one bomb (E5)", encoding, allocated>>20)
		}
	}
	h.stillServes()
}

// allocated counts the bytes that the process has ever asked for.
func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

// bodyOf makes a valid request of exactly n bytes.
func bodyOf(n int) string {
	const frame = `{"content":""}`
	return `{"content":"` + strings.Repeat("x", n-len(frame)) + `"}`
}

func TestBodyLimit(t *testing.T) {
	h := open(t, httpedge.Options{})
	const limit = 1 << 20
	for name, body := range map[string]string{"length": bodyOf(limit), "gzip": gzipped(t, []byte(bodyOf(limit)))} {
		headers := []string{"Authorization", bearerA}
		if name == "gzip" {
			headers = append(headers, "Content-Encoding", "gzip")
		}
		if r := h.call("POST", "/echo", body, headers...); r.status != 200 {
			t.Errorf("%s at the limit: %d %.200s", name, r.status, r.body)
		}
	}
	expectProblem(t, h.call("POST", "/echo", gzipped(t, []byte(bodyOf(limit+1))), "Authorization", bearerA, "Content-Encoding", "gzip"), 413, memory.TooLarge)
	expectProblem(t, h.call("POST", "/echo", bodyOf(limit+1), "Authorization", bearerA), 413, memory.TooLarge)
	expectProblem(t, h.call("POST", "/echo", bodyOf(4*limit), "Authorization", bearerA), 413, memory.TooLarge)
	h.stillServes()

	for _, n := range []int{limit, limit + 1} {
		r := h.raw("POST /echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key-a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(bodyOf(n)))
		if n == limit && r.status != 200 {
			t.Errorf("chunked at the limit: %d", r.status)
		}
		if n > limit {
			expectProblem(t, r, 413, memory.TooLarge)
			if r.header.Get("Connection") != "close" {
				t.Error("a connection with half a body in it is kept open")
			}
		}
	}
	h.stillServes()
}

func TestCompressedAnswers(t *testing.T) {
	h := open(t, httpedge.Options{})
	long, short := strings.Repeat("tea ", 500), "tea"
	for _, c := range []struct{ accept, want string }{
		{"", ""}, {"gzip", "gzip"}, {"zstd", "zstd"}, {"gzip, zstd", "zstd"}, {"gzip, deflate, br, zstd", "zstd"}, {"gzip;q=1.0, zstd;q=0.5", "gzip"},
		{"gzip;q=0", ""}, {"*", "zstd"}, {"*;q=0", ""}, {"zstd;q=0, *", "gzip"}, {"br", ""}, {"gzip;q=0.5, identity", ""}, {"gzip;q=x", ""}, {"GZIP", "gzip"}, {"gzip;q=NaN", ""},
	} {
		r := h.echo(long, "Accept-Encoding", c.accept)
		if got := r.header.Get("Content-Encoding"); got != c.want {
			t.Errorf("%q: got %q, want %q", c.accept, got, c.want)
		}
		if r.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: Vary %q", c.accept, r.header.Get("Vary"))
		}
		var got echoed
		if err := json.Unmarshal(unpack(t, c.want, r.body), &got); err != nil || got.Content != long {
			t.Errorf("%q: %v", c.accept, err)
		}
		if r := h.echo(short, "Accept-Encoding", c.accept); r.header.Get("Content-Encoding") != "" {
			t.Errorf("%q: a short answer was compressed", c.accept)
		}
	}
}

func unpack(t *testing.T, encoding string, body []byte) []byte {
	t.Helper()
	var in io.Reader = bytes.NewReader(body)
	switch encoding {
	case "gzip":
		g, err := gzip.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		in = g
	case "zstd":
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		in = z
	}
	plain, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}
