package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"loci/engine/graph"
)

// entity is a node that is easy to write.
func entity(n byte) graph.Node { return graph.Node{15: n} }

func nodes(ns ...byte) (out []graph.Node) {
	for _, n := range ns {
		out = append(out, entity(n))
	}
	return out
}

func except(dead ...uint32) func(uint32) bool {
	return func(doc uint32) bool {
		for _, d := range dead {
			if d == doc {
				return false
			}
		}
		return true
	}
}

func TestNamed(t *testing.T) {
	g := graph.New()
	g.AddName("alice", entity(2), 1)
	g.AddName("alice", entity(1), 3)
	g.AddName("alice", entity(2), 4) // a later version of the first
	g.AddName("alice", entity(2), 4) // said twice
	g.AddName("", entity(9), 5)
	for _, test := range []struct {
		name  string
		key   string
		limit uint32
		live  func(uint32) bool
		want  []graph.Node
	}{
		{"in the order of documents", "alice", 10, nil, nodes(2, 1)},
		{"limit hides", "alice", 3, nil, nodes(2)},
		{"an old version died", "alice", 10, except(1), nodes(1, 2)},
		{"all died", "alice", 10, except(1, 3, 4), nil},
		{"unknown", "bob", 10, nil, nil},
		{"the empty name is nobody's", "", 10, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, g.Named(test.key, test.limit, test.live)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMatch(t *testing.T) {
	g := graph.New()
	for doc, name := range []string{"new york", "york", "new york times", "alice", "times square", "c++"} {
		g.AddName(name, entity(byte(doc)), uint32(doc))
	}
	g.AddName("alice", entity(9), 9)
	if got := g.MaxNameWords(); got != 3 {
		t.Errorf("got longest name of %d words, want 3", got)
	}
	for _, test := range []struct {
		text  string
		limit uint32
		live  func(uint32) bool
		want  []graph.Node
	}{
		{"alice reads the new york times", 10, nil, nodes(3, 9, 2)},
		{"the new york times square", 10, nil, nodes(2)}, // no overlap
		{"new york york new york", 10, nil, nodes(0, 1)},
		{"in new york times square", 10, except(2), nodes(0, 4)},
		{"new york times", 2, nil, nodes(0)},
		{"new times", 10, nil, nil},
		{"alice", 10, except(3), nodes(9)},
		{"c++ new york", 10, nil, nodes(5, 0)},
		{"", 10, nil, nil},
	} {
		t.Run(test.text, func(t *testing.T) {
			got := g.Match(strings.Fields(test.text), test.limit, test.live)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLinksAndEdges(t *testing.T) {
	g := graph.New()
	g.AddLink(entity(1), 1)
	g.AddLink(entity(2), 1)
	g.AddLink(entity(1), 1) // said twice
	g.AddLink(entity(1), 4)
	g.AddEdge(entity(1), entity(2), 0.5, 5)
	g.AddEdge(entity(3), entity(1), 7, 6) // too heavy
	g.AddEdge(entity(1), entity(1), 0.25, 8)
	first, second, loop := graph.Edge{Doc: 5, From: entity(1), To: entity(2), Weight: 0.5},
		graph.Edge{Doc: 6, From: entity(3), To: entity(1), Weight: 1},
		graph.Edge{Doc: 8, From: entity(1), To: entity(1), Weight: 0.25}
	for _, test := range []struct {
		name  string
		of    byte
		limit uint32
		live  func(uint32) bool
		links []uint32
		edges []graph.Edge
	}{
		{"both directions, newest last", 1, 10, nil, []uint32{1, 4}, []graph.Edge{first, second, loop}},
		{"the other end", 2, 10, nil, []uint32{1}, []graph.Edge{first}},
		{"limit hides", 1, 4, nil, []uint32{1}, nil},
		{"the dead say nothing", 1, 10, except(1, 5), []uint32{4}, []graph.Edge{second, loop}},
		{"unknown", 77, 10, nil, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.links, g.Links(entity(test.of), test.limit, test.live)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.edges, g.Edges(entity(test.of), test.limit, test.live)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEach(t *testing.T) {
	g := graph.New()
	g.AddName("b", entity(2), 1)
	g.AddName("a", entity(1), 2)
	g.AddName("b", entity(1), 2)
	g.AddLink(entity(2), 3)
	g.AddLink(entity(1), 4)
	g.AddEdge(entity(2), entity(1), 1, 5)
	g.AddEdge(entity(1), entity(1), 1, 6)
	g.AddName("late", entity(1), 7)
	g.AddLink(entity(1), 7)
	g.AddEdge(entity(1), entity(2), 1, 7)
	want := []string{"a 1 2", "b 2 1", "b 1 2", "1 4", "2 3", "2-1 5", "1-1 6"}
	if diff := cmp.Diff(want, items(g, 7, 100)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a 1 2", "1 4", "2-1 5"}, items(g, 7, 1)); diff != "" {
		t.Errorf("stopped after one each: %s", diff)
	}
}

// items writes down what the graph yields, at most n of each sort.
func items(g *graph.Graph, limit uint32, n int) (out []string) {
	names, links, edges := n, n, n
	g.EachName(limit, func(key string, e graph.Node, doc uint32) bool {
		out, names = append(out, fmt.Sprint(key, " ", e[15], doc)), names-1
		return names > 0
	})
	g.EachLink(limit, func(e graph.Node, doc uint32) bool {
		out, links = append(out, fmt.Sprint(e[15], doc)), links-1
		return links > 0
	})
	g.EachEdge(limit, func(e graph.Edge) bool {
		out, edges = append(out, fmt.Sprintf("%d-%d %d", e.From[15], e.To[15], e.Doc)), edges-1
		return edges > 0
	})
	return out
}

func TestDescendingDocumentsAreNamed(t *testing.T) {
	for name, add := range map[string]func(*graph.Graph){
		"name": func(g *graph.Graph) { g.AddName("a", entity(1), 3) },
		"link": func(g *graph.Graph) { g.AddLink(entity(1), 3) },
		"edge": func(g *graph.Graph) { g.AddEdge(entity(1), entity(2), 1, 3) },
	} {
		t.Run(name, func(t *testing.T) {
			g := graph.New()
			g.AddLink(entity(1), 4)
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, "add document 3 to graph: below 4") {
					t.Errorf("got panic %q", p)
				}
				if diff := cmp.Diff([]string{"1 4"}, items(g, 10, 10), cmpopts.EquateEmpty()); diff != "" {
					t.Error(diff)
				}
			}()
			add(g)
		})
	}
}
