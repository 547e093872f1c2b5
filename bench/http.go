package bench

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"loci/bench/rawhttp"
	"loci/bench/texts"
)

// requestTimeout is far above every latency hoped for; a request that takes
// longer is a failure, and a cancelled run waits no longer for its last answers.
const requestTimeout = 10 * time.Second

// workload is one kind of request: where it goes, the body of request n, and
// what a good answer looks like (I3).
type workload struct {
	name, path string
	appendBody func(dst []byte, n int) []byte
	judge      func(answer []byte) error
}

// verdict is an answer with a good status and a bad content.
type verdict string

func (v verdict) Error() string { return string(v) }
func (v verdict) Kind() string  { return string(v) }

const (
	notAdded verdict = "learn was not added"
	notFound verdict = "search found nothing"
)

var (
	added = []byte(`"action":"added"`)
	found = []byte(`"results":[{`)
)

// learnWork stores text n and waits until it is durable.
func learnWork(list texts.Texts, dedupe string) workload {
	return workload{
		name: "learn", path: "/api/learn",
		appendBody: func(dst []byte, n int) []byte { return appendLearn(dst, list, dedupe, n) },
		judge:      func(answer []byte) error { return unless(bytes.Contains(answer, added), notAdded) },
	}
}

// batchWork stores the texts from n·100 on, in one commit.
func batchWork(list texts.Texts, dedupe string) workload {
	return workload{
		name: "learn/batch", path: "/api/learn/batch",
		appendBody: func(dst []byte, n int) []byte {
			dst = append(dst, `{"items":[`...)
			for i := range batchSize {
				dst = append(appendLearn(dst, list, dedupe, n*batchSize+i), ',')
			}
			return append(dst[:len(dst)-1], "]}"...)
		},
		judge: func(answer []byte) error { return unless(bytes.Count(answer, added) == batchSize, notAdded) },
	}
}

// searchWork asks for one of the first corpus texts of the list, in an order
// that visits all of them before it repeats itself.
func searchWork(list texts.Texts, corpus int) workload {
	// A prime that does not divide a corpus of hundreds leaps through it.
	const leap = 7919
	return workload{
		name: "search", path: "/api/search",
		appendBody: func(dst []byte, n int) []byte {
			dst = append(dst, `{"query":"`...)
			dst = list.AppendQuery(dst, n%corpus*leap%corpus)
			dst = append(dst, `","limit":`...)
			dst = strconv.AppendInt(dst, searchLimit, 10)
			return append(dst, '}')
		},
		judge: func(answer []byte) error { return unless(bytes.Contains(answer, found), notFound) },
	}
}

// appendLearn needs no JSON encoder: the texts hold nothing to escape (texts I3).
// auto is the server's default and is left out, as most callers do.
func appendLearn(dst []byte, list texts.Texts, dedupe string, n int) []byte {
	dst = append(dst, `{"content":"`...)
	dst = list.AppendText(dst, n)
	if dedupe != "auto" {
		dst = append(append(dst, `","dedupe":"`...), dedupe...)
	}
	return append(dst, `"}`...)
}

func unless(good bool, v verdict) error {
	if good {
		return nil
	}
	return v
}

// fleet is the connections that carry one workload.
type fleet struct {
	work    workload
	request *rawhttp.Request
	members []*member
}

// member is one connection with its buffers; one goroutine uses it.
type member struct {
	conn          *rawhttp.Conn
	body, request []byte
}

func newFleet(t *target, connections int, work workload) (*fleet, error) {
	f := &fleet{work: work, request: rawhttp.NewPost(t.addr, work.path, t.key)}
	for range connections {
		conn, err := rawhttp.New(t.addr, requestTimeout)
		if err != nil {
			return nil, err
		}
		f.members = append(f.members, &member{conn: conn})
	}
	return f, nil
}

// send does request n on one of the connections and judges the answer (I3).
func (f *fleet) send(conn, n int) error {
	m := f.members[conn]
	m.body = f.work.appendBody(m.body[:0], n)
	m.request = f.request.Append(m.request[:0], m.body)
	status, answer, err := m.conn.Do(m.request)
	if err != nil {
		return fmt.Errorf("%s: %w", f.work.name, err)
	}
	if err := rawhttp.NotOK(status, answer); err != nil {
		return err
	}
	return f.work.judge(answer)
}

func (f *fleet) close() {
	for _, m := range f.members {
		m.conn.Close()
	}
}
