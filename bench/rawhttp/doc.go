// Package rawhttp is the cheapest HTTP/1.1 client that still reads its answers:
// request bytes made by hand, one TCP connection, a reader that knows the
// status line, Content-Length and Connection: close.
//
// The generator shares two cores with the server it measures, so that each
// microsecond saved here is one the server may use.
//
//	I1  A [Conn] belongs to one goroutine and has one request in flight.
//	I2  The body that Do returns is valid until the next Do.
//	I3  After any error the connection is closed; the next Do dials again.
//	I4  Only loopback addresses are dialled.
//	I5  A request that is answered allocates nothing once the buffers have grown.
//
// Caveats: no chunked answers (an error says so), no redirects, no
// compression, no 1xx answers.
package rawhttp
