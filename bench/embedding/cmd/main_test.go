package main

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSetupThatFailsIsAReason(t *testing.T) {
	if folder, reason := prepare(t.Context(), "/nonexistent.sh", t.TempDir()); folder != "" || reason != missing {
		t.Errorf("got %q, %q", folder, reason)
	}
	if folder, reason := prepare(t.Context(), "/dev/null", "folder"); folder != "folder" || reason != "" {
		t.Errorf("got %q, %q", folder, reason)
	}
}
