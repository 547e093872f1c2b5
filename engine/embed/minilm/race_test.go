//go:build race

package minilm_test

// raceEnabled: sync.Pool drops things at random under the race detector.
const raceEnabled = true
