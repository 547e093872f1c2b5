package storage

import (
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// guardFS stands between Pebble and the disk, because Pebble takes some I/O
// errors badly. As read in v2.1.7:
//
//   - A log write or sync that fails reaches Commit, which calls Fatalf.
//   - A log that cannot be closed or created when the memtable is full panics
//     in rotateWAL while a deferred Unlock waits for a mutex that is not
//     locked: the runtime then ends the process, and no recover helps. A log
//     that failed to sync fails to close, so the first case leads to this one.
//   - A manifest that cannot be written calls Fatalf with its books half
//     changed. Going on after that may write them down wrongly.
//   - A flush or compaction that fails is tried again at once, for ever.
//
// So the guard keeps errors of the log, the manifest and the markers from
// Pebble. At the first one it breaks the store, and from then on no change to
// such a file reaches the disk, nor does any removal or renaming: the disk
// stays as it was at that moment, as after a power cut (I4). Pebble goes on in
// memory, consistent with itself, and serves reads; Commit sees that the store
// is broken before it answers.
//
// Tables are left to Pebble: a table that no manifest names is swept away at
// the next Open, and a failed one is made again. The guard only slows that
// down to 20 times a second.
//
// While Pebble opens it is the same, for a failed sync of a marker panics there
// too: Open looks at the health afterwards and closes a store that broke.
// Files outside the store's own folder are not its business, but for the
// folder of a checkpoint: Pebble panics when that cannot be synced, and a bad
// backup disk must not hurt the store (guard_copy.go).
type guardFS struct {
	vfs.FS
	dir      string
	health   *health
	released chan struct{}
	copy     copyErrors
}

const retryPause = 50 * time.Millisecond

func newGuardFS(fs vfs.FS, dir string, h *health) *guardFS {
	return &guardFS{FS: fs, dir: fs.PathDir(fs.PathJoin(dir, "x")), health: h, released: make(chan struct{})}
}

// release ends the pauses, before Close.
func (g *guardFS) release() { close(g.released) }

// Unwrap gives Pebble the file system below, as every wrapper does.
func (g *guardFS) Unwrap() vfs.FS { return g.FS }

func (g *guardFS) inside(name string) bool { return g.FS.PathDir(name) == g.dir }

func isTable(name string) bool {
	return strings.HasSuffix(name, ".sst") || strings.HasSuffix(name, ".blob")
}

// frozen reports whether nothing may change on disk any more.
func (g *guardFS) frozen() bool { return g.health.broken() != nil }

// change does something to a guarded file, or pretends to.
func (g *guardFS) change(work func() error) {
	if g.frozen() {
		return
	}
	if err := work(); err != nil {
		g.health.breakFor(err)
	}
}

// pause notes a failed table write and holds up the goroutine that made it.
func (g *guardFS) pause(err error) error {
	if err == nil {
		return nil
	}
	g.health.tableFailed(err)
	select {
	case <-g.released:
	case <-time.After(retryPause):
	}
	return err
}

// Create makes a file. A log or manifest that cannot be made becomes one that
// keeps nothing.
func (g *guardFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return g.make(name, func() (vfs.File, error) { return g.FS.Create(name, category) })
}

// ReuseForWrite turns an old log into a new one.
func (g *guardFS) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return g.make(newname, func() (vfs.File, error) { return g.FS.ReuseForWrite(oldname, newname, category) })
}

// OpenReadWrite opens a file for change.
func (g *guardFS) OpenReadWrite(name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	return g.make(name, func() (vfs.File, error) { return g.FS.OpenReadWrite(name, category, opts...) })
}

// OpenDir opens a folder, which Pebble does to sync it.
func (g *guardFS) OpenDir(name string) (vfs.File, error) {
	f, err := g.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	if g.FS.PathDir(g.FS.PathJoin(name, "x")) != g.dir {
		return &copyDir{File: f, errors: &g.copy}, nil
	}
	return &guardedFile{File: f, guard: g}, nil
}

func (g *guardFS) make(name string, open func() (vfs.File, error)) (vfs.File, error) {
	if !g.inside(name) {
		return open()
	}
	if isTable(name) {
		f, err := open()
		if err != nil {
			return nil, g.pause(err)
		}
		return &tableFile{File: f, guard: g}, nil
	}
	var f vfs.File = nowhere{}
	g.change(func() error {
		made, err := open()
		if err == nil {
			f = made
		}
		return err
	})
	return &guardedFile{File: f, guard: g}, nil
}

// Remove deletes a file, unless the manifest on disk may still name it.
func (g *guardFS) Remove(name string) error {
	if g.inside(name) && g.frozen() {
		return nil
	}
	return g.FS.Remove(name)
}

// Rename gives a file another name.
func (g *guardFS) Rename(oldname, newname string) error {
	if !g.inside(newname) {
		return g.FS.Rename(oldname, newname)
	}
	g.change(func() error { return g.FS.Rename(oldname, newname) })
	return nil
}
