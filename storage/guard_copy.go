package storage

import (
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// copyErrors gathers, while a checkpoint is made, the folder syncs that failed.
type copyErrors struct {
	mu struct {
		sync.Mutex
		copying bool
		first   error
	}
}

func (c *copyErrors) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mu.copying, c.mu.first = true, nil
}

// end gives the first error since begin.
func (c *copyErrors) end() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mu.copying = false
	return c.mu.first
}

// keep takes the error for end, or gives it back if no checkpoint is made.
func (c *copyErrors) keep(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.mu.copying {
		return err
	}
	if c.mu.first == nil {
		c.mu.first = err
	}
	return nil
}

// copyDir is a folder outside the store.
type copyDir struct {
	vfs.File
	errors *copyErrors
}

// Sync makes the folder's entries durable.
func (d *copyDir) Sync() error {
	if err := d.File.Sync(); err != nil {
		return d.errors.keep(err)
	}
	return nil
}
