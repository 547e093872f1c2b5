package graph

import (
	"math"
	"slices"
	"sync"

	"loci/engine/topk"
)

const (
	// DefaultFanout is how many nodes an activation reaches if it does not say.
	DefaultFanout = 256
	// MaxLinks is how many links, and how many edges, of a node count: the newest.
	MaxLinks = 4096
	// passed is the part of a node's activation that an edge of weight 1 passes.
	passed = 0.5
	// thinning is how many links a node has before they thin noticeably: with 8
	// links a document receives 0.71 of the node's activation, with 800 a tenth.
	thinning = 8
)

// Activation is a question to the graph: which documents do these entities
// bring to mind?
type Activation struct {
	// Seeds are the entities of the question; doubles count once.
	Seeds []Node
	// Limit hides documents at or above it.
	Limit uint32
	// Live says which documents' links and edges exist; nil: all.
	Live func(doc uint32) bool
	// Accept says which documents may be answers; nil: all that are live.
	Accept func(doc uint32) bool
	// K is how many documents to return; none if it is not positive.
	K int
	// Fanout is how many nodes may be active, seeds first; 0: DefaultFanout.
	Fanout int
}

// Activate spreads activation over one hop and returns the K documents that
// receive most, best first (I4).
//
// Each seed starts with 1. Each live edge of a seed passes 0.5·weight to the
// entity at its other end, which holds at most 1 in all this way, so a neighbour
// by many relations counts no more than being asked for. Then each active node
// gives each of its documents activation/√(1+links/8), where links counts the
// node's live links, and a document sums what it receives from distinct nodes.
func (g *Graph) Activate(a Activation) []topk.Scored {
	if a.K <= 0 || len(a.Seeds) == 0 {
		return nil
	}
	s := spreads.Get().(*spread)
	defer s.release()
	g.spreadNodes(s, a)
	for _, n := range s.order {
		g.give(s, a, n, s.active[n])
	}
	return s.best(a)
}

// spread is the scratch of one activation.
type spread struct {
	order  []Node // active nodes: seeds, then neighbours as found
	active map[Node]float64
	passed map[Node]float64
	docs   map[uint32]float64
	links  []uint32
	edges  []Edge
}

var spreads = sync.Pool{New: func() any {
	return &spread{active: map[Node]float64{}, passed: map[Node]float64{}, docs: map[uint32]float64{}}
}}

// release gives the scratch back, unless it has grown beyond what is usual:
// clearing a large map costs the next search its whole size.
func (s *spread) release() {
	if len(s.docs) > 4*MaxLinks {
		return
	}
	clear(s.active)
	clear(s.passed)
	clear(s.docs)
	s.order, s.links, s.edges = s.order[:0], s.links[:0], s.edges[:0]
	spreads.Put(s)
}

// spreadNodes finds the active nodes and how active each is.
func (g *Graph) spreadNodes(s *spread, a Activation) {
	fanout := a.Fanout
	if fanout <= 0 {
		fanout = DefaultFanout
	}
	for _, seed := range a.Seeds {
		if s.admit(seed, fanout) {
			s.active[seed] = 1
		}
	}
	for _, seed := range s.order[:len(s.order):len(s.order)] {
		g.pass(s, a, seed, fanout)
	}
	for _, n := range s.order {
		s.active[n] += min(s.passed[n], 1)
	}
}

// admit makes a node active if it is new and there is room.
func (s *spread) admit(n Node, fanout int) bool {
	if _, known := s.active[n]; known || len(s.order) >= fanout {
		return false
	}
	s.active[n] = 0
	s.order = append(s.order, n)
	return true
}

// pass gives a seed's neighbours their part, over its newest edges first.
func (g *Graph) pass(s *spread, a Activation, seed Node, fanout int) {
	n := find[node](&g.nodes, seed)
	if n == nil {
		return
	}
	s.edges = g.newestEdges(s.edges[:0], n, a.Limit, a.Live, MaxLinks)
	for _, e := range slices.Backward(s.edges) {
		other := e.other(seed)
		if other == seed || e.Weight == 0 {
			continue // passes nothing, so it takes no room either
		}
		s.admit(other, fanout)
		if _, reached := s.active[other]; reached {
			s.passed[other] += float64(passed * e.Weight)
		}
	}
}

// give hands a node's activation to its documents.
func (g *Graph) give(s *spread, a Activation, entity Node, activation float64) {
	n := find[node](&g.nodes, entity)
	if n == nil || activation == 0 {
		return
	}
	s.links = n.newestLinks(s.links[:0], a.Limit, a.Live, MaxLinks)
	share := activation / math.Sqrt(1+float64(len(s.links))/thinning)
	for _, doc := range s.links {
		s.docs[doc] += share
	}
}

// best ranks the documents. The order of the map does not matter: documents are
// distinct, so the ranking is total.
func (s *spread) best(a Activation) []topk.Scored {
	best := topk.New(a.K, len(s.docs))
	for doc, score := range s.docs {
		if best.Wants(doc, score) && (a.Accept == nil || a.Accept(doc)) {
			best.Offer(doc, score)
		}
	}
	return best.Sorted()
}

// other is the end of the edge that is not n.
func (e Edge) other(n Node) Node {
	if e.From == n {
		return e.To
	}
	return e.From
}
