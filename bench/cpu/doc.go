// Package cpu reads how much processor time a process has used, so that a
// report can say what one request cost the server and, apart from it, what it
// cost the generator that shares the machine.
//
//	I1  A reading is the sum of user and system time over all threads since
//	    the process began; it never goes down.
//
// Caveat: another process is read from /proc, whose clock ticks every 10 ms.
// A window of one second is therefore exact to about one part in a hundred.
package cpu
