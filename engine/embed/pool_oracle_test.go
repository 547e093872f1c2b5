package embed_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"loci/engine/embed"
	"loci/engine/memory"
)

// event is one step of a random history: a request, or the cancelling of an
// earlier one.
type event struct {
	tenant memory.TenantID
	kind   memory.EmbedKind
	texts  []string
	cancel int // the request to cancel; -1 for none
}

func drawEvents(t *rapid.T) []event {
	events := make([]event, rapid.IntRange(1, 30).Draw(t, "events"))
	for i := range events {
		if i > 0 && rapid.IntRange(0, 5).Draw(t, "which") == 0 {
			events[i] = event{cancel: rapid.IntRange(0, i-1).Draw(t, "cancel")}
			continue
		}
		e := event{cancel: -1, tenant: memory.TenantID{byte(rapid.IntRange(1, 4).Draw(t, "tenant"))}}
		e.kind = memory.EmbedKind(rapid.IntRange(0, 1).Draw(t, "kind"))
		for j := range rapid.IntRange(1, 6).Draw(t, "texts") {
			e.texts = append(e.texts, fmt.Sprintf("event %d text %d %d", i, j, rapid.IntRange(1, 160).Draw(t, "tokens")))
		}
		events[i] = e
	}
	return events
}

// TestPoolAgainstAnOracle compares the passes of one worker with those of a
// plain simulation, and every vector with the one foretold.
func TestPoolAgainstAnOracle(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		events := drawEvents(rt)
		var got [][]string
		var answers []outcome
		synctest.Test(t, func(t *testing.T) { got, answers = replay(t, events) })
		if diff := cmp.Diff(simulate(events), got, cmpopts.EquateEmpty()); diff != "" {
			rt.Fatal(diff)
		}
		for i, e := range events {
			if e.cancel < 0 && answers[i].err == nil && cmp.Diff(foretoldAll(e.texts), answers[i].vectors) != "" {
				rt.Fatalf("event %d: %v", i, answers[i])
			}
			if e.cancel < 0 && (answers[i].err != nil) != cancelled(events, i) {
				rt.Fatalf("event %d: %v", i, answers[i].err)
			}
		}
	})
}

func cancelled(events []event, i int) bool {
	return slices.ContainsFunc(events[i:], func(e event) bool { return e.texts == nil && e.cancel == i })
}

// replay queues the events behind a plug and lets the worker go.
func replay(t *testing.T, events []event) (passes [][]string, answers []outcome) {
	model, open := gated()
	p := embed.NewPool(model, embed.PoolOptions{Workers: 1, NoCache: true})
	defer p.Close()
	defer open()
	send(t.Context(), p, memory.TenantID{}, memory.EmbedDocument, "plug 1")
	waiting := make([]<-chan outcome, len(events))
	cancels := make([]context.CancelFunc, len(events))
	for i, e := range events {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		cancels[i] = cancel
		if e.cancel >= 0 {
			cancels[e.cancel]()
			synctest.Wait()
			continue
		}
		waiting[i] = send(ctx, p, e.tenant, e.kind, e.texts...)
	}
	open()
	answers = make([]outcome, len(events))
	for i := range waiting {
		if waiting[i] != nil {
			answers[i] = <-waiting[i]
		}
	}
	return model.seen()[1:], answers
}

// queue is one kind of the oracle: who is in turn, and what each has waiting.
type queue struct {
	turn    []memory.TenantID
	waiting map[memory.TenantID][]piece
	balance map[memory.TenantID]int
}

type piece struct {
	event int
	text  string
}

