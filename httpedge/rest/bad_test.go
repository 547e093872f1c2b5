package rest_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
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

// badBody is a body that must be refused, and the field that must be named.
type badBody struct {
	name, path, body, field string
	status                  int
	code                    memory.Code
}

func bad(name, path, body, field string) badBody {
	return badBody{name, path, body, field, 400, memory.Invalid}
}

var badBodies = []badBody{
	bad("malformed", "/api/learn", `{"content": "x"`, "body"),
	bad("empty", "/api/learn", ` `, "body"),
	bad("a list", "/api/learn", `["x"]`, "body"),
	bad("two values", "/api/learn", `{"content":"x"}{"content":"y"}`, "body"),
	bad("content is a number", "/api/learn", `{"content":7}`, "content"),
	bad("tags is a text", "/api/learn", `{"content":"x","tags":"y"}`, "tags"),
	bad("unknown field", "/api/learn", `{"content":"x","colour":"red"}`, "colour"),
	bad("field twice", "/api/learn", `{"content":"x","content":"y"}`, "content"),
	bad("invalid UTF-8", "/api/learn", "{\"content\":\"a\xff\"}", "content"),
	bad("invalid UTF-8 in metadata", "/api/learn", "{\"content\":\"a\",\"metadata\":{\"k\":\"\xc3\"}}", "metadata.k"),
	bad("half a surrogate pair", "/api/learn", `{"content":"\ud83d"}`, "content"),
	bad("NUL escaped", "/api/learn", `{"content":"a\u0000b"}`, "content"),
	bad("NUL raw", "/api/learn", "{\"content\":\"a\x00b\"}", "content"),
	bad("NUL in metadata", "/api/learn", `{"content":"a","metadata":{"k":"\u0000"}}`, "metadata.k"),
	bad("no content", "/api/learn", `{}`, "content"),
	bad("null content", "/api/learn", `{"content":null}`, "content"),
	bad("empty content", "/api/learn", `{"content":""}`, "content"),
	bad("blank content", "/api/learn", `{"content":" \n\t\u00a0 "}`, "content"),
	bad("10,001 characters", "/api/learn", `{"content":"`+strings.Repeat("ä", 10_001)+`"}`, "content"),
	bad("NaN confidence", "/api/learn", `{"content":"x","confidence":NaN}`, "confidence"),
	bad("Infinity", "/api/learn", `{"content":"x","confidence":-Infinity}`, "confidence"),
	bad("confidence above 1", "/api/learn", `{"content":"x","confidence":1.01}`, "confidence"),
	bad("reversed validity", "/api/learn", `{"content":"x","validFrom":"2026-02-01","validTo":"2026-01-01"}`, "validTo"),
	bad("empty validity", "/api/learn", `{"content":"x","validFrom":"2026-02-01","validTo":"2026-02-01T00:00:00Z"}`, "validTo"),
	bad("not a time", "/api/learn", `{"content":"x","occurredAt":"soon"}`, "occurredAt"),
	bad("not a source", "/api/learn", `{"content":"x","source":"rumour"}`, "source"),
	bad("not an id", "/api/learn", `{"content":"x","supersedes":"y"}`, "supersedes"),
	bad("too many tags", "/api/learn", `{"content":"x","tags":["`+strings.Repeat(`a","`, 50)+`b"]}`, "tags"),
	bad("tag too long", "/api/learn", `{"content":"x","tags":["`+strings.Repeat("a", 101)+`"]}`, "tags"),
	bad("metadata is a list", "/api/learn", `{"content":"x","metadata":[1]}`, "metadata"),
	bad("metadata too large", "/api/learn", `{"content":"x","metadata":{"k":"`+strings.Repeat("a", 17_000)+`"}}`, "metadata"),
	bad("metadata too deep", "/api/learn", `{"content":"x","metadata":{"k":`+strings.Repeat("[", 40)+strings.Repeat("]", 40)+`}}`, "metadata"),
	bad("empty batch", "/api/learn/batch", `{"items":[]}`, "items"),
	bad("no batch", "/api/learn/batch", `{}`, "items"),
	bad("batch too long", "/api/learn/batch", `{"items":[`+strings.Repeat(`{"content":"x"},`, 1000)+`{"content":"x"}]}`, "items"),
	bad("batch unknown field", "/api/learn/batch", `{"items":[{"content":"x"}],"mode":1}`, "mode"),
	bad("batch malformed", "/api/learn/batch", `{"items":[{"content":"x"},{]}`, "items"),
	bad("decision without reasons", "/api/decide", `{"title":"t","decision":"d"}`, "reasoning"),
	bad("alternatives are numbers", "/api/decide", `{"title":"t","decision":"d","reasoning":"r","alternatives":[1]}`, "alternatives"),
	bad("entity without a kind", "/api/entity", `{"name":"Ada"}`, "entityType"),
	bad("observation reversed", "/api/entity", `{"name":"A","entityType":"p","observations":[{"content":"x","validFrom":"2026-02-01","validTo":"2026-01-01"}]}`, "observations"),
	bad("relation to nobody", "/api/entity", `{"name":"A","entityType":"p","relations":[{"relationType":"knows"}]}`, "relations"),
	bad("search for nothing", "/api/search", `{"query":" "}`, "query"),
	bad("limit 0", "/api/search", `{"query":"x","limit":0}`, "limit"),
	bad("limit 101", "/api/search", `{"query":"x","limit":101}`, "limit"),
	bad("limit 1.5", "/api/search", `{"query":"x","limit":1.5}`, "limit"),
	bad("unknown type", "/api/search", `{"query":"x","types":["rumour"]}`, "types"),
	bad("unknown operator", "/api/search", `{"query":"x","filter":{"a":{"like":"b"}}}`, "filter"),
	bad("reversed dates", "/api/search", `{"query":"x","dateRangeStart":"2026-02-01","dateRangeEnd":"2026-01-01"}`, "dateRangeEnd"),
	bad("no budget", "/api/context", `{"query":"x"}`, "tokenBudget"),
	bad("nothing to forget", "/api/forget", `{}`, "ids"),
	bad("forget everything", "/api/forget", `{"filter":{}}`, "filter"),
	bad("forget by both", "/api/forget", `{"ids":["`+someID+`"],"filter":{"project":"p"}}`, "filter"),
}

