//go:build race

package rest_test

// Under the race detector a sync.Pool drops some of what is put back, on
// purpose; the budgets allow for it.
const slack = 8
