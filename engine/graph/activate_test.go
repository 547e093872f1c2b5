package graph_test

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"loci/engine/graph"
	"loci/engine/topk"
)

var near = cmpopts.EquateApprox(0, 1e-12)

// share is what a node with so many links gives each of its documents.
func share(activation float64, links int) float64 {
	return activation / math.Sqrt(1+float64(links)/8)
}

func TestActivate(t *testing.T) {
	g := graph.New()
	g.AddLink(entity(1), 1)
	g.AddLink(entity(1), 2)
	g.AddLink(entity(2), 2)
	g.AddLink(entity(3), 3)
	g.AddEdge(entity(1), entity(3), 0.8, 4)
	g.AddLink(entity(4), 5)
	g.AddEdge(entity(4), entity(3), 1, 6) // two hops from 1
	all := graph.Activation{Limit: 10, K: 10}
	with := func(change func(*graph.Activation)) graph.Activation {
		a := all
		change(&a)
		return a
	}
	seeds := func(ns ...byte) graph.Activation {
		return with(func(a *graph.Activation) { a.Seeds = nodes(ns...) })
	}
	for _, test := range []struct {
		name string
		ask  graph.Activation
		want []topk.Scored
	}{
		{"one hop and no further", seeds(1), []topk.Scored{{Doc: 1, Score: share(1, 2)}, {Doc: 2, Score: share(1, 2)}, {Doc: 3, Score: share(0.4, 1)}}},
		{"two seeds beat one", seeds(1, 2), []topk.Scored{{Doc: 2, Score: share(1, 2) + share(1, 1)}, {Doc: 1, Score: share(1, 2)}, {Doc: 3, Score: share(0.4, 1)}}},
		{"doubled seeds count once", seeds(2, 2), []topk.Scored{{Doc: 2, Score: share(1, 1)}}},
		{"a seed that is a neighbour receives too", seeds(1, 3), []topk.Scored{{Doc: 3, Score: share(1.4, 1)}, {Doc: 1, Score: share(1.4, 2)}, {Doc: 2, Score: share(1.4, 2)}, {Doc: 5, Score: share(0.5, 1)}}},
		{"limit hides links and edges", with(func(a *graph.Activation) { a.Seeds, a.Limit = nodes(1), 2 }), []topk.Scored{{Doc: 1, Score: share(1, 1)}}},
		{"a dead relation passes nothing", with(func(a *graph.Activation) { a.Seeds, a.Live = nodes(1), except(4) }), []topk.Scored{{Doc: 1, Score: share(1, 2)}, {Doc: 2, Score: share(1, 2)}}},
		{"a dead link thins nothing", with(func(a *graph.Activation) { a.Seeds, a.Live = nodes(1), except(2, 4) }), []topk.Scored{{Doc: 1, Score: share(1, 1)}}},
		{"what is not accepted still thins", with(func(a *graph.Activation) { a.Seeds, a.Accept = nodes(1), except(2) }), []topk.Scored{{Doc: 1, Score: share(1, 2)}, {Doc: 3, Score: share(0.4, 1)}}},
		{"the best only", with(func(a *graph.Activation) { a.Seeds, a.K = nodes(1), 1 }), []topk.Scored{{Doc: 1, Score: share(1, 2)}}},
		{"fanout counts seeds first", with(func(a *graph.Activation) { a.Seeds, a.Fanout = nodes(1), 1 }), []topk.Scored{{Doc: 1, Score: share(1, 2)}, {Doc: 2, Score: share(1, 2)}}},
		{"unknown seed", seeds(99), nil},
		{"no seed", seeds(), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, g.Activate(test.ask), near, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestActivationIsBounded(t *testing.T) {
	g := graph.New()
	doc := uint32(0)
	for n := range 500 {
		g.AddLink(graph.Node{1, byte(n >> 8), byte(n)}, doc)
		g.AddEdge(entity(1), graph.Node{1, byte(n >> 8), byte(n)}, 1, doc)
		doc++
	}
	got := g.Activate(graph.Activation{Seeds: nodes(1), Limit: doc, K: 1000})
	if len(got) != graph.DefaultFanout-1 || got[0].Doc != doc-(graph.DefaultFanout-1) {
		t.Errorf("got %d neighbours from document %d on, want the newest %d", len(got), got[0].Doc, graph.DefaultFanout-1)
	}
	first := doc
	for ; doc < first+graph.MaxLinks+100; doc++ {
		g.AddLink(entity(2), doc)
	}
	got = g.Activate(graph.Activation{Seeds: nodes(2), Limit: doc, K: 10_000})
	if len(got) != graph.MaxLinks || got[0].Doc != first+100 {
		t.Errorf("got %d links from document %d on, want the newest %d", len(got), got[0].Doc, graph.MaxLinks)
	}
}

func TestNeighbourByManyRelationsIsNoMoreThanASeed(t *testing.T) {
	g := graph.New()
	g.AddLink(entity(2), 1)
	for doc := range uint32(9) {
		g.AddEdge(entity(1), entity(2), 1, doc+2)
	}
	got := g.Activate(graph.Activation{Seeds: nodes(1), Limit: 20, K: 5})
	if diff := cmp.Diff([]topk.Scored{{Doc: 1, Score: share(1, 1)}}, got, near); diff != "" {
		t.Error(diff)
	}
}

// TestTwoTenantsDoNotMix asks two graphs that share the pool of scratch.
func TestTwoTenantsDoNotMix(t *testing.T) {
	mine, yours := graph.New(), graph.New()
	mine.AddLink(entity(1), 1)
	yours.AddLink(entity(1), 2)
	yours.AddEdge(entity(1), entity(2), 1, 3)
	yours.AddLink(entity(2), 4)
	var both sync.WaitGroup
	for g, want := range map[*graph.Graph][]uint32{mine: {1}, yours: {2, 4}} {
		both.Go(func() {
			for range 500 {
				var docs []uint32
				for _, s := range g.Activate(graph.Activation{Seeds: nodes(1, 2), Limit: 10, K: 10}) {
					docs = append(docs, s.Doc)
				}
				if slices.Sort(docs); !slices.Equal(want, docs) {
					t.Errorf("got %v, want %v", docs, want)
					return
				}
			}
		})
	}
	both.Wait()
}
