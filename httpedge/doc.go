// Package httpedge is where HTTP ends: a fasthttp server that turns requests
// into calls of a [memory.Service] and its answers into JSON.
//
// The package knows nothing of memories. It is given a table of routes, and
// from that one table come the router, the credential check, the OpenAPI
// document, the page for people and the metrics, so that none of them can
// differ from another. The memory API itself is in httpedge/rest, the JSON in
// httpedge/wire:
//
//	wire ← httpedge ← rest
//
// Invariants that the code cites:
//
//	E1  No byte of fasthttp's buffers outlives the handler. Everything a
//	    service is given has been copied (a kept body became another
//	    tenant's).
//	E2  The tenant comes from the bearer credential and from nothing else.
//	E3  Every response carries X-Request-Id, also those to requests that
//	    could not be read.
//	E4  Every refusal is problem+json from the one table in errors.go, which
//	    is the only file that knows status numbers.
//	E5  What a client sends is bounded before it is held: connections, header
//	    bytes, body bytes (also after decompression), and the time to send.
//	E6  No credential, query string or body is ever logged.
//	E7  No answer depends on the Host header; absolute addresses come from
//	    Options.PublicURL.
//
// Caveats: fasthttp reads a whole body before the handler runs, so a body
// costs memory before its sender is known; Options.BodyLimit and
// Options.Connections bound it. fasthttp does not notice a client that goes
// away while its request is being worked on; the deadline ends such work.
package httpedge
