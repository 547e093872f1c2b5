package grow_test

import (
	"sync"
	"testing"

	"go.uber.org/goleak"

	"loci/engine/grow"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestReadersSeeAWholePrefix: while the writer pushes 0, 1, 2 …, every view is
// such a run, and none is shorter than one seen before.
func TestReadersSeeAWholePrefix(t *testing.T) {
	var s grow.Slice[int]
	const total = 20_000
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for seen := 0; seen < total; {
				view := s.View()
				if len(view) < seen {
					t.Errorf("a view of %d after one of %d", len(view), seen)
					return
				}
				for i := seen; i < len(view); i++ {
					if view[i] != i {
						t.Errorf("element %d is %d", i, view[i])
						return
					}
				}
				seen = len(view)
			}
		})
	}
	for i := range total {
		s.Push(i)
	}
	readers.Wait()
}

func TestAViewCannotBeAppendedInto(t *testing.T) {
	var s grow.Slice[int]
	s.Push(1)
	_ = append(s.View(), 99)
	s.Push(2)
	if v := s.View(); v[0] != 1 || v[1] != 2 {
		t.Fatal(v)
	}
}
