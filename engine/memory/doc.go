// Package memory holds the words that every room of Loci shares: what a
// memory is, what may be asked of it, who asks, and how a refusal reads.
//
// It imports the standard library only, so that any room may import it. The
// request types carry three struct tags that are read in three places:
//
//	json   the name on the wire (httpedge/wire decodes by it)
//	doc    one sentence for people (httpedge writes it into the OpenAPI document)
//	rule   what a value must satisfy ([Check] enforces it, OpenAPI shows it)
//
// so that a limit is written once and cannot differ between the decoder, the
// check and the documentation.
//
// Invariants that other rooms cite:
//
//	I1  A [Caller] names exactly one tenant, and it comes from a credential.
//	I2  Every error that a client may read is an [*Error]; anything else is
//	    "internal" to a client.
//	I3  A zero time.Time means "not given"; no stored time is earlier than year 1.
package memory
