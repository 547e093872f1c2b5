package memory

import "slices"

// Scope is one right of a credential.
type Scope string

// The rights. Admin includes the other two.
const (
	ScopeRead  Scope = "memory:read"
	ScopeWrite Scope = "memory:write"
	ScopeAdmin Scope = "admin"
)

// Caller is who asks: the one tenant of the credential (I1), its rights, and
// what the request said about being sent twice.
type Caller struct {
	Tenant TenantID
	KeyID  ID
	Scopes []Scope
	// Project, if set, is the only project this credential sees and writes.
	Project string
	// RequestID is for logs.
	RequestID string
	// Once is the caller's Idempotency-Key, if it sent one.
	Once Once
}

// Once says that a request with this key and body is to be carried out once.
// The zero value means "as often as it is sent".
type Once struct {
	Key  string
	Body [32]byte // SHA-256 over method, path and body
}

// May reports whether the caller has the right.
func (c Caller) May(scope Scope) bool {
	return slices.Contains(c.Scopes, scope) || slices.Contains(c.Scopes, ScopeAdmin)
}

// Sees reports whether a record of this project is the caller's to see.
func (c Caller) Sees(project string) bool { return c.Project == "" || c.Project == project }
