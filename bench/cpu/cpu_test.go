package cpu

import (
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestParseStat(t *testing.T) {
	tail := " S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0 1 0 1 1 1"
	for _, c := range []struct {
		name, stat string
		want       time.Duration
		wrong      bool
	}{
		{"plain name", "42 (loci)" + tail, 3 * time.Second, false},
		{"name with spaces and parentheses", "42 (a (b) 9 9)" + tail, 3 * time.Second, false},
		{"cut short", "42 (loci) S 1 2", 0, true},
		{"no name", "42", 0, true},
		{"empty", "", 0, true},
		{"not a number", "42 (loci) S 1 2 3 4 5 6 7 8 9 10 x 50 0", 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := parseStat([]byte(c.stat))
			if got != c.want || (err != nil) != c.wrong {
				t.Errorf("got %v, %v; want %v, error %v", got, err, c.want, c.wrong)
			}
		})
	}
}

func TestReadingsNeverGoDown(t *testing.T) {
	before := OfSelf()
	for x := 0; OfSelf() == before; x++ {
		_ = x * x
	}
	if OfSelf() < before {
		t.Error("own processor time went down")
	}
	if used, err := OfProcess(os.Getpid()); err != nil || used < 0 {
		t.Errorf("own process through /proc: %v, %v", used, err)
	}
}

func TestMissingProcess(t *testing.T) {
	// Above the largest pid that Linux hands out (4,194,304).
	if _, err := OfProcess(1 << 30); err == nil {
		t.Error("a process that cannot exist was read")
	}
}
