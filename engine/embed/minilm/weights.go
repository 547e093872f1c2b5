package minilm

import _ "embed"

// WeightsSHA256 is the checksum of the whole weight file. A test holds the file
// against it, and make model ends by printing the one it made.
const WeightsSHA256 = "0de3335cfd6e1074c075576a96c8e9a760f09103255e95888486b83bcf032f4a"

// weights is a slice and not a string because the linker packs strings without
// any alignment, and floats could then not be used in place. Nobody writes it.
//
//go:embed minilm-l6-v2.bin
var weights []byte

// Builtin opens the weight file inside the binary.
func Builtin() (*File, error) { return Open(weights) }
