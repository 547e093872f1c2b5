package desk

import (
	"context"
	"fmt"

	"loci/engine/memory"
	"loci/storage"
)

func (d *Desk) createKey(_ context.Context, in NewKey) (MadeKey, error) {
	t, err := d.find(in.Tenant)
	if err != nil {
		return MadeKey{}, err
	}
	key, secret, err := d.store.Control().CreateKey(t.ID, storage.KeySpec{
		Name: in.Name, Scopes: in.Scopes, Project: in.Project, ExpiresAt: in.ExpiresAt,
	})
	if err != nil {
		return MadeKey{}, err
	}
	return MadeKey{Key: shownKey(key, t.Name), Secret: secret}, nil
}

func (d *Desk) listKeys(_ context.Context, in Named) ([]Key, error) {
	tenants := d.store.Control().Tenants()
	if in.Name != "" {
		t, err := d.find(in.Name)
		if err != nil {
			return nil, err
		}
		tenants = []storage.Tenant{t}
	}
	list := []Key{}
	for _, t := range tenants {
		for _, k := range d.store.Control().Keys(t.ID) {
			list = append(list, shownKey(k, t.Name))
		}
	}
	return list, nil
}

func (d *Desk) revokeKey(_ context.Context, in Named) (Key, error) {
	id, err := memory.ParseID(in.Name)
	if err != nil {
		return Key{}, fmt.Errorf("revoke key: %q %w (loci key list shows the ids)", in.Name, err)
	}
	key, err := d.store.Control().RevokeKey(id)
	if err != nil {
		return Key{}, err
	}
	t, _ := d.store.Control().Tenant(key.Tenant)
	return shownKey(key, t.Name), nil
}

func shownKey(k storage.Key, tenant string) Key {
	return Key{
		ID: k.ID, Tenant: tenant, Name: k.Name, Shown: k.Prefix + "…" + k.LastFour,
		Scopes: k.Scopes, Project: k.Project, CreatedAt: k.CreatedAt,
		ExpiresAt: k.ExpiresAt, RevokedAt: k.RevokedAt, LastUsedAt: k.LastUsedAt,
	}
}
