package storage

import (
	"io"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// guardedFile is a log, a manifest, a marker or the store's folder.
type guardedFile struct {
	vfs.File
	guard *guardFS
}

// Write reports p as written even if it could not be: the store is broken then.
func (f *guardedFile) Write(p []byte) (int, error) {
	f.guard.change(func() error { _, err := f.File.Write(p); return err })
	return len(p), nil
}

// WriteAt is Write at a place.
func (f *guardedFile) WriteAt(p []byte, at int64) (int, error) {
	f.guard.change(func() error { _, err := f.File.WriteAt(p, at); return err })
	return len(p), nil
}

// Sync makes all of the file durable.
func (f *guardedFile) Sync() error {
	f.guard.change(f.File.Sync)
	return nil
}

// SyncData makes the contents durable.
func (f *guardedFile) SyncData() error {
	f.guard.change(f.File.SyncData)
	return nil
}

// SyncTo starts writing out the contents.
func (f *guardedFile) SyncTo(length int64) (full bool, err error) {
	f.guard.change(func() (err error) { full, err = f.File.SyncTo(length); return err })
	return full, nil
}

// Stat says something even of a file that cannot be asked: Pebble asks a
// reused log for its size, and panics if it does not know.
func (f *guardedFile) Stat() (vfs.FileInfo, error) {
	info, err := f.File.Stat()
	if err != nil {
		f.guard.health.breakFor(err)
		return nowhereInfo{}, nil
	}
	return info, nil
}

// Close always closes, also when nothing else is done any more.
func (f *guardedFile) Close() error {
	if err := f.File.Close(); err != nil {
		f.guard.health.breakFor(err)
	}
	return nil
}

// tableFile is a table being written: its errors are Pebble's to handle, the
// guard only keeps it from trying again at full speed.
type tableFile struct {
	vfs.File
	guard *guardFS
}

func (f *tableFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	return n, f.guard.pause(err)
}

func (f *tableFile) Sync() error     { return f.guard.pause(f.File.Sync()) }
func (f *tableFile) SyncData() error { return f.guard.pause(f.File.SyncData()) }

// nowhere is a file that could not be made: what is written to it is gone.
type nowhere struct{}

var _ vfs.File = nowhere{}

func (nowhere) Close() error                           { return nil }
func (nowhere) Read([]byte) (int, error)               { return 0, io.EOF }
func (nowhere) ReadAt([]byte, int64) (int, error)      { return 0, io.EOF }
func (nowhere) Write(p []byte) (int, error)            { return len(p), nil }
func (nowhere) WriteAt(p []byte, _ int64) (int, error) { return len(p), nil }
func (nowhere) Preallocate(_, _ int64) error           { return nil }
func (nowhere) Stat() (vfs.FileInfo, error)            { return nowhereInfo{}, nil }
func (nowhere) Sync() error                            { return nil }
func (nowhere) SyncTo(int64) (bool, error)             { return true, nil }
func (nowhere) SyncData() error                        { return nil }
func (nowhere) Prefetch(_ int64, _ int64) error        { return nil }
func (nowhere) Fd() uintptr                            { return vfs.InvalidFd }

type nowhereInfo struct{}

func (nowhereInfo) Name() string           { return "nowhere" }
func (nowhereInfo) Size() int64            { return 0 }
func (nowhereInfo) Mode() os.FileMode      { return 0 }
func (nowhereInfo) ModTime() time.Time     { return time.Time{} }
func (nowhereInfo) IsDir() bool            { return false }
func (nowhereInfo) Sys() any               { return nil }
func (nowhereInfo) DeviceID() vfs.DeviceID { return vfs.DeviceID{} }
