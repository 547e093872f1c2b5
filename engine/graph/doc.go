// Package graph keeps what speaks of whom: the names that entities bear, the
// documents linked to them, and the relations between them; and spreads
// activation from the entities of a question to the documents around them.
//
// Everything in it is said by a document: a name by a version of the entity's
// record, a link by the document that speaks of the entity, an edge by a
// relation record. One goroutine writes, any number of goroutines read, and
// nobody locks. A reader brings its own view: documents at or above its limit do
// not exist for it, and a function says which of the others are live (nil: all).
//
//	I1  Documents never descend: each is at or above the one before it. One
//	    document may say several things.
//	I2  What a reader may see is never written again: an item is published (an
//	    atomic store of the list's count) only after it is in place, an edge in
//	    the list of all edges before it is in the list of a node.
//	I3  An answer depends on the view and the question alone; sums run in the
//	    order of seeds and documents, never in the order of a map.
//	I4  Better means a higher score, and between equals the smaller document.
//	I5  Activation is monotone within its bounds: one more seed or edge never
//	    lowers what a document receives. Only more links of the same node thin
//	    what each of them receives.
//
// Caveats: there is no delete; lists keep what dead documents said until the
// engine rebuilds the graph. Breaking I1 is a bug of the caller and panics.
package graph
