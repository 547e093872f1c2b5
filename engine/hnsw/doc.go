// Package hnsw finds the vectors nearest to a query vector.
//
// For now it holds one index, [Flat]: an exact scan over all vectors. Most
// tenants never need more (below some ten thousand vectors a scan beats a
// graph), and the graph that joins it later is measured against it.
//
// One goroutine writes, any number of goroutines read, and nobody locks. A
// reader brings its own limit: documents at or above it do not exist for it,
// whatever the writer does meanwhile.
//
//	I1  Documents arrive in strictly ascending order; gaps are fine.
//	I2  What a reader may see is never written again: vectors lie in chunks
//	    that are filled once, and a row is published (an atomic store of the
//	    count) only after its last float is in place.
//	I3  A score depends on the two vectors alone: products are rounded to
//	    float32 before they are added, in a fixed order, so that every
//	    platform computes the same bits (no fused multiply-add).
//	I4  Better means a higher score, and between equals the smaller document.
//
// Caveats: there is no delete; the accept function of a search hides what is
// gone. Breaking I1 or giving a vector of another dimension is a bug of the
// caller and panics.
package hnsw
