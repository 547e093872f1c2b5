package kept_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"loci/bench/kept"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "on", "the", "way")
	day := time.Date(2026, 5, 4, 23, 0, 0, 0, time.UTC)
	for _, page := range []string{"first", "second"} {
		if err := kept.Write(dir, "house", day, page, map[string]string{"page": page}); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"house-2026-05-04.md": "second", "house-2026-05-04.json": "{\n  \"page\": \"second\"\n}\n"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if err := kept.Write(dir, "bad", day, "", math.NaN()); err == nil {
		t.Error("a report that is no JSON was kept")
	}
}
