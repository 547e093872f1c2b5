// Package wire turns bytes into request structs and result structs into
// bytes. It is strict in what it takes and says where a body is wrong.
//
// Both directions are driven by the struct tags of engine/memory: a type is
// looked at once, what is found is kept, and after that a small learn decodes
// in about a microsecond with one allocation for each text it keeps.
//
// Invariants that the code cites:
//
//	W1  A decoded value shares no byte with the body: the body's buffer is
//	    used again for another tenant's request as soon as the handler ends.
//	W2  What is accepted is valid JSON by RFC 8259 in valid UTF-8, has no
//	    NUL, no half surrogate pair, no field twice, and is at most 32 deep;
//	    this holds inside metadata, too.
//	W3  Every refusal is a [*memory.Error] of code invalid_request that names
//	    the field by its path, such as items[3].content; the body as a whole
//	    is called "body".
//	W4  The work and memory are linear in the body: at most 20 faults are
//	    collected, and a list longer than its rule allows is counted, not kept.
//	W5  A list of a result that may not be left out is never null.
//
// Caveats: a field that is null is taken as not given, except in a PATCH,
// where it clears. A number for a whole-number field must be written without
// a point or exponent. encoding/json matches names in any case; this package
// does not.
package wire
