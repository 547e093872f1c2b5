// Package texts makes memories to learn and questions to ask, as many as a
// workload needs, from a seed.
//
//	I1  Text n is a function of the seed and n alone: the same in every run, on
//	    every machine, in whatever order they are asked for.
//	I2  No two texts of a seed are equal: each names its own case number.
//	I3  A text has 200 to 300 characters, all of them printable ASCII that JSON
//	    needs no escape for.
//	I4  Query n is made of the words of text n.
//	I5  Making one allocates nothing once the buffer has grown.
//
// The sentences are invented: people, firms, places and things are drawn from
// the lists in words.go. Some 10^12 combinations keep two texts from being
// alike by chance, so that a server that recognises duplicates finds none.
package texts
