package storage

import "errors"

// States that callers ask about with errors.Is.
var (
	// ErrNotFound says that nothing is stored under the key.
	ErrNotFound = errors.New("not found")
	// ErrClosed says that the store has been closed.
	ErrClosed = errors.New("storage is closed")
	// ErrBroken says that a write to the log or the manifest failed: the store
	// refuses every later write until it is opened again (I4).
	ErrBroken = errors.New("storage is broken and refuses writes")
	// ErrFlushing says that tables cannot be written at present, so writes are
	// refused; it heals by itself when they can.
	ErrFlushing = errors.New("storage cannot flush and refuses writes for now")
	// ErrCorrupt says that stored bytes are not what was written.
	ErrCorrupt = errors.New("corrupt")
	// ErrForeign says that a batch names a key outside its partition.
	ErrForeign = errors.New("key outside the partition")
)
