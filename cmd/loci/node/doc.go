// Package node builds the rooms of one server, starts them from the ground up
// and stops them from the top down.
//
//	start   data folder, store, listener, unfinished deletions, actors,
//	        first tenant and key, edge, admin socket, debug address
//	stop    edge (stops accepting, finishes), admin socket, debug address,
//	        actors (finish or refuse), store
//
// It is also the place where what the rooms report (their Events and Stats)
// becomes log lines and metrics: the rooms themselves log nothing and count
// for nobody.
//
// Invariants that the code cites:
//
//	I1  A key is made only after the address could be taken: a server that
//	    cannot start must not use up the one time a key is shown.
//	I2  A secret goes into [Welcome] and nowhere else; no log line has one.
//	I3  What was started is stopped, in the reverse order, also when a later
//	    step of the start fails.
package node
