// Package redis is the anchor that durable learns are compared with: a Redis
// that answers a SET only after fsync (appendfsync always), on loopback, and a
// client for it that is as cheap as the one that sends the learns.
//
//	I1  A [Conn] belongs to one goroutine and has one command in flight.
//	I2  A bulk reply's bytes are valid until the next command.
//	I3  After an error of the connection or the protocol it is closed, and the
//	    next command dials again; an error reply of Redis leaves it open.
//	I4  A started server listens on loopback only, keeps its files in the given
//	    folder, and is ended by Stop.
//
// Caveats: RESP2 without arrays, which SET, PING and INFO do not need.
package redis
