package storage

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A packed value is one flag byte and the body, as it is or compressed.
const (
	flagRaw  byte = 0
	flagZstd byte = 1

	// packFrom is the length from which compression is tried. A learn of 300
	// bytes saves little and costs a few microseconds.
	packFrom = 512
	// unpackMax bounds what a body may grow to, so that a corrupt frame cannot
	// ask for more memory than any record has.
	unpackMax = 64 << 20
)

// The coders are safe for concurrent use by EncodeAll and DecodeAll and hold
// no state of ours; two at a time is what the smallest machine can run.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(2))
		if err != nil {
			panic(err) // the options are constants
		}
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(unpackMax))
		if err != nil {
			panic(err) // the options are constants
		}
		return d
	})
)

// compress returns the zstd form of body in scratch, and whether it is worth
// keeping.
func compress(scratch, body []byte) ([]byte, bool) {
	if len(body) < packFrom {
		return scratch, false
	}
	scratch = encoder().EncodeAll(body, scratch[:0])
	return scratch, len(scratch) < len(body)
}

// unpack gives the body of a packed value, appended to dst.
func unpack(dst, value []byte) ([]byte, error) {
	if len(value) == 0 {
		return nil, fmt.Errorf("packed value without a flag: %w", ErrCorrupt)
	}
	switch value[0] {
	case flagRaw:
		return append(dst, value[1:]...), nil
	case flagZstd:
		out, err := decoder().DecodeAll(value[1:], dst)
		if err != nil {
			return nil, fmt.Errorf("decompress value: %w: %w", ErrCorrupt, err)
		}
		return out, nil
	}
	return nil, fmt.Errorf("packed value with flag %d: %w", value[0], ErrCorrupt)
}
