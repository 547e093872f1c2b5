// Package inverted finds documents by their words: an inverted index in memory
// with exact BM25 ranking.
//
// One goroutine writes, any number of goroutines read, and nobody locks. A
// reader brings its own view: documents at or above its limit do not exist for
// it, and two functions say which of the others are live (counted in the
// statistics) and which it accepts as answers.
//
//	I1  Documents arrive in strictly ascending order; gaps are fine. So every
//	    posting list ascends too.
//	I2  What a reader may see is never written again: a posting is published
//	    (an atomic store of the list's count) only after it is in place, a term
//	    is published with its first posting still ahead.
//	I3  A score depends on the view and the query alone. Terms add up in the
//	    order in which the query first names them, each product rounded by
//	    itself (no fused multiply-add), so every platform ranks alike.
//	I4  Better means a higher score, and between equals the smaller document.
//	I5  Document frequencies are exact: postings of live documents below the
//	    limit, counted, not estimated.
//
// Caveats: there is no delete and no position; a list keeps the postings of
// dead documents until the engine rebuilds the index. A term that occurs more
// than 65,535 times in one document counts as 65,535 times. Breaking I1 is a bug
// of the caller and panics.
package inverted
