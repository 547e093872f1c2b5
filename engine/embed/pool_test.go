package embed_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"loci/engine/embed"
	"loci/engine/memory"
)

func TestPoolGivesEachTextItsVector(t *testing.T) {
	for _, count := range []int{0, 1, 3, 1000} { // 1000 are several windows
		for _, kind := range []memory.EmbedKind{memory.EmbedDocument, memory.EmbedQuery, 7} {
			model := &fake{}
			p := newPool(t, model, embed.PoolOptions{})
			var tenants sync.WaitGroup
			for _, tenant := range []memory.TenantID{alice, bob} {
				tenants.Go(func() {
					texts := make([]string, count)
					for i := range texts {
						texts[i] = fmt.Sprintf("text %d of %v %d", i, tenant, i%200)
					}
					got, err := p.Embed(embed.WithTenant(context.Background(), tenant), texts, kind)
					if diff := cmp.Diff(foretoldAll(texts), got); diff != "" || err != nil {
						t.Errorf("%d texts of kind %d: %v %s", count, kind, err, diff)
					}
				})
			}
			tenants.Wait()
			checkPasses(t, model, 128)
		}
	}
}

// checkPasses holds every pass against P1.
func checkPasses(t *testing.T, model *fake, room int) {
	t.Helper()
	for _, texts := range model.seen() {
		tokens := 0
		for _, text := range texts {
			tokens += max(1, model.Tokens(text))
		}
		if tokens > room && len(texts) > 1 {
			t.Errorf("a pass of %d tokens: %q", tokens, texts)
		}
	}
}

func TestPoolNamesItsModel(t *testing.T) {
	p := newPool(t, &fake{}, embed.PoolOptions{})
	if p.ID() != "fake-v1" || p.Dim() != 4 {
		t.Errorf("got %q of %d dimensions", p.ID(), p.Dim())
	}
}

// script blocks one worker with a first document, queues requests, and returns
// the passes that follow.
func script(t *testing.T, o embed.PoolOptions, queue func(ctx context.Context, p *embed.Pool)) (passes [][]string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		model, open := gated()
		o.Workers, o.NoCache = 1, true
		p := embed.NewPool(model, o)
		defer p.Close()
		defer open()
		send(t.Context(), p, memory.TenantID{}, memory.EmbedDocument, "plug 1")
		queue(t.Context(), p)
		open()
		synctest.Wait()
		passes = model.seen()[1:]
	})
	return passes
}

func TestQueriesGoBeforeDocuments(t *testing.T) {
	got := script(t, embed.PoolOptions{}, func(ctx context.Context, p *embed.Pool) {
		send(ctx, p, alice, memory.EmbedDocument, "document 60", "document 61", "document 62")
		send(ctx, p, bob, memory.EmbedQuery, "query 20")
		send(ctx, p, alice, memory.EmbedQuery, "query 21")
	})
	want := [][]string{{"query 20", "query 21"}, {"document 60", "document 61"}, {"document 62"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDocumentsAreNotStarved(t *testing.T) {
	got := script(t, embed.PoolOptions{}, func(ctx context.Context, p *embed.Pool) {
		send(ctx, p, alice, memory.EmbedDocument, "document 100", "document 101")
		for range 12 {
			send(ctx, p, bob, memory.EmbedQuery, "query 128")
		}
	})
	var order strings.Builder
	for _, pass := range got {
		order.WriteByte(pass[0][0])
	}
	if want := "qqqqqqqqdqqqqd"; order.String() != want {
		t.Errorf("got %s, want %s", &order, want)
	}
}

// TestOneTenantDoesNotDelayAnother is the promise of P3: whatever Alice has
// waiting, Bob's text is in the next pass.
func TestOneTenantDoesNotDelayAnother(t *testing.T) {
	for _, kind := range []memory.EmbedKind{memory.EmbedDocument, memory.EmbedQuery} {
		flood := make([]string, 5000)
		for i := range flood {
			flood[i] = "flood 24"
		}
		got := script(t, embed.PoolOptions{}, func(ctx context.Context, p *embed.Pool) {
			for range 4 {
				send(ctx, p, alice, kind, flood...)
			}
			send(ctx, p, bob, kind, "bob 12")
		})
		if want := []string{"flood 24", "bob 12", "flood 24", "flood 24", "flood 24"}; cmp.Diff(want, got[0]) != "" {
			t.Errorf("kind %d: the next pass is %q", kind, got[0])
		}
	}
}

// TestTurnsAreCountedInTokens has Alice send long texts and Bob short ones:
// each gets half of the tokens, not half of the texts.
func TestTurnsAreCountedInTokens(t *testing.T) {
	long, short := make([]string, 8), make([]string, 64)
	for i := range long {
		long[i] = "long 128"
	}
	for i := range short {
		short[i] = "short 16"
	}
	got := script(t, embed.PoolOptions{}, func(ctx context.Context, p *embed.Pool) {
		send(ctx, p, alice, memory.EmbedDocument, long...)
		send(ctx, p, bob, memory.EmbedDocument, short...)
	})
	tokens := map[byte]int{}
	for _, pass := range got[:8] {
		for _, text := range pass {
			tokens[text[0]] += (&fake{}).Tokens(text)
		}
	}
	if l, s := tokens['l'], tokens['s']; l < 3*128 || s < 3*128 {
		t.Errorf("of the first eight passes, long texts had %d tokens and short ones %d", l, s)
	}
}

// TestAWindowLetsTheNextRequestIn is a tenant's own import that does not hold
// up its next memory.
func TestAWindowLetsTheNextRequestIn(t *testing.T) {
	bulk := make([]string, 40)
	for i := range bulk {
		bulk[i] = "bulk 128"
	}
	got := script(t, embed.PoolOptions{MaxWaiting: 40}, func(ctx context.Context, p *embed.Pool) { // a window of ten
		send(ctx, p, alice, memory.EmbedDocument, bulk...)
		send(ctx, p, alice, memory.EmbedDocument, "memory 12")
	})
	if at := 10; got[at][0] != "memory 12" {
		t.Errorf("pass %d is %q", at, got[at])
	}
}

// TestOneRequestUsesAllWorkers: its passes run side by side.
func TestOneRequestUsesAllWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model, open := gated()
		p := embed.NewPool(model, embed.PoolOptions{Workers: 3})
		defer p.Close()
		defer open()
		synctest.Wait() // until all of them sleep
		send(t.Context(), p, alice, memory.EmbedDocument, "a 128", "b 128", "c 128", "d 128")
		if got := len(model.seen()); got != 3 {
			t.Errorf("%d passes are under way, want 3", got)
		}
	})
}

func TestPoisonReachesOnlyItsOwnRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model, open := gated()
		p := embed.NewPool(model, embed.PoolOptions{Workers: 1})
		defer p.Close()
		defer open()
		send(t.Context(), p, alice, memory.EmbedDocument, "plug 1")
		bad := send(t.Context(), p, alice, memory.EmbedDocument, "fine 5", "poison 5", "never 200", "never 201")
		bomb := send(t.Context(), p, carol, memory.EmbedDocument, "bomb 5")
		good := send(t.Context(), p, bob, memory.EmbedDocument, "good 5", "good 6")
		open()
		if got := <-bad; !errors.Is(got.err, errPoison) || got.vectors != nil {
			t.Errorf("the poisoned request: %v", got)
		}
		if _, ok := errors.AsType[*embed.PanicError]((<-bomb).err); !ok {
			t.Error("a panic of the model is not a PanicError")
		}
		if got := <-good; cmp.Diff(foretoldAll([]string{"good 5", "good 6"}), got.vectors) != "" {
			t.Errorf("the good request: %v", got)
		}
		for _, pass := range model.seen() {
			if strings.HasPrefix(pass[0], "never") {
				t.Errorf("a pass for a request that had failed: %q", pass)
			}
		}
		stats := p.Stats()
		if stats.Failed != 2 || stats.Panics == 0 || stats.DocumentsTaken != 0 || stats.DocumentTokens != 0 {
			t.Errorf("got %+v", stats)
		}
	})
}

func TestAPanicWhileCountingIsAnError(t *testing.T) {
	p := newPool(t, &fake{}, embed.PoolOptions{})
	_, err := p.Embed(context.Background(), []string{"uncountable"}, memory.EmbedDocument)
	got, ok := errors.AsType[*embed.PanicError](err)
	if !ok || got.Value != "cannot count" || !strings.Contains(err.Error(), "model fake-v1 panicked: cannot count") {
		t.Errorf("got %v", err)
	}
}

func TestCloseRefusesWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model, open := gated()
		p := embed.NewPool(model, embed.PoolOptions{Workers: 2})
		running := send(t.Context(), p, alice, memory.EmbedDocument, "running 1")
		half := send(t.Context(), p, alice, memory.EmbedDocument, "half 100", "half 101") // one in a pass, one in line
		waiting := send(t.Context(), p, bob, memory.EmbedQuery, "waiting 1")
		var closers sync.WaitGroup
		for range 2 {
			closers.Go(p.Close)
		}
		synctest.Wait()
		for _, refused := range []<-chan outcome{waiting, half, send(t.Context(), p, bob, memory.EmbedQuery, "late 1")} {
			err := (<-refused).err
			wantBusy(t, err)
			if !errors.Is(err, embed.ErrClosed) {
				t.Errorf("got %v", err)
			}
		}
		open()
		if got := <-running; got.err != nil {
			t.Errorf("the pass under way: %v", got.err)
		}
		closers.Wait()
		p.Close()
	})
}
