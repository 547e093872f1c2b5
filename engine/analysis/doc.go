// Package analysis turns text into the terms that an index keeps and a query
// asks for, and into the forms by which duplicates and names are recognised.
//
// There are four readings of a text, for four purposes:
//
//	Terms    what to index: stems, whole identifiers and their parts
//	Gist     what it says: stems in order, to find near-duplicates
//	Normal   how it is written, less case, blanks and punctuation: duplicates
//	Words    where its plain words are: highlighting, names of entities
//
// All share one segmentation (token.go). A token is a run of letters and digits,
// with single connectors _ - . / @ : inside it; scripts that write without
// blanks (Han, Kana, Hangul, Thai and neighbours) are runs of their own.
//
//	I1  The readings are functions of the text alone: the cache of stems changes
//	    the speed, never the answer.
//	I2  A term is never empty and never longer than MaxTerm bytes; a longer one
//	    becomes its head and a hash of the whole.
//	I3  Returned terms never share memory with the text, so an index may keep
//	    them while the text goes.
//	I4  A text that has a word has a term: stop words are dropped only when
//	    something else is left.
//	I5  Case and accents hide nothing: what a text in small letters is found by
//	    finds it in capitals too. Capitals only add: the parts of getUserName, and
//	    stop words that are names ("IT", "US").
//
// Caveats: stemming is English; a word of another Latin language is stemmed as
// if it were English, the same in text and query. There is no dictionary for the
// scripts without blanks: overlapping pairs of characters stand in for words.
package analysis
