package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"loci/engine/memory"
)

// Office is where operations are carried out: a desk in this process, or one
// behind a socket.
type Office interface {
	// Do carries out the operation of this name; in and out are the types
	// that stand beside the name below.
	Do(ctx context.Context, op string, in, out any) error
	Close() error
}

// The operations.
const (
	OpTenantCreate = "tenant.create" // Named -> Tenant
	OpTenantList   = "tenant.list"   // Nothing -> []Tenant
	OpTenantFind   = "tenant.find"   // Named -> Tenant
	OpTenantDelete = "tenant.delete" // Named -> Tenant
	OpKeyCreate    = "key.create"    // NewKey -> MadeKey
	OpKeyList      = "key.list"      // Named -> []Key
	OpKeyRevoke    = "key.revoke"    // Named -> Key
	OpCheck        = "check"         // Named -> Findings
	OpBackup       = "backup"        // Backup -> Backup
)

// ops is the one table that both ways go through.
var ops = map[string]operation{
	OpTenantCreate: on((*Desk).createTenant),
	OpTenantList:   on((*Desk).listTenants),
	OpTenantFind:   on((*Desk).findTenant),
	OpTenantDelete: on((*Desk).deleteTenant),
	OpKeyCreate:    on((*Desk).createKey),
	OpKeyList:      on((*Desk).listKeys),
	OpKeyRevoke:    on((*Desk).revokeKey),
	OpCheck:        on((*Desk).check),
	OpBackup:       on((*Desk).backup),
}

// Nothing is the input of an operation that needs none.
type Nothing struct{}

// Named names a tenant by name or id, or a key by id. Empty means all, where
// an operation can be done for all.
type Named struct {
	Name string `json:"name"`
}

// Tenant is a tenant as an operator sees it.
type Tenant struct {
	ID        memory.TenantID `json:"id"`
	Name      string          `json:"name"`
	CreatedAt time.Time       `json:"createdAt"`
	Deleting  bool            `json:"deleting,omitempty"`
	Keys      int             `json:"keys"` // live ones
}

// NewKey says what a new key is for.
type NewKey struct {
	Tenant    string         `json:"tenant"` // name or id
	Name      string         `json:"name"`
	Scopes    []memory.Scope `json:"scopes,omitempty"`
	Project   string         `json:"project,omitempty"`
	ExpiresAt time.Time      `json:"expiresAt,omitzero"`
}

// Key is a key as an operator sees it: never its secret.
type Key struct {
	ID         memory.ID      `json:"id"`
	Tenant     string         `json:"tenant"` // its name
	Name       string         `json:"name"`
	Shown      string         `json:"shown"` // first and last characters
	Scopes     []memory.Scope `json:"scopes"`
	Project    string         `json:"project,omitempty"`
	CreatedAt  time.Time      `json:"createdAt"`
	ExpiresAt  time.Time      `json:"expiresAt,omitzero"`
	RevokedAt  time.Time      `json:"revokedAt,omitzero"`
	LastUsedAt time.Time      `json:"lastUsedAt,omitzero"`
}

// MadeKey is a new key with its secret (I3).
type MadeKey struct {
	Key
	Secret string `json:"secret"`
}

// Backup names the folder of a backup.
type Backup struct {
	Dir string `json:"dir"` // absolute: the server may run in another folder
}

type operation func(ctx context.Context, d *Desk, in []byte) (any, error)

// on makes an operation of a method with typed input and output.
func on[I, O any](work func(*Desk, context.Context, I) (O, error)) operation {
	return func(ctx context.Context, d *Desk, body []byte) (any, error) {
		var in I
		if err := json.Unmarshal(body, &in); err != nil {
			return nil, fmt.Errorf("read the request: %w", err)
		}
		return work(d, ctx, in)
	}
}

// run carries out an operation on this desk and gives its answer as JSON.
func (d *Desk) run(ctx context.Context, op string, in []byte) ([]byte, error) {
	work, ok := ops[op]
	if !ok {
		return nil, fmt.Errorf("there is no operation %q", op)
	}
	out, err := work(ctx, d, in)
	if err != nil {
		return nil, explain(err)
	}
	return json.Marshal(out)
}

// explain turns a client's error into words for an operator, who needs no
// codes.
func explain(err error) error {
	var refusal *memory.Error
	if errors.As(err, &refusal) && refusal.Cause == nil {
		return errors.New(refusal.Detail)
	}
	return err
}

// Do carries out an operation on this desk.
func (d *Desk) Do(ctx context.Context, op string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	if body, err = d.run(ctx, op, body); err != nil {
		return err
	}
	return json.Unmarshal(body, out)
}
