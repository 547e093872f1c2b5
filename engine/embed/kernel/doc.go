// Package kernel runs the layers of a BERT encoder on the vector units of the
// machine: AMX tiles, AVX-512, AVX2 or NEON in Go assembly, and plain Go beside
// them. It knows matrices, rows and heads, not words or files.
//
// A batch is packed: the tokens of several texts stand one under another, with
// no padding between them, and the list of lengths says where a text ends.
// [Engine] holds the path and packs the weights; [Work] is the scratch of one
// pass. The three stages of a layer are [Engine.Attend], [Engine.Feed] and
// [Engine.Normalize].
//
// Weights arrive as int8 rows with a scale each and stay exact on every path:
// an int8 code is a whole number that bf16, int16 and float32 all hold, and the
// scale is multiplied in after the sum. The paths differ in the activations:
//
//	portable, neon, avx2   float32
//	avx512                 float32; with VNNI int16, one scale for each row
//	amx                    bf16 (8 bits of mantissa), sums in float32
//
// A matrix is cut into panels of 32 outputs. The sums of one panel for all rows
// fit the first-level cache (128 rows: 16 KB), where bias, GELU or the residual
// are applied before the next panel starts. 32 is also the width of a head, so
// panel h of the query matrix is head h.
//
//	I1  A panel kernel reads and writes whole blocks of rows; every buffer has
//	    rowSlack rows more than the batch, so no kernel leaves its buffer.
//	I2  Buffers are born zero and only finite numbers are written, so the slack
//	    rows and the columns beyond a text are finite: times zero they vanish.
//	I3  Tile state lives inside one assembly call: each loads its configuration
//	    and releases it, so the scheduler never sees live tiles.
//	I4  A text's result does not depend on its neighbours in the batch.
//	I5  Every function that touches a Y or Z register ends with VZEROUPPER.
//
// Not every shape is possible: the hidden and inner widths are multiples of 64
// and a head is 32 wide (MiniLM, bge-small, e5-small, gte-small).
package kernel
