package httpedge

import (
	"crypto/sha256"

	"loci/engine/memory"
)

// readOnce reads the Idempotency-Key and sums up what it stands for: method,
// path and the body after decompression, so that it does not matter how a
// client compressed the same request the second time.
func (r *Request) readOnce() error {
	lines := r.fast.Request.Header.PeekAll(headerOnce)
	switch {
	case len(lines) == 0:
		return nil
	case len(lines) > 1 || !visible(lines[0]):
		return memory.BadField(headerOnce, "must be 1 to 255 visible ASCII characters, given once")
	}
	sum := sha256.New()
	sum.Write(r.fast.Method())
	sum.Write([]byte{' '})
	sum.Write(r.fast.Path())
	sum.Write([]byte{'\n'})
	sum.Write(r.body)
	r.Caller.Once.Key = string(lines[0])
	sum.Sum(r.Caller.Once.Body[:0])
	return nil
}

func visible(key []byte) bool {
	for _, c := range key {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return len(key) >= 1 && len(key) <= 255
}
