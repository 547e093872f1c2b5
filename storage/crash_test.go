package storage

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// crash is the disk as a power cut left it, and what may be on it: the states
// after so many steps.
type crash struct {
	at          string
	disk        *vfs.MemFS
	least, most int
}

// crasher takes a crash before every change to the disk.
type crasher struct {
	disk    *vfs.MemFS
	acked   atomic.Int64 // steps that returned
	started atomic.Int64

	mu struct {
		sync.Mutex
		random  *rand.Rand
		crashes []crash
	}
}

func newCrasher(seed uint64) *crasher {
	c := &crasher{disk: vfs.NewCrashableMem()}
	c.mu.random = rand.New(rand.NewPCG(seed, seed))
	return c
}

// MaybeError is called before each operation; it never makes one fail.
func (c *crasher) MaybeError(op errorfs.Op) error {
	if op.Kind.ReadOrWrite() == errorfs.OpIsWrite {
		c.take(fmt.Sprintf("before op %d on %s", op.Kind, op.Path))
	}
	return nil
}

func (c *crasher) String() string { return "crasher" }

// take cuts the power: of what was not synced, none, some or all survives.
func (c *crasher) take(at string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cut := crash{at: at, least: int(c.acked.Load())}
	percent := []int{0, 0, 30, 70, 100}[c.mu.random.IntN(5)]
	cut.disk = c.disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: c.mu.random})
	cut.most = int(c.started.Load())
	c.mu.crashes = append(c.mu.crashes, cut)
}

// TestCrashAnywhere cuts the power before every single change that the
// workload makes to the disk. After each, the store opens, every acknowledged
// step is there, and the step under way is there whole or not at all.
func TestCrashAnywhere(t *testing.T) {
	steps := workload()
	want := states(t, steps)
	c := newCrasher(1)
	runCrashing(t, c, steps)
	t.Logf("%d crashes", len(c.mu.crashes))
	for _, cut := range c.mu.crashes {
		checkCrash(t, cut, steps, want)
	}
}

func runCrashing(t *testing.T, c *crasher, steps []step) {
	t.Helper()
	s, err := Open("store", small(errorfs.Wrap(c.disk, c)))
	must(t, err)
	for _, st := range steps {
		c.started.Add(1)
		if err := st.run(s); err != nil {
			t.Fatalf("%s: %v", st.name, err)
		}
		c.acked.Add(1)
		c.take("after " + st.name)
	}
	must(t, s.Close())
	c.take("after close")
}

func checkCrash(t *testing.T, cut crash, steps []step, want []string) {
	t.Helper()
	got, err := dumpOf("store", small(cut.disk))
	if err != nil {
		t.Fatalf("crash %s, after step %d of %d: %v", cut.at, cut.least, cut.most, err)
	}
	for i := cut.least; i <= cut.most; i++ {
		if got == want[i] {
			checkCrashedBackup(t, cut, steps, want)
			return
		}
	}
	t.Fatalf("crash %s, after step %d of %d: the store holds neither state:\n%s", cut.at, cut.least, cut.most, short(got, want[cut.least]))
}

// checkCrashedBackup opens the checkpoint if it was acknowledged.
func checkCrashedBackup(t *testing.T, cut crash, steps []step, want []string) {
	t.Helper()
	for i, st := range steps {
		if st.name == "checkpoint" && cut.least > i {
			checkBackup(t, cut.disk, steps, want)
		}
	}
}

// short says how two dumps differ without showing megabytes.
func short(got, want string) string { return fmt.Sprintf("got %d bytes, want %d", len(got), len(want)) }
