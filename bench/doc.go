// Package bench measures a whole Loci server over HTTP, beside a Redis that
// syncs every SET, and writes down what it saw.
//
// [RunSuite] starts the server under test as a process of its own, drives it
// with the generator of bench/load, and compares durable learns with Redis SETs
// of the very same bytes, in turns (A B A B A B), so that a noisy minute of the
// machine falls on both. [Report.WriteFiles] keeps the result.
//
// Invariants:
//
//	I1  Both sides of a comparison get the same generator, the same number of
//	    connections, the same bytes as payload and the same folder's file
//	    system; each round begins with an empty store in a fresh process.
//	I2  Throughput comes from a closed loop and is called so; latencies that are
//	    compared come from open loops at 50 % and 80 % of it.
//	I3  Every answer is looked at: a status other than 2xx, a learn that was not
//	    added, a search that found nothing are failures and not successes.
//	I4  All traffic is loopback.
//	I5  A suite ends within its limit of time; what it had no time for stands in
//	    the notes.
//	I6  Results hold no host names and no paths.
//	I7  Each learned text is learned once: no duplicate makes a learn cheap.
//
// Caveats: the generator shares the machine's cores with the server, so that
// throughputs are those of both together; the report shows the processor time
// of each. A report of fewer than three rounds says nothing about noise.
package bench
