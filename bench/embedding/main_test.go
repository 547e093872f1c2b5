package embedding

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// asWorker makes the test program our side of the comparison, so that Run is
// tested with a real second process.
const asWorker = "LOCI_BENCH_EMBEDDING_WORK"

func TestMain(m *testing.M) {
	if os.Getenv(asWorker) == "" {
		goleak.VerifyTestMain(m)
		return
	}
	if err := Work(os.Stdin, os.Stdout); err != nil {
		os.Exit(1)
	}
}
