// Package kept writes reports where results are kept: one file for people and
// one for programs, named after the workload and the day.
package kept
