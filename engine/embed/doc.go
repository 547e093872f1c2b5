// Package embed turns texts into vectors.
//
// [MiniLM] is the model inside the binary, and [Pool] the embedder that lets
// concurrent requests share its passes: bounded, fair among tenants, questions
// before documents, with a small cache of the vectors of questions. The model
// itself lives in the packages minilm, kernel and wordpiece below; clients for
// others' servers in remote.
//
// [Hash] is an embedder without a model: it hashes the words of a text, pairs of
// neighbouring words and groups of three letters into a fixed number of signed
// buckets. Texts that share words or parts of words come near each other, so it
// forgives endings and slips of the pen, but it knows no meaning: "car" and
// "automobile" are strangers. It is for tests, for measuring everything but the
// model, and for the smallest machines.
//
//	I1  A vector is a function of the text and the dimension alone, bit for bit
//	    the same on every platform: sums are integers, and each float operation
//	    is rounded by itself.
//	I2  Every vector has unit length, also that of a blank text.
//	I3  Whatever would change a vector changes the ID, because vectors of
//	    different ids never mix.
package embed
