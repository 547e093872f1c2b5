package graph

import (
	"slices"
	"strings"
	"sync/atomic"

	"loci/engine/grow"
)

// Named returns the distinct entities that bear the name key in a live document
// below limit, in the order of those documents.
func (g *Graph) Named(key string, limit uint32, live func(doc uint32) bool) []Node {
	return g.appendNamed(nil, key, limit, live)
}

// MaxNameWords is the number of words of the longest name key.
func (g *Graph) MaxNameWords() int { return int(g.words.Load()) }

// Match finds the entities named in a text, given by its folded words: at each
// word the longest name that begins there is taken and the scan goes on behind
// it, so names never overlap. The nodes are distinct and in order of appearance;
// a name that several entities bear yields them all.
func (g *Graph) Match(words []string, limit uint32, live func(doc uint32) bool) []Node {
	var nodes []Node
	for at := 0; at < len(words); {
		taken := 0
		nodes, taken = g.matchAt(nodes, words[at:], limit, live)
		at += max(taken, 1)
	}
	return nodes
}

// matchAt takes the longest live name at the head of words and returns how many
// words it has, 0 if there is none.
func (g *Graph) matchAt(nodes []Node, words []string, limit uint32, live func(doc uint32) bool) ([]Node, int) {
	for n := min(g.longest(words[0]), len(words)); n > 0; n-- {
		key := words[0]
		if n > 1 {
			key = strings.Join(words[:n], " ")
		}
		if g.borne(key, limit, live) {
			return g.appendNamed(nodes, key, limit, live), n
		}
	}
	return nodes, 0
}

// longest is the number of words of the longest name that begins with word, so
// that a word which begins none costs one look.
func (g *Graph) longest(word string) int {
	if n := find[atomic.Int64](&g.starts, word); n != nil {
		return int(n.Load())
	}
	return 0
}

// borne reports whether any live entity bears the name key.
func (g *Graph) borne(key string, limit uint32, live func(doc uint32) bool) bool {
	list := find[grow.Slice[naming]](&g.names, key)
	if list == nil {
		return false
	}
	for _, said := range slices.Backward(list.View()) { // the newest version is the likeliest to live
		if said.doc < limit && (live == nil || live(said.doc)) {
			return true
		}
	}
	return false
}

func (g *Graph) appendNamed(nodes []Node, key string, limit uint32, live func(doc uint32) bool) []Node {
	list := find[grow.Slice[naming]](&g.names, key)
	if list == nil {
		return nodes
	}
	for _, said := range list.View() {
		if said.doc >= limit {
			break
		}
		if (live == nil || live(said.doc)) && !slices.Contains(nodes, said.entity) {
			nodes = append(nodes, said.entity)
		}
	}
	return nodes
}
