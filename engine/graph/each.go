package graph

import (
	"bytes"
	"slices"
	"sync"

	"loci/engine/grow"
)

// EachName yields every name said below limit, by key and then in the order in
// which they were said, until yield returns false.
func (g *Graph) EachName(limit uint32, yield func(key string, entity Node, doc uint32) bool) {
	keys := keysOf[string](&g.names)
	slices.Sort(keys)
	for _, key := range keys {
		for _, said := range find[grow.Slice[naming]](&g.names, key).View() {
			if said.doc < limit && !yield(key, said.entity, said.doc) {
				return
			}
		}
	}
}

// EachLink yields every link said below limit, by entity and then by document,
// until yield returns false.
func (g *Graph) EachLink(limit uint32, yield func(entity Node, doc uint32) bool) {
	nodes := keysOf[Node](&g.nodes)
	slices.SortFunc(nodes, func(a, b Node) int { return bytes.Compare(a[:], b[:]) })
	for _, entity := range nodes {
		for _, doc := range find[node](&g.nodes, entity).links.View() {
			if doc < limit && !yield(entity, doc) {
				return
			}
		}
	}
}

// EachEdge yields every edge said below limit once, in the order in which they
// were said, until yield returns false.
func (g *Graph) EachEdge(limit uint32, yield func(edge Edge) bool) {
	for _, e := range g.edges.View() {
		if e.Doc >= limit || !yield(e) {
			return
		}
	}
}

func keysOf[K any](m *sync.Map) []K {
	var keys []K
	m.Range(func(key, _ any) bool {
		keys = append(keys, key.(K))
		return true
	})
	return keys
}
