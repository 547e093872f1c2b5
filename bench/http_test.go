package bench

import (
	"testing"

	"loci/bench/texts"
	"loci/engine/memory"
)

// The bodies are made by hand; here they are held against the rules that the
// server has for them.
func TestBodiesKeepTheContract(t *testing.T) {
	list := texts.New(9)
	for _, dedupe := range []string{"auto", "off"} {
		for n := range 50 {
			var learn memory.LearnRequest
			check(t, learnWork(list, dedupe).appendBody(nil, n), &learn, learn.Check)
			var batch memory.BatchRequest
			check(t, batchWork(list, dedupe).appendBody(nil, n), &batch, func() error { return nil })
			if len(batch.Items) != batchSize || batch.Items[1].Content != string(list.AppendText(nil, n*batchSize+1)) {
				t.Fatalf("batch %d holds %d items", n, len(batch.Items))
			}
			if dedupe == "off" && (learn.Dedupe != "off" || batch.Items[0].Dedupe != "off") {
				t.Fatal("dedupe is not sent")
			}
		}
	}
}

func check(t *testing.T, body []byte, into any, rules func() error) {
	t.Helper()
	if err := decode(body, into); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	if err := rules(); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
}

func TestSearchesVisitTheWholeCorpus(t *testing.T) {
	const corpus = 1000
	work, asked := searchWork(texts.New(1), corpus), map[string]bool{}
	for n := range corpus {
		var r memory.SearchRequest
		check(t, work.appendBody(nil, n), &r, r.Check)
		if r.Limit != searchLimit {
			t.Fatalf("limit %d", r.Limit)
		}
		asked[r.Query] = true
	}
	possible := map[string]bool{}
	for n := range corpus {
		possible[string(texts.New(1).AppendQuery(nil, n))] = true
	}
	if len(asked) != len(possible) {
		t.Errorf("%d of %d queries were asked", len(asked), len(possible))
	}
}

func TestAnswersAreJudged(t *testing.T) {
	list := texts.New(1)
	for _, c := range []struct {
		work   workload
		answer string
		want   error
	}{
		{learnWork(list, "auto"), `{"success":true,"action":"added"}`, nil},
		{learnWork(list, "auto"), `{"success":true,"action":"skipped"}`, notAdded},
		{batchWork(list, "auto"), `{"results":[{"action":"added"}]}`, notAdded},
		{searchWork(list, 100), `{"results":[{"id":"1"}]}`, nil},
		{searchWork(list, 100), `{"results":[]}`, notFound},
	} {
		if got := c.work.judge([]byte(c.answer)); got != c.want {
			t.Errorf("%s %s: got %v; want %v", c.work.name, c.answer, got, c.want)
		}
	}
}

func TestPreparingALearnAllocatesNothing(t *testing.T) {
	url := serveFake(t, newFake("k").handle)
	addr, err := address(url)
	if err != nil {
		t.Fatal(err)
	}
	f, err := newFleet(&target{addr: addr, key: "k"}, 1, learnWork(texts.New(1), "auto"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	m := f.members[0]
	prepare := func(n int) {
		m.body = f.work.appendBody(m.body[:0], n)
		m.request = f.request.Append(m.request[:0], m.body)
	}
	n := 0
	if err := f.send(0, n); err != nil { // the buffers grow
		t.Fatal(err)
	}
	m.body, m.request = append(m.body, make([]byte, 1024)...), append(m.request, make([]byte, 1024)...)
	if allocs := testing.AllocsPerRun(100, func() { n++; prepare(n) }); allocs != 0 {
		t.Errorf("%v allocations to prepare a learn", allocs)
	}
}