const someID = "0199f7f4-6f1c-7cc0-8a53-5d0e3c8f1a2b"

// TestBadBodies: each is refused by name, nothing reaches the service, and
// the same connection serves the next request.
func TestBadBodies(t *testing.T) {
	h := open(t)
	h.call("loci_a", "GET", "/api/memories", "")
	for _, c := range badBodies {
		t.Run(c.name, func(t *testing.T) {
			before := h.callCount()
			r := h.call("loci_a", "POST", c.path, c.body)
			if p := expectProblem(t, r, c.status, c.code); !p.names(c.field) {
				t.Errorf("%s does not name %s", r.body, c.field)
			}
			if h.callCount() != before {
				t.Error("the service was called (R1)")
			}
			if !r.reused {
				t.Error("the connection before it was not usable")
			}
		})
	}
	if r := h.call("loci_a", "POST", "/api/learn", `{"content":"good"}`); r.status != 200 || !r.reused {
		t.Errorf("afterwards: %d, same connection %v", r.status, r.reused)
	}
}

func TestBadQueries(t *testing.T) {
	h := open(t)
	for _, c := range []struct{ path, field string }{
		{"/api/memories?limit=0", "limit"}, {"/api/memories?limit=101", "limit"}, {"/api/memories?limit=ten", "limit"}, {"/api/memories?colour=red", "colour"},
		{"/api/memories?types=rumour", "types"}, {"/api/memories?filter={", "filter"}, {"/api/memories?filter=3", "filter"}, {"/api/memories?asOf=now", "asOf"},
		{"/api/memories?project=%00", "project"}, {"/api/memories?project=%ff", "project"}, {"/api/entities?limit=0", "limit"}, {"/api/entities/" + someID + "?depth=4", "depth"},
		{"/api/entities/" + someID + "?depth=0", "depth"}, {"/api/graph", "entity"}, {"/api/graph?entity=%20", "entity"}, {"/api/graph?entity=A&depth=9", "depth"},
		{"/api/timeline?from=2026-02-01&to=2026-01-01", "to"}, {"/api/timeline?limit=1&limit=2", "limit"},
	} {
		r := h.call("loci_a", "GET", c.path, "")
		if p := expectProblem(t, r, 400, memory.Invalid); !p.names(c.field) {
			t.Errorf("%s: %s does not name %s", c.path, r.body, c.field)
		}
	}
	if h.callCount() != 0 {
		t.Errorf("the service was called: %v (R1)", h.calls)
	}
}

