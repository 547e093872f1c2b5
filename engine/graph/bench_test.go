package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"loci/engine/graph"
)

// town is a graph of a thousand people, each with a name, twenty documents and
// five relations.
func town() (*graph.Graph, uint32) {
	g, doc := graph.New(), uint32(0)
	person := func(n int) graph.Node { return graph.Node{byte(n >> 8), byte(n)} }
	for round := range 20 {
		for n := range 1000 {
			if round == 0 {
				g.AddName(fmt.Sprintf("person %d", n), person(n), doc)
			}
			if round < 5 {
				g.AddEdge(person(n), person((n*7+round)%1000), 0.8, doc)
			}
			g.AddLink(person(n), doc)
			doc++
		}
	}
	return g, doc
}

func BenchmarkActivate(b *testing.B) {
	g, limit := town()
	ask := graph.Activation{Seeds: g.Named("person 5", limit, nil), Limit: limit, K: 50}
	b.ReportAllocs()
	for b.Loop() {
		g.Activate(ask)
	}
}

func BenchmarkMatch(b *testing.B) {
	g, limit := town()
	words := strings.Fields("yesterday person 5 met person 77 at the station and they spoke about nothing in particular for an hour")
	b.ReportAllocs()
	for b.Loop() {
		g.Match(words, limit, nil)
	}
}
