package rest_test

import (
	"errors"

	"loci/engine/memory"
)

var errBroken = errors.New("the disk is broken")

// setFail makes every call of the service fail with err.
func (f *fake) setFail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail = err
}

// recreate puts the record of the examples back, which a DELETE may have
// erased, and asks with a version it does not have.
func (h *house) recreate(o operation, path, body string) reply {
	id, _ := memory.ParseID(someID)
	h.mu.Lock()
	h.put(tenantA, &memory.Memory{ID: id, Type: memory.Fact, Content: "Ada prefers tea."})
	h.mu.Unlock()
	return h.call("loci_a", o.method, path, body, "If-Match", `"99"`)
}