func TestUnknownAndForeignIDs(t *testing.T) {
	h := open(t)
	foreign := h.remember("loci_b", "B's secret")
	before := h.callCount()
	for _, id := range []string{"17", "not-a-uuid", strings.Repeat("x", 300), "00000000-0000-0000-0000-000000000000", someID + "0", "%00"} {
		for _, c := range []struct{ method, suffix, body string }{{"GET", "", ""}, {"GET", "/history", ""}, {"PATCH", "", `{"content":"x"}`}, {"DELETE", "", ""}} {
			expectProblem(t, h.call("loci_a", c.method, "/api/memories/"+id+c.suffix, c.body), 404, memory.NotFound)
		}
		expectProblem(t, h.call("loci_a", "GET", "/api/entities/"+id, ""), 404, memory.NotFound)
	}
	if h.callCount() != before {
		t.Error("an id that cannot be one reached the service")
	}
	for _, id := range []string{someID, foreign} { // never 403 (R2)
		var answers []string
		for _, c := range []struct{ method, path, body string }{
			{"GET", "/api/memories/" + id, ""}, {"GET", "/api/memories/" + id + "/history", ""}, {"PATCH", "/api/memories/" + id, `{"content":"stolen"}`},
			{"DELETE", "/api/memories/" + id, ""}, {"GET", "/api/entities/" + id, ""},
		} {
			p := expectProblem(t, h.call("loci_a", c.method, c.path, c.body), 404, memory.NotFound)
			answers = append(answers, p.Detail)
		}
		if strings.Contains(strings.Join(answers, ""), id) {
			t.Errorf("the answer shows the id: %v", answers)
		}
	}
	if r := h.call("loci_b", "GET", "/api/memories/"+foreign, ""); r.member("content") != "B's secret" {
		t.Errorf("the owner reads %s", r.body)
	}
}

func TestBadCredentials(t *testing.T) {
	h := open(t)
	for _, key := range []string{"", "loci_unknown", "loci_revoked"} {
		r := h.call(key, "POST", "/api/learn", `{"content":"x"}`)
		expectProblem(t, r, 401, memory.Unauthenticated)
		if r.header.Get("WWW-Authenticate") == "" {
			t.Errorf("%q: no challenge", key)
		}
	}
	expectProblem(t, h.call("loci_reader", "POST", "/api/learn", `{"content":"x"}`), 403, memory.Forbidden)
	expectProblem(t, h.call("loci_reader", "DELETE", "/api/memories/"+someID, ""), 403, memory.Forbidden)
	expectProblem(t, h.call("", "POST", "/api/learn?api_key=loci_a", `{"content":"x"}`), 400, memory.Invalid)
	expectProblem(t, h.call("loci_a", "GET", "/api/memories?token=loci_a", ""), 400, memory.Invalid)
	if h.callCount() != 0 {
		t.Errorf("the service was called: %v", h.calls)
	}
	if r := h.call("loci_reader", "POST", "/api/search", `{"query":"x"}`); r.status != 200 {
		t.Errorf("a reader may read: %d %s", r.status, r.body)
	}
}

func TestBadEnvelopes(t *testing.T) {
	h := open(t)
	bomb := gzipBomb(t)
	expectProblem(t, h.call("loci_a", "POST", "/api/learn", bomb, "Content-Encoding", "gzip"), 413, memory.TooLarge)
	expectProblem(t, h.call("loci_a", "POST", "/api/learn", "junk", "Content-Encoding", "gzip"), 400, memory.Invalid)
	expectProblem(t, h.call("loci_a", "POST", "/api/learn", `{"content":"x"}`, "Content-Encoding", "br"), 415, memory.Unsupported)
	expectProblem(t, h.call("loci_a", "POST", "/api/learn", `content=x`, "Content-Type", "application/x-www-form-urlencoded"), 415, memory.Unsupported)
	expectProblem(t, h.call("loci_a", "POST", "/api/learn", `{"content":"x"}`, "Idempotency-Key", "two words"), 400, memory.Invalid)
	tooMuch := `{"content":"` + strings.Repeat("x", 1<<20-13) + `"}`
	expectProblem(t, h.call("loci_a", "POST", "/api/learn", tooMuch), 413, memory.TooLarge)
	if len(tooMuch) != 1<<20+1 || h.callCount() != 0 {
		t.Errorf("%d bytes; calls %v", len(tooMuch), h.calls)
	}
	h.remember("loci_a", "still here")
}

func gzipBomb(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(make([]byte, 4<<20)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return strings.Repeat(out.String(), 16)
}

// TestSlowBody: a body that never ends is given up, nothing of it is stored,
// and others are served meanwhile.
func TestSlowBody(t *testing.T) {
	h := openWith(t, httpedge.Options{ReadTimeout: 700 * time.Millisecond})
	c, err := net.Dial("tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprintf(c, "POST /api/learn HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer loci_a\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"content\":\"")
	h.remember("loci_b", "meanwhile")
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	expectProblem(t, reply{res.StatusCode, res.Header, body, false}, 408, memory.Invalid)
	if h.callCount() != 1 {
		t.Errorf("calls %v", h.calls)
	}
}
