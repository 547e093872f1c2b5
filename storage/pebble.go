package storage

import (
	"fmt"
	"log/slog"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// pebbleFormat is Pebble's own format. V6 tables carry checksums in their
// footers, and the log marks what was synced, so that a torn tail and a
// corrupt middle can be told apart. Raising it is a one-way step for a store.
const pebbleFormat = pebble.FormatTableFormatV6

func pebbleOptions(o Options, cache *pebble.Cache, fs vfs.FS, h *health) *pebble.Options {
	po := &pebble.Options{
		Cache:              cache,
		FS:                 fs,
		FormatMajorVersion: pebbleFormat,
		Logger:             logger{h},
		EventListener:      listener(h),
		MemTableSize:       uint64(o.MemTableBytes),
		// Writers wait before they enter Pebble (pressure.go); inside, these
		// are limits that must not be reached.
		MemTableStopWritesThreshold: 10 * maxMemTables,
		L0StopWritesThreshold:       200,
		// Compact L0 early: reads touch few tables.
		L0CompactionThreshold: 4,
		LBaseMaxBytes:         64 << 20,
		// Synced in pieces, a flush of 64 MiB does not delay a log's fsync.
		BytesPerSync:               512 << 10,
		MaxOpenFiles:               1000,
		CompactionConcurrencyRange: func() (int, int) { return 1, 2 },
	}
	shapeLevels(po)
	return po
}

// shapeLevels sets compression and filters. Bodies are zstd already, vectors
// do not compress, so Snappy only squeezes keys and small bodies; L0 is
// rewritten at once and is left alone. Ten bits a key make a lookup of an
// absent record touch a data block in about 1 of 100 tables.
func shapeLevels(po *pebble.Options) {
	for i := range po.Levels {
		po.Levels[i].Compression = func() *sstable.CompressionProfile { return sstable.SnappyCompression }
		po.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
		po.Levels[i].FilterType = pebble.TableFilter
		po.Levels[i].BlockSize = 16 << 10
	}
	po.Levels[0].Compression = func() *sstable.CompressionProfile { return sstable.NoCompression }
}

// logger hears Pebble. Pebble's own Fatalf would end the process; here it
// breaks the store and returns (I4): every caller of Fatalf in Pebble that an
// I/O error can reach returns the error after it.
type logger struct{ h *health }

func (l logger) Infof(format string, args ...any) {
	if tell := l.h.events.Engine; tell != nil {
		tell(slog.LevelDebug, fmt.Sprintf(format, args...))
	}
}

func (l logger) Errorf(format string, args ...any) {
	if tell := l.h.events.Engine; tell != nil {
		tell(slog.LevelError, fmt.Sprintf(format, args...))
	}
}

func (l logger) Fatalf(format string, args ...any) {
	l.h.breakFor(fmt.Errorf("pebble: "+format, args...))
}

func listener(h *health) *pebble.EventListener {
	return &pebble.EventListener{
		BackgroundError: h.background,
		DataCorruption: func(info pebble.DataCorruptionInfo) {
			h.breakFor(fmt.Errorf("pebble: %s: %w", info.String(), ErrCorrupt))
		},
		FlushEnd:        func(pebble.FlushInfo) { h.flushed() },
		WALCreated:      func(pebble.WALCreateInfo) { h.rotated.Store(true) },
		WriteStallBegin: func(info pebble.WriteStallBeginInfo) { h.stall(info.Reason) },
		WriteStallEnd:   h.unstall,
	}
}
