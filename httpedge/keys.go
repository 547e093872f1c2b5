package httpedge

// The names of what is logged, so that a search over logs finds them all.
const (
	keyRequestID = "requestId"
	keyMethod    = "method"
	keyRoute     = "route" // the template, never the path with its query (E6)
	keyStatus    = "status"
	keyDuration  = "durationMs"
	keyBytes     = "bytes"
	keyTenant    = "tenant"
	keyKeyID     = "keyId"
	keyError     = "error"
	keyStack     = "stack"
)

// Headers that are not in everybody's vocabulary.
const (
	headerRequestID = "X-Request-Id"
	headerOnce      = "Idempotency-Key"
	headerReplayed  = "Idempotent-Replayed"
)
