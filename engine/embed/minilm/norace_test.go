//go:build !race

package minilm_test

const raceEnabled = false
