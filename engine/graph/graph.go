package graph

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"loci/engine/grow"
)

// Node is an entity's id.
type Node [16]byte

// Edge is a relation between two entities, as doc says it.
type Edge struct {
	Doc      uint32
	From, To Node
	Weight   float64
}

// Graph is a tenant's entity graph. See the package comment for who may call what.
type Graph struct {
	names  sync.Map // name key → *grow.Slice[naming]
	starts sync.Map // first word of a name key → *atomic.Int64, words of the longest such key
	nodes  sync.Map // Node → *node
	edges  grow.Slice[Edge]
	words  atomic.Int64 // words of the longest name key
	last   uint32       // the writer's: the newest document (I1)
}

// naming says that in doc the entity bears a name.
type naming struct {
	entity Node
	doc    uint32
}

// node is what is known of one entity.
type node struct {
	links grow.Slice[uint32]
	edges grow.Slice[uint32] // positions in Graph.edges, either direction
}

// New makes an empty graph.
func New() *Graph { return new(Graph) }

// AddName notes that in doc, a version of the entity's record, the entity bears
// this name key: folded words joined by one blank. Only the writer calls it.
func (g *Graph) AddName(key string, entity Node, doc uint32) {
	g.mustNotDescend(doc)
	if key == "" {
		return
	}
	list := obtain[grow.Slice[naming]](&g.names, key)
	if said := list.View(); len(said) > 0 && said[len(said)-1] == (naming{entity, doc}) {
		return
	}
	g.measure(key)
	list.Push(naming{entity, doc})
}

// AddLink notes that doc speaks of the entity. Saying it twice is saying it
// once. Only the writer calls it.
func (g *Graph) AddLink(entity Node, doc uint32) {
	g.mustNotDescend(doc)
	links := &obtain[node](&g.nodes, entity).links
	if docs := links.View(); len(docs) == 0 || docs[len(docs)-1] != doc {
		links.Push(doc)
	}
}

// AddEdge notes that doc relates the two entities. The weight is held within
// 0..1. Only the writer calls it.
func (g *Graph) AddEdge(from, to Node, weight float64, doc uint32) {
	g.mustNotDescend(doc)
	at := uint32(len(g.edges.View()))
	g.edges.Push(Edge{doc, from, to, unit(weight)})
	obtain[node](&g.nodes, from).edges.Push(at)
	if to != from {
		obtain[node](&g.nodes, to).edges.Push(at)
	}
}

// measure widens what Match looks for, before the name can be found.
func (g *Graph) measure(key string) {
	words := int64(strings.Count(key, " ") + 1)
	first, _, _ := strings.Cut(key, " ")
	raise(obtain[atomic.Int64](&g.starts, first), words)
	raise(&g.words, words)
}

func (g *Graph) mustNotDescend(doc uint32) {
	if doc < g.last {
		panic(fmt.Sprintf("add document %d to graph: below %d", doc, g.last))
	}
	g.last = doc
}

// obtain finds the value of a key or makes a zero one. Only the writer calls it.
func obtain[T any](m *sync.Map, key any) *T {
	if found, ok := m.Load(key); ok {
		return found.(*T)
	}
	made := new(T)
	m.Store(key, made)
	return made
}

// find is the value of a key, or nil.
func find[T any](m *sync.Map, key any) *T {
	if found, ok := m.Load(key); ok {
		return found.(*T)
	}
	return nil
}

// raise lifts a number of the writer's to at least n.
func raise(number *atomic.Int64, n int64) {
	if number.Load() < n {
		number.Store(n)
	}
}

// unit holds a weight within 0..1; what is not a number weighs nothing.
func unit(weight float64) float64 {
	if math.IsNaN(weight) {
		return 0
	}
	return min(max(weight, 0), 1)
}
