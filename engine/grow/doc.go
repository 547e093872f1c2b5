// Package grow is a slice that one goroutine appends to while any number of
// others read it, without a lock.
//
// Invariants:
//
//	I1  An element is in place before the count that includes it is published.
//	I2  A published element is never written again; a larger array takes over
//	    while readers of the old one keep it.
package grow
