package graph

import "slices"

// Links returns the live documents below limit that speak of the entity, newest
// last.
func (g *Graph) Links(entity Node, limit uint32, live func(doc uint32) bool) []uint32 {
	n := find[node](&g.nodes, entity)
	if n == nil {
		return nil
	}
	return n.newestLinks(nil, limit, live, len(n.links.View()))
}

// Edges returns the relations from and to the entity that live documents below
// limit say, newest last.
func (g *Graph) Edges(entity Node, limit uint32, live func(doc uint32) bool) []Edge {
	n := find[node](&g.nodes, entity)
	if n == nil {
		return nil
	}
	return g.newestEdges(nil, n, limit, live, len(n.edges.View()))
}

// newestLinks appends up to most of the newest links of a node, oldest first.
func (n *node) newestLinks(dst []uint32, limit uint32, live func(doc uint32) bool, most int) []uint32 {
	from := len(dst)
	for _, doc := range slices.Backward(n.links.View()) {
		if len(dst)-from == most {
			break
		}
		if doc < limit && (live == nil || live(doc)) {
			dst = append(dst, doc)
		}
	}
	slices.Reverse(dst[from:])
	return dst
}

// newestEdges appends up to most of the newest edges of a node, oldest first.
// The node's list is read before the list of all edges (I2).
func (g *Graph) newestEdges(dst []Edge, n *node, limit uint32, live func(doc uint32) bool, most int) []Edge {
	from := len(dst)
	positions := n.edges.View()
	edges := g.edges.View()
	for _, at := range slices.Backward(positions) {
		if len(dst)-from == most {
			break
		}
		if e := edges[at]; e.Doc < limit && (live == nil || live(e.Doc)) {
			dst = append(dst, e)
		}
	}
	slices.Reverse(dst[from:])
	return dst
}
