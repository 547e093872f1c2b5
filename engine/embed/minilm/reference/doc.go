// Package reference is the model told plainly: the forward pass of
// all-MiniLM-L6-v2 in float64, one loop for each formula, with nothing folded,
// packed or approximated. It is what the fast one is held against, and with it
// the converter sees what flows through the model when it rounds the weights.
//
//	I1  The result is the same on every machine, bit for bit: products are
//	    rounded before they are added, sums run in one order, and exp and erf are
//	    written out here, because those of package math differ between
//	    architectures.
//
// It is hundreds of times slower than the fast one: no embedder.
package reference
