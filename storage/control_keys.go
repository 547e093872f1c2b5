package storage

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"loci/engine/memory"
)

// Key is what may be shown of an API key. The secret is nowhere: storage keeps
// its SHA-256.
type Key struct {
	ID         memory.ID
	Tenant     memory.TenantID
	Name       string
	Prefix     string // the first characters of the secret, for display
	LastFour   string // and the last
	Scopes     []memory.Scope
	Project    string
	CreatedAt  time.Time
	ExpiresAt  time.Time // zero: never
	RevokedAt  time.Time // zero: not revoked
	LastUsedAt time.Time // zero: never used
}

// KeySpec is what the maker of a key decides.
type KeySpec struct {
	Name      string
	Scopes    []memory.Scope // nil: read and write
	Project   string         // "": every project
	ExpiresAt time.Time      // zero: never
}

// storedKey is a key as JSON on disk. Last use has a key of its own.
type storedKey struct {
	ID        memory.ID       `json:"id"`
	Tenant    memory.TenantID `json:"tenant"`
	Hash      []byte          `json:"hash"`
	Name      string          `json:"name,omitempty"`
	Prefix    string          `json:"prefix"`
	LastFour  string          `json:"lastFour"`
	Scopes    []memory.Scope  `json:"scopes"`
	Project   string          `json:"project,omitempty"`
	CreatedAt time.Time       `json:"createdAt"`
	ExpiresAt time.Time       `json:"expiresAt,omitzero"`
	RevokedAt time.Time       `json:"revokedAt,omitzero"`
}

// hashHead is the part of a hash that finds a key; the rest is compared in
// constant time. It is no secret: nobody can choose a credential's hash.
type hashHead [8]byte

// keyEntry is a key with what only storage sees. It is not changed after it is
// published, but for lastUse, which its later versions share.
type keyEntry struct {
	Key
	hash    [sha256.Size]byte
	lastUse *atomic.Int64 // microseconds; 0: never
	written *atomic.Int64 // the last use on disk
}

func (e *keyEntry) head() hashHead { return hashHead(e.hash[:8]) }

// shown is the key for people, with its last use.
func (e *keyEntry) shown() Key {
	k := e.Key
	k.Scopes = slices.Clone(k.Scopes)
	if used := e.lastUse.Load(); used != 0 {
		k.LastUsedAt = timeOf(used)
	}
	return k
}

func (e *keyEntry) revoked(now time.Time) *keyEntry {
	next := *e
	next.RevokedAt = now
	return &next
}

// CreateKey makes a key with 256 bits of randomness. The secret is returned
// here and never again.
func (c *Control) CreateKey(t memory.TenantID, spec KeySpec) (Key, string, error) {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand aborts the process instead
	secret := secretPrefix + base64.RawURLEncoding.EncodeToString(random[:])
	k, err := c.InstallKey(t, secret, spec)
	if err != nil {
		return Key{}, "", err
	}
	return k, secret, nil
}

