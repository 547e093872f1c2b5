package storage

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// faults fails changes to the disk from the nth on: that one, or all.
type faults struct {
	n     int64
	every bool
	seen  atomic.Int64
	hit   atomic.Bool
}

func (f *faults) String() string { return "faults" }

func (f *faults) MaybeError(op errorfs.Op) error {
	if op.Kind.ReadOrWrite() != errorfs.OpIsWrite || op.Kind == errorfs.OpLock {
		return nil
	}
	n := f.seen.Add(1) - 1
	if n == f.n || f.every && n > f.n {
		f.hit.Store(true)
		return errorfs.ErrInjected
	}
	return nil
}

// TestFaultAnywhere fails every single change that the workload makes to the
// disk by itself, and every third with all that follow. The process lives, an
// error is reported or the fault did no harm, nothing acknowledged is lost by a
// power cut after it, and nothing half written is visible.
func TestFaultAnywhere(t *testing.T) {
	steps := workload()
	want := states(t, steps)
	for every, stride := range map[bool]int64{false: 1, true: 3} {
		f := &faults{every: every}
		for checkFault(t, f, steps, want); f.hit.Load(); checkFault(t, f, steps, want) {
			f = &faults{n: f.n + stride, every: every}
		}
		t.Logf("all that follow: %v: %d faults", every, f.n/stride)
	}
}

func checkFault(t *testing.T, f *faults, steps []step, want []string) {
	t.Helper()
	disk := vfs.NewCrashableMem()
	acked := runFailing(t, f, disk, steps)
	most := min(acked+1, len(steps))
	got, err := dumpOf("store", small(disk.CrashClone(vfs.CrashCloneCfg{})))
	if err != nil {
		t.Fatalf("fault %d (every %v), %d steps acknowledged: %v", f.n, f.every, acked, err)
	}
	if got != want[acked] && got != want[most] {
		t.Fatalf("fault %d (every %v), %d steps acknowledged: the store holds neither state: %s", f.n, f.every, acked, short(got, want[acked]))
	}
}

// runFailing runs steps up to the first error, and says how many succeeded.
func runFailing(t *testing.T, f *faults, disk vfs.FS, steps []step) int {
	t.Helper()
	s, err := Open("store", small(errorfs.Wrap(disk, f)))
	if err != nil {
		return 0
	}
	defer s.Close()
	for i, st := range steps {
		if err := st.run(s); err != nil {
			checkRefusal(t, s, err)
			return i
		}
	}
	return len(steps)
}

// checkRefusal holds a failed step against the state of the store: what the
// store says of itself is what it does.
func checkRefusal(t *testing.T, s *Store, err error) {
	t.Helper()
	broken := errors.Is(s.Err(), ErrBroken)
	if errors.Is(err, ErrBroken) && !broken {
		t.Fatalf("step failed with %v, the store says %v", err, s.Err())
	}
	if _, err := dump(s); err != nil {
		t.Fatalf("read after a failed write: %v", err)
	}
	if !broken {
		return
	}
	if again := learn(alice, 9)(s); !errors.Is(again, ErrBroken) {
		t.Fatalf("a broken store answered a commit with %v", again)
	}
}
