// Package remote embeds texts by asking another server: any that speaks
// OpenAI's POST /v1/embeddings, or Ollama's own POST /api/embed.
//
// A call of [Client.Embed] is cut into batches, which are sent one after the
// other. Each batch is tried a few times; what fails in passing – no
// connection, a slow or torn answer, 408, 429, 5xx – is tried again after a
// pause that doubles, is spread at random, and is never shorter than the
// server's Retry-After. A circuit breaker watches the tries: after a few bad
// ones in a row it refuses at once, and lets a single try through when its
// pause is over.
//
//	I1  What a caller gets is checked: one vector for each text in the order of
//	    the texts, all of one dimension, every number finite, unit length.
//	I2  The dimension never changes: it is given, or learned from the first
//	    good answer.
//	I3  The key goes into the Authorization header of the configured server and
//	    nowhere else: redirects are not followed, what is printed of Options
//	    and Client does not show it, and it is blotted out of what servers say.
//	I4  A failure that may pass is an overloaded refusal with a time to come
//	    back; one that will not pass by itself (a wrong key, an unknown model,
//	    an answer that breaks I1) is an ordinary error.
//	I5  Whatever would change a vector changes the ID. The address does not: a
//	    model may move.
//	I6  Everything read is bounded: the answer by MaxAnswerBytes, what is quoted
//	    of an error by 300 bytes.
//
// Caveats: Dim is 0 until it is known; [Client.Probe] asks. A text longer than
// MaxTextBytes is cut, because servers refuse what is longer than their model
// reads. An error may quote what the server said about the request, for the
// log.
package remote
