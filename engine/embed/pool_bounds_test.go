package embed_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"loci/engine/embed"
	"loci/engine/memory"
)

// TestPlacesAreBounded fills a pool of eight places: Alice alone gets half,
// then Bob half of what is left, then Carol (P4); queries have their own.
func TestPlacesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model, open := gated()
		p := embed.NewPool(model, embed.PoolOptions{Workers: 1, MaxWaiting: 8})
		defer p.Close()
		defer open()
		for _, step := range []struct {
			tenant memory.TenantID
			admits int
		}{{alice, 4}, {bob, 2}, {carol, 1}} {
			for range step.admits {
				send(t.Context(), p, step.tenant, memory.EmbedDocument, "document 12")
			}
			err := (<-send(t.Context(), p, step.tenant, memory.EmbedDocument, "one more 12")).err
			wantBusy(t, err)
		}
		query := send(t.Context(), p, alice, memory.EmbedQuery, "query 12")
		if got := p.Stats(); got.Full != 3 || got.DocumentsTaken != 7 || got.QueriesTaken != 1 || got.DocumentTenants != 3 {
			t.Errorf("got %+v", got)
		}
		open()
		if got := <-query; got.err != nil {
			t.Errorf("the query: %v", got.err)
		}
		synctest.Wait()
		if got := p.Stats(); got.DocumentsTaken != 0 || got.QueriesTaken != 0 || got.DocumentTenants != 0 {
			t.Errorf("places that nobody gave back: %+v", got)
		}
	})
}

// TestARequestLargerThanTheQueueIsServed: it goes window by window.
func TestARequestLargerThanTheQueueIsServed(t *testing.T) {
	p := newPool(t, &fake{}, embed.PoolOptions{MaxWaiting: 1})
	texts := []string{"a 1", "b 2", "c 3", "d 200"}
	got, err := p.Embed(context.Background(), texts, memory.EmbedDocument)
	if diff := cmp.Diff(foretoldAll(texts), got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// TestACallerWhoIsGoneCostsNothing cancels one request in line and one before
// it gets there: neither reaches the model.
func TestACallerWhoIsGoneCostsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model, open := gated()
		p := embed.NewPool(model, embed.PoolOptions{Workers: 1})
		defer p.Close()
		defer open()
		send(t.Context(), p, alice, memory.EmbedDocument, "plug 1")
		ctx, cancel := context.WithCancel(t.Context())
		impatient := send(ctx, p, alice, memory.EmbedDocument, "impatient 10")
		patient := send(t.Context(), p, bob, memory.EmbedDocument, "patient 10")
		cancel()
		early := send(ctx, p, alice, memory.EmbedDocument, "never 10")
		for _, out := range []<-chan outcome{impatient, early} {
			if err := (<-out).err; !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		}
		if got := p.Stats(); got.DocumentTokens != 10 || got.DocumentTenants != 2 {
			t.Errorf("who is gone is still in line: %+v", got)
		}
		open()
		if got := <-patient; got.err != nil {
			t.Error(got.err)
		}
		want := [][]string{{"plug 1"}, {"patient 10"}}
		if diff := cmp.Diff(want, model.seen()); diff != "" {
			t.Error(diff)
		}
		if got := p.Stats(); got.Gone != 1 || got.DocumentTokens != 0 {
			t.Errorf("got %+v", got)
		}
	})
}

// slow is a fake that takes a millisecond for each token, by the bubble's clock.
func slow() *fake {
	model := &fake{}
	model.during = func(texts []string) {
		for _, text := range texts {
			time.Sleep(time.Duration(model.Tokens(text)) * time.Millisecond)
		}
	}
	return model
}

// TestARequestThatComesTooLateIsRefused knows the pace from a first pass, has
// 100 ms of work waiting and a pass of 100 ms under way.
func TestARequestThatComesTooLateIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := slow()
		p := embed.NewPool(model, embed.PoolOptions{Workers: 1})
		defer p.Close()
		<-send(t.Context(), p, alice, memory.EmbedDocument, "first 100")
		send(t.Context(), p, alice, memory.EmbedDocument, "under way 100")
		send(t.Context(), p, alice, memory.EmbedDocument, "waiting 100")
		for _, test := range []struct {
			tenant  memory.TenantID
			kind    memory.EmbedKind
			within  time.Duration
			refused bool
		}{
			{alice, memory.EmbedDocument, 60 * time.Millisecond, true},
			{bob, memory.EmbedQuery, 40 * time.Millisecond, true},
			{alice, memory.EmbedDocument, time.Second, false},
			{bob, memory.EmbedQuery, time.Second, false},
			{carol, memory.EmbedDocument, 120 * time.Millisecond, true}, // 50 of Bob's query, 50 of Alice by turns, 50 of her own
		} {
			ctx, cancel := context.WithTimeout(t.Context(), test.within)
			defer cancel()
			got := send(ctx, p, test.tenant, test.kind, "text 50")
			select {
			case out := <-got:
				wantBusy(t, out.err)
				if !test.refused {
					t.Errorf("%v: %v", test, out.err)
				}
			default:
				if test.refused {
					t.Errorf("%v: let in", test)
				}
			}
		}
		if got := p.Stats(); got.Late != 3 || got.PerToken != time.Millisecond {
			t.Errorf("got %+v", got)
		}
		time.Sleep(time.Second)
	})
}

// TestADeadlineThatPassesInLine: let in by a hopeful guess, dropped unseen.
func TestADeadlineThatPassesInLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := slow()
		p := embed.NewPool(model, embed.PoolOptions{Workers: 1})
		defer p.Close()
		send(t.Context(), p, alice, memory.EmbedDocument, "first 100") // no pace is known yet
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if err := (<-send(ctx, p, bob, memory.EmbedQuery, "query 10")).err; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		time.Sleep(time.Second)
		if got := len(model.seen()); got != 1 {
			t.Errorf("%d passes", got)
		}
	})
}

// TestASpoiltPaceIsMeasuredAgain: after one pass of a minute, a request of a
// second's patience is still tried when nothing else waits.
func TestASpoiltPaceIsMeasuredAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pause := time.Minute
		model := &fake{during: func([]string) { time.Sleep(pause) }}
		p := embed.NewPool(model, embed.PoolOptions{Workers: 1, NoCache: true})
		defer p.Close()
		<-send(t.Context(), p, alice, memory.EmbedQuery, "query 10")
		pause = time.Millisecond
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if got := <-send(ctx, p, alice, memory.EmbedQuery, "query 10"); got.err != nil {
			t.Error(got.err)
		}
	})
}