// InstallKey makes a key of a given secret. Installing a live key again for
// the same tenant changes nothing; for another tenant, or after it was
// revoked, it is a conflict.
func (c *Control) InstallKey(t memory.TenantID, secret string, spec KeySpec) (Key, error) {
	e, err := c.newKey(t, secret, spec)
	if err != nil {
		return Key{}, err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if err := c.openFor(t); err != nil {
		return Key{}, err
	}
	if known := c.state.Load().find(e.hash); known != nil {
		return sameKey(known, t)
	}
	err = c.change("key", func(next *controlState, b *pebble.Batch) error { return next.putKey(b, e) })
	if err != nil {
		return Key{}, err
	}
	return e.shown(), nil
}

func sameKey(known *keyEntry, t memory.TenantID) (Key, error) {
	if known.Tenant != t || !known.RevokedAt.IsZero() {
		return Key{}, memory.Refuse(memory.Conflict, "this key is in use or was revoked")
	}
	return known.shown(), nil
}

// openFor refuses keys for tenants that are unknown or on their way out.
func (c *Control) openFor(t memory.TenantID) error {
	tenant, ok := c.Tenant(t)
	if !ok {
		return noTenant(t)
	}
	if tenant.Deleting {
		return memory.Refuse(memory.Conflict, "the tenant is being deleted")
	}
	return nil
}

func (c *Control) newKey(t memory.TenantID, secret string, spec KeySpec) (*keyEntry, error) {
	if err := checkSecret(secret); err != nil {
		return nil, err
	}
	now := c.moment()
	if err := spec.check(now); err != nil {
		return nil, err
	}
	return &keyEntry{
		Key: Key{
			ID: memory.NewID(), Tenant: t, Name: spec.Name, Scopes: slices.Clone(spec.scopes()), Project: spec.Project,
			Prefix: secret[:len(secretPrefix)+4], LastFour: secret[len(secret)-4:],
			CreatedAt: now, ExpiresAt: spec.ExpiresAt.UTC().Truncate(time.Microsecond),
		},
		hash: sha256.Sum256([]byte(secret)), lastUse: new(atomic.Int64), written: new(atomic.Int64),
	}, nil
}

// Keys lists the tenant's keys, revoked and expired ones too, oldest first.
func (c *Control) Keys(t memory.TenantID) []Key {
	var list []Key
	for _, e := range c.state.Load().keysOf(t) {
		list = append(list, e.shown())
	}
	return list
}

// RevokeKey ends a key: when it returns, Authenticate refuses it, also after a
// crash. Revoking it again changes nothing.
func (c *Control) RevokeKey(id memory.ID) (Key, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	e, ok := c.state.Load().keys[id]
	if !ok {
		return Key{}, memory.Refuse(memory.NotFound, fmt.Sprintf("there is no key %s", id))
	}
	if !e.RevokedAt.IsZero() {
		return e.shown(), nil
	}
	e = e.revoked(c.moment())
	err := c.change("key", func(next *controlState, b *pebble.Batch) error { return next.putKey(b, e) })
	if err != nil {
		return Key{}, err
	}
	return e.shown(), nil
}

func (c *controlState) keysOf(t memory.TenantID) []*keyEntry {
	var list []*keyEntry
	for _, e := range c.keys {
		if e.Tenant == t {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b *keyEntry) int { return a.ID.Compare(b.ID) })
	return list
}

func (c *controlState) putKey(b *pebble.Batch, e *keyEntry) error {
	value, err := json.Marshal(storedKey{
		ID: e.ID, Tenant: e.Tenant, Hash: e.hash[:], Name: e.Name, Prefix: e.Prefix, LastFour: e.LastFour,
		Scopes: e.Scopes, Project: e.Project, CreatedAt: e.CreatedAt, ExpiresAt: e.ExpiresAt, RevokedAt: e.RevokedAt,
	})
	if err != nil {
		return err
	}
	c.takeKey(e)
	return b.Set(controlKeyOf(controlKey, e.ID), value, nil)
}

// takeKey puts the key into the maps in place of its former version.
func (c *controlState) takeKey(e *keyEntry) {
	c.dropKey(e)
	c.keys[e.ID] = e
	c.byHash[e.head()] = append(slices.Clone(c.byHash[e.head()]), e)
}

func (c *controlState) dropKey(e *keyEntry) {
	delete(c.keys, e.ID)
	rest := slices.DeleteFunc(slices.Clone(c.byHash[e.head()]), func(other *keyEntry) bool { return other.ID == e.ID })
	if len(rest) == 0 {
		delete(c.byHash, e.head())
		return
	}
	c.byHash[e.head()] = rest
}

func (c *controlState) loadKey(id memory.ID, value []byte) error {
	e, err := decodeKey(id, value)
	if err != nil {
		return err
	}
	if _, ok := c.tenants[e.Tenant]; !ok {
		return fmt.Errorf("stored key %s of unknown tenant %s: %w", id, e.Tenant, ErrCorrupt)
	}
	c.takeKey(e)
	return nil
}

func decodeKey(id memory.ID, value []byte) (*keyEntry, error) {
	var s storedKey
	if err := json.Unmarshal(value, &s); err != nil || s.ID != id || len(s.Hash) != sha256.Size {
		return nil, fmt.Errorf("stored key %s: %w", id, ErrCorrupt)
	}
	return &keyEntry{
		Key: Key{
			ID: s.ID, Tenant: s.Tenant, Name: s.Name, Prefix: s.Prefix, LastFour: s.LastFour, Scopes: s.Scopes,
			Project: s.Project, CreatedAt: s.CreatedAt, ExpiresAt: s.ExpiresAt, RevokedAt: s.RevokedAt,
		},
		hash: [sha256.Size]byte(s.Hash), lastUse: new(atomic.Int64), written: new(atomic.Int64),
	}, nil
}

func (c *controlState) loadLastUse(id memory.ID, value []byte) error {
	e, ok := c.keys[id]
	if !ok || len(value) != 8 {
		return fmt.Errorf("stored last use of key %s: %w", id, ErrCorrupt)
	}
	at := int64(binary.BigEndian.Uint64(value))
	e.lastUse.Store(at)
	e.written.Store(at)
	return nil
}
