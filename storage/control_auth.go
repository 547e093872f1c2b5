package storage

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cockroachdb/pebble/v2"

	"loci/engine/memory"
)

const (
	secretPrefix = "loci_"
	secretMin    = len(secretPrefix) + 32
	secretMax    = 256

	maxKeyName    = 200
	maxKeyProject = 200
)

var _ memory.Authenticator = (*Control)(nil)

// Authenticate finds the caller whose key this is. Whatever is wrong with the
// credential, the answer is the same. The caller's scopes are shared with the
// key and must not be changed.
func (c *Control) Authenticate(_ context.Context, credential string) (memory.Caller, error) {
	if checkSecret(credential) != nil {
		return memory.Caller{}, unauthenticated()
	}
	var room [secretMax]byte // on the stack: no garbage per request
	state := c.state.Load()
	e := state.find(sha256.Sum256(room[:copy(room[:], credential)]))
	now := c.now()
	if e == nil || !e.live(now) || state.tenants[e.Tenant].Deleting {
		return memory.Caller{}, unauthenticated()
	}
	e.lastUse.Store(now.UnixMicro())
	return memory.Caller{Tenant: e.Tenant, KeyID: e.ID, Scopes: e.Scopes, Project: e.Project}, nil
}

func unauthenticated() error {
	return memory.Refuse(memory.Unauthenticated, "the credential is not valid")
}

// find looks the hash up by its first 8 bytes and compares all 32 in constant
// time.
func (c *controlState) find(hash [sha256.Size]byte) *keyEntry {
	for _, e := range c.byHash[hashHead(hash[:8])] {
		if subtle.ConstantTimeCompare(e.hash[:], hash[:]) == 1 {
			return e
		}
	}
	return nil
}

func (e *keyEntry) live(now time.Time) bool {
	return e.RevokedAt.IsZero() && (e.ExpiresAt.IsZero() || now.Before(e.ExpiresAt))
}

// checkSecret holds a secret against the form: loci_ and at least 32 more
// characters of base64url.
func checkSecret(secret string) error {
	fits := len(secret) >= secretMin && len(secret) <= secretMax && strings.HasPrefix(secret, secretPrefix)
	for i := len(secretPrefix); fits && i < len(secret); i++ {
		fits = isBase64URL(secret[i])
	}
	if !fits {
		return memory.BadField("key", fmt.Sprintf("must be %s and 32 to %d more characters of A-Z, a-z, 0-9, _ and -",
			secretPrefix, secretMax-len(secretPrefix)))
	}
	return nil
}

func isBase64URL(ch byte) bool {
	return ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z' || ch >= '0' && ch <= '9' || ch == '_' || ch == '-'
}

// scopes is what the key may do.
func (s KeySpec) scopes() []memory.Scope {
	if len(s.Scopes) == 0 {
		return []memory.Scope{memory.ScopeRead, memory.ScopeWrite}
	}
	return s.Scopes
}

func (s KeySpec) check(now time.Time) error {
	for _, scope := range s.Scopes {
		if scope != memory.ScopeRead && scope != memory.ScopeWrite && scope != memory.ScopeAdmin {
			return memory.BadField("scopes", fmt.Sprintf("must not contain %q", scope))
		}
	}
	switch {
	case !utf8.ValidString(s.Name) || utf8.RuneCountInString(s.Name) > maxKeyName:
		return memory.BadField("name", fmt.Sprintf("must be text of at most %d characters", maxKeyName))
	case !utf8.ValidString(s.Project) || utf8.RuneCountInString(s.Project) > maxKeyProject:
		return memory.BadField("project", fmt.Sprintf("must be text of at most %d characters", maxKeyProject))
	case !s.ExpiresAt.IsZero() && !s.ExpiresAt.After(now):
		return memory.BadField("expiresAt", "must be in the future")
	}
	return nil
}

// Flush writes the last-use times that are only in memory. The store does it
// by itself every minute and on Close; a crash loses a minute of them.
func (c *Control) Flush() error {
	c.writing.Lock() // so that no key is forgotten between here and the commit
	defer c.writing.Unlock()
	used := map[*keyEntry]int64{}
	for _, e := range c.state.Load().keys {
		if at := e.lastUse.Load(); at != e.written.Load() {
			used[e] = at
		}
	}
	if len(used) == 0 {
		return nil
	}
	return c.writeUses(used)
}

func (c *Control) writeUses(used map[*keyEntry]int64) error {
	err := c.store.write("last uses", func(b *pebble.Batch) error {
		for e, at := range used {
			if err := b.Set(controlKeyOf(controlLastUse, e.ID), binary.BigEndian.AppendUint64(nil, uint64(at)), nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for e, at := range used {
		e.written.Store(at)
	}
	return nil
}