// simulate is the rule of Pool, written plainly over slices.
func simulate(events []event) (passes [][]string) {
	queues := [2]*queue{}
	for kind := range queues {
		queues[kind] = &queue{waiting: map[memory.TenantID][]piece{}, balance: map[memory.TenantID]int{}}
	}
	for i, e := range events {
		if e.cancel >= 0 {
			from := events[e.cancel]
			queues[from.kind].drop(from.tenant, e.cancel)
			continue
		}
		queues[e.kind].add(e.tenant, i, e.texts)
	}
	for streak := 0; len(queues[0].turn)+len(queues[1].turn) > 0; {
		if len(queues[0].turn) == 0 || len(queues[1].turn) > 0 && streak < 8 {
			passes, streak = append(passes, queues[1].pass()), streak+1
			continue
		}
		passes, streak = append(passes, queues[0].pass()), 0
	}
	return passes
}

func (q *queue) add(tenant memory.TenantID, event int, texts []string) {
	if len(q.waiting[tenant]) == 0 {
		q.turn = append(q.turn, tenant)
		q.balance[tenant] = 16
	}
	for _, text := range texts {
		q.waiting[tenant] = append(q.waiting[tenant], piece{event, text})
	}
}

func (q *queue) drop(tenant memory.TenantID, event int) {
	q.waiting[tenant] = slices.DeleteFunc(q.waiting[tenant], func(p piece) bool { return p.event == event })
	q.tidy(tenant)
}

func (q *queue) tidy(tenant memory.TenantID) {
	if len(q.waiting[tenant]) == 0 {
		q.turn = slices.DeleteFunc(q.turn, func(t memory.TenantID) bool { return t == tenant })
	}
}

func (q *queue) pass() (texts []string) {
	for room := 128; len(q.turn) > 0; {
		tenant := q.turn[0]
		if len(q.turn) == 1 {
			q.balance[tenant] = 1 << 30 // alone, its turn does not end
		}
		if q.balance[tenant] <= 0 {
			q.balance[tenant] += 16
			q.turn = append(q.turn[1:], tenant)
			continue
		}
		text := q.waiting[tenant][0].text
		tokens := (&fake{}).Tokens(text)
		if len(texts) > 0 && tokens > room {
			return texts
		}
		texts, room = append(texts, text), room-tokens
		q.balance[tenant] -= tokens
		q.waiting[tenant] = q.waiting[tenant][1:]
		q.tidy(tenant)
	}
	return texts
}

// TestPoolUnderFire has many callers, some impatient, some poisonous, and
// checks that each gets its own answer or its own error.
func TestPoolUnderFire(t *testing.T) {
	model := &fake{}
	p := newPool(t, model, embed.PoolOptions{Workers: 4, MaxWaiting: 64, CacheEntries: 8})
	var callers sync.WaitGroup
	for caller := range 16 {
		callers.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(caller)))
			for round := range 200 {
				fireOnce(t, p, random, memory.TenantID{byte(caller % 5)}, fmt.Sprintf("%d.%d", caller, round))
			}
		})
	}
	callers.Wait()
	checkPasses(t, model, 128)
	if got := p.Stats(); got.DocumentsTaken+got.QueriesTaken+got.DocumentTokens+got.QueryTokens != 0 {
		t.Errorf("something is left: %+v", got)
	}
}

func fireOnce(t *testing.T, p *embed.Pool, random *rand.Rand, tenant memory.TenantID, name string) {
	ctx, cancel := context.WithTimeout(embed.WithTenant(context.Background(), tenant), time.Minute)
	defer cancel()
	if random.IntN(4) == 0 {
		go cancel()
	}
	texts := make([]string, random.IntN(40))
	poisonous := false
	for i := range texts {
		texts[i] = fmt.Sprintf("%s %d", name, random.IntN(150))
		if random.IntN(100) == 0 {
			texts[i], poisonous = "poison "+texts[i], true
		}
	}
	got, err := p.Embed(ctx, texts, memory.EmbedKind(random.IntN(2)))
	if err == nil && (poisonous || cmp.Diff(foretoldAll(texts), got) != "") {
		t.Errorf("%q: wrong vectors", texts)
	}
	if err != nil && !poisonous && ctx.Err() == nil && memory.CodeOf(err) != memory.Overloaded {
		t.Errorf("%q: %v", texts, err)
	}
}
