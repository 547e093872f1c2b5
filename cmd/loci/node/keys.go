package node

// The keys of this package's log lines.
const (
	keyAddr    = "addr"
	keyKernel  = "kernel"
	keyCause   = "cause"
	keyError   = "error"
	keyFlag    = "flag"
	keyName    = "name"
	keyPanic   = "panic"
	keyReason  = "reason"
	keyRecords = "records"
	keyRests   = "rests"
	keyStack   = "stack"
	keyTenant  = "tenant"
	keyTook    = "took"
)
