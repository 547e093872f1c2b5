package storage

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/cockroachdb/pebble/v2"

	"loci/engine/memory"
)

// Tenant is somebody whose memory the node keeps.
type Tenant struct {
	ID        memory.TenantID `json:"id"`
	Name      string          `json:"name"`
	CreatedAt time.Time       `json:"createdAt"`
	// Deleting is set from BeginDelete on: its keys open nothing any more.
	Deleting bool `json:"deleting,omitempty"`
}

const maxTenantName = 200

// CreateTenant makes a tenant. Names are unique on a node.
func (c *Control) CreateTenant(name string) (Tenant, error) {
	if err := checkTenantName(name); err != nil {
		return Tenant{}, err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, taken := c.TenantByName(name); taken {
		return Tenant{}, memory.Refuse(memory.Conflict, fmt.Sprintf("a tenant named %q exists", name))
	}
	t := Tenant{ID: memory.NewTenantID(), Name: name, CreatedAt: c.moment()}
	err := c.change("tenant", func(next *controlState, b *pebble.Batch) error { return next.putTenant(b, t) })
	if err != nil {
		return Tenant{}, err
	}
	return t, nil
}

func checkTenantName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return memory.BadField("name", "must not be blank")
	case strings.TrimSpace(name) != name:
		return memory.BadField("name", "must not begin or end with white space")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return memory.BadField("name", "must be plain text")
	case utf8.RuneCountInString(name) > maxTenantName:
		return memory.BadField("name", fmt.Sprintf("may have at most %d characters", maxTenantName))
	}
	return nil
}

// Tenants lists all tenants, oldest first.
func (c *Control) Tenants() []Tenant {
	state := c.state.Load()
	list := make([]Tenant, 0, len(state.tenants))
	for _, t := range state.tenants {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b Tenant) int { return memory.ID(a.ID).Compare(memory.ID(b.ID)) })
	return list
}

// Tenant finds a tenant by id.
func (c *Control) Tenant(id memory.TenantID) (Tenant, bool) {
	t, ok := c.state.Load().tenants[id]
	return t, ok
}

// TenantByName finds a tenant by its exact name.
func (c *Control) TenantByName(name string) (Tenant, bool) {
	state := c.state.Load()
	id, ok := state.names[name]
	if !ok {
		return Tenant{}, false
	}
	return state.tenants[id], true
}

// BeginDelete marks the tenant and revokes its keys: when it returns they open
// nothing, also after a crash. Then come [Store.Erase] and FinishDelete. Doing
// it twice is no error.
func (c *Control) BeginDelete(id memory.TenantID) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	t, ok := c.Tenant(id)
	if !ok {
		return noTenant(id)
	}
	t.Deleting = true
	return c.change("tenant", func(next *controlState, b *pebble.Batch) error {
		if err := next.putTenant(b, t); err != nil {
			return err
		}
		return next.revokeAll(b, id, c.moment())
	})
}

func (c *controlState) revokeAll(b *pebble.Batch, t memory.TenantID, now time.Time) error {
	for _, e := range c.keysOf(t) {
		if !e.RevokedAt.IsZero() {
			continue
		}
		if err := c.putKey(b, e.revoked(now)); err != nil {
			return err
		}
	}
	return nil
}

// FinishDelete forgets the tenant and its keys. BeginDelete must have been
// called, and the tenant's partition erased, before: an id that nobody knows
// any more would leave data that nobody can name.
func (c *Control) FinishDelete(id memory.TenantID) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	t, ok := c.Tenant(id)
	if !ok {
		return noTenant(id)
	}
	if !t.Deleting {
		return memory.Refuse(memory.Conflict, "the tenant's deletion has not begun")
	}
	return c.change("tenant", func(next *controlState, b *pebble.Batch) error { return next.forget(b, t) })
}

func (c *controlState) forget(b *pebble.Batch, t Tenant) error {
	for _, e := range c.keysOf(t.ID) {
		c.dropKey(e)
		if err := b.Delete(controlKeyOf(controlKey, e.ID), nil); err != nil {
			return err
		}
		if err := b.Delete(controlKeyOf(controlLastUse, e.ID), nil); err != nil {
			return err
		}
	}
	delete(c.tenants, t.ID)
	delete(c.names, t.Name)
	return b.Delete(controlKeyOf(controlTenant, memory.ID(t.ID)), nil)
}

func noTenant(id memory.TenantID) error {
	return memory.Refuse(memory.NotFound, fmt.Sprintf("there is no tenant %s", id))
}

func (c *controlState) putTenant(b *pebble.Batch, t Tenant) error {
	value, err := json.Marshal(t)
	if err != nil {
		return err
	}
	c.tenants[t.ID], c.names[t.Name] = t, t.ID
	return b.Set(controlKeyOf(controlTenant, memory.ID(t.ID)), value, nil)
}

func (c *controlState) loadTenant(id memory.TenantID, value []byte) error {
	var t Tenant
	if err := json.Unmarshal(value, &t); err != nil || t.ID != id {
		return fmt.Errorf("stored tenant %s: %w", id, ErrCorrupt)
	}
	c.tenants[id], c.names[t.Name] = t, id
	return nil
}
