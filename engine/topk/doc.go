// Package topk keeps the best of many scored documents.
//
// Invariants:
//
//	I1  Better means a higher score, and between equals the smaller document,
//	    so the best of a set do not depend on the order of offers.
package topk
