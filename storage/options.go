package storage

import (
	"errors"
	"log/slog"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"loci/engine/memory"
)

// Options of a store. Zero means the documented default.
type Options struct {
	// FS is where the store lives; nil is the disk.
	FS vfs.FS
	// CacheBytes is the block cache; 0 is 64 MiB.
	CacheBytes int64
	// MemTableBytes is the size of one memtable; 0 is 64 MiB. Up to four may
	// wait for their flush before writers do.
	MemTableBytes int64
	// Now is the clock of the control partition; nil is time.Now.
	Now func() time.Time
	// FlushEvery is how often last-use times of keys are written; 0 is a minute.
	FlushEvery time.Duration
	// Events are told what happens in the background.
	Events Events
}

// Events is what a store reports beside its answers. Any may be nil. They may
// be called from any goroutine and while Pebble holds locks, so they must be
// quick and must not call the store.
type Events struct {
	// Broken is told once why the store refuses writes from now on.
	Broken func(cause error)
	// Background is told of an error that Pebble will try again after.
	Background func(err error)
	// StallBegin and StallEnd frame the time in which a writer waits for a
	// flush; each waiting writer has its own frame.
	StallBegin func(reason string)
	StallEnd   func()
	// Erased is told of every tenant erased, and how long it took.
	Erased func(t memory.TenantID, took time.Duration)
	// Engine is told Pebble's own messages.
	Engine func(level slog.Level, message string)
}

func (o *Options) fill() error {
	switch {
	case o.CacheBytes < 0:
		return errors.New("option CacheBytes must not be negative")
	case o.MemTableBytes < 0 || o.MemTableBytes > 1<<30:
		return errors.New("option MemTableBytes must be between 0 and 1 GiB")
	case o.FlushEvery < 0:
		return errors.New("option FlushEvery must not be negative")
	}
	if o.FS == nil {
		o.FS = vfs.Default
	}
	if o.CacheBytes == 0 {
		o.CacheBytes = 64 << 20
	}
	if o.MemTableBytes == 0 {
		o.MemTableBytes = 64 << 20
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.FlushEvery == 0 {
		o.FlushEvery = time.Minute
	}
	return nil
}
