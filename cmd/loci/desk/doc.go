// Package desk is what an operator may ask of a node: tenants, keys, a check,
// a backup.
//
// A [Desk] works on an open store. A server puts its desk behind a socket in
// the data folder ([Listen]); a command calls [Reach], which finds out by
// itself whether a server answers there or whether the store must be opened.
// Both ways go through the same table of operations and the same JSON, so that
// a command cannot behave differently on a stopped store and on a running
// server.
//
// Invariants that the code cites:
//
//	I1  Whoever can open the socket may do everything: it has mode 0600, and
//	    nothing of this package is served on a network address.
//	I2  A tenant is deleted in four steps, each durable before the next: its
//	    keys fail, its actor stops, its data is erased, its name is forgotten.
//	    A deletion that was cut off is finished at the next start.
//	I3  A key's secret leaves a desk once, in the answer to its creation.
package desk
