//go:build !race

package rest_test

const slack = 0
