package storage

import (
	"encoding/binary"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// batchOp is one operation of a batch's bytes.
type batchOp struct {
	kind       pebble.InternalKeyKind
	key, value []byte
}

// readOp reads the first operation of rest. Pebble has a reader of its own,
// but it reads past the end of a cut-off length, and these bytes may come from
// another node. Only what a [Batch] writes is known: set and delete.
func readOp(rest []byte) (op batchOp, after []byte, err error) {
	op.kind, rest = pebble.InternalKeyKind(rest[0]), rest[1:]
	if op.kind != pebble.InternalKeyKindSet && op.kind != pebble.InternalKeyKindDelete {
		return op, nil, fmt.Errorf("batch operation of kind %d: %w", op.kind, ErrCorrupt)
	}
	if op.key, rest, err = readString(rest); err != nil {
		return op, nil, err
	}
	if op.kind == pebble.InternalKeyKindSet {
		op.value, rest, err = readString(rest)
	}
	return op, rest, err
}

// readString reads a length of at most five bytes and so many bytes.
func readString(rest []byte) (s, after []byte, err error) {
	length, n := binary.Uvarint(rest)
	if n <= 0 || n > binary.MaxVarintLen32 || length > uint64(len(rest)-n) {
		return nil, nil, fmt.Errorf("batch operation with a bad length: %w", ErrCorrupt)
	}
	end := n + int(length)
	return rest[n:end:end], rest[end:], nil
}
