// Package embed turns texts into vectors.
//
// [Hash] is an embedder without a model: it hashes the words of a text, pairs of
// neighbouring words and groups of three letters into a fixed number of signed
// buckets. Texts that share words or parts of words come near each other, so it
// forgives endings and slips of the pen, but it knows no meaning: "car" and
// "automobile" are strangers. It stands behind [memory.Embedder] until a trained
// embedder takes its place, and remains for tests and for the smallest machines.
//
//	I1  A vector is a function of the text and the dimension alone, bit for bit
//	    the same on every platform: sums are integers, and each float operation
//	    is rounded by itself.
//	I2  Every vector has unit length, also that of a blank text.
//	I3  Whatever would change a vector changes the ID, because vectors of
//	    different ids never mix.
package embed
