package desk

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"loci/cmd/loci/config"
	"loci/engine/memory"
	"loci/storage"
)

func (d *Desk) createTenant(_ context.Context, in Named) (Tenant, error) {
	if err := config.CheckName(in.Name); err != nil {
		return Tenant{}, fmt.Errorf("create tenant: %w", err)
	}
	t, err := d.store.Control().CreateTenant(in.Name)
	if err != nil {
		return Tenant{}, err
	}
	return d.tenant(t), nil
}

func (d *Desk) listTenants(context.Context, Nothing) ([]Tenant, error) {
	list := []Tenant{}
	for _, t := range d.store.Control().Tenants() {
		list = append(list, d.tenant(t))
	}
	slices.SortFunc(list, func(a, b Tenant) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

func (d *Desk) findTenant(_ context.Context, in Named) (Tenant, error) {
	t, err := d.find(in.Name)
	if err != nil {
		return Tenant{}, err
	}
	return d.tenant(t), nil
}

// deleteTenant takes the four steps of I2.
func (d *Desk) deleteTenant(ctx context.Context, in Named) (Tenant, error) {
	t, err := d.find(in.Name)
	if err != nil {
		return Tenant{}, err
	}
	if err := d.store.Control().BeginDelete(t.ID); err != nil {
		return Tenant{}, fmt.Errorf("delete tenant %s: %w", t.Name, err)
	}
	if err := d.finishDelete(ctx, t); err != nil {
		return Tenant{}, fmt.Errorf("delete tenant %s: its keys fail already, the rest is done at the next start: %w", t.Name, err)
	}
	return Tenant{ID: t.ID, Name: t.Name, CreatedAt: t.CreatedAt}, nil
}

func (d *Desk) finishDelete(ctx context.Context, t storage.Tenant) error {
	if d.actors != nil {
		if err := d.actors.Drop(ctx, t.ID); err != nil {
			return err
		}
	}
	if err := d.store.Erase(ctx, t.ID); err != nil {
		return err
	}
	return d.store.Control().FinishDelete(t.ID)
}

// FinishDeletes completes what a crash cut off (I2) and names the tenants.
func (d *Desk) FinishDeletes(ctx context.Context) ([]string, error) {
	var done []string
	for _, t := range d.store.Control().Tenants() {
		if !t.Deleting {
			continue
		}
		if err := d.finishDelete(ctx, t); err != nil {
			return done, fmt.Errorf("finish the deletion of tenant %s: %w", t.Name, err)
		}
		done = append(done, t.Name)
	}
	return done, nil
}

// find takes a name or an id. A name wins: an operator types names.
func (d *Desk) find(nameOrID string) (storage.Tenant, error) {
	if t, ok := d.store.Control().TenantByName(nameOrID); ok {
		return t, nil
	}
	if id, err := memory.ParseTenantID(nameOrID); err == nil {
		if t, ok := d.store.Control().Tenant(id); ok {
			return t, nil
		}
	}
	return storage.Tenant{}, fmt.Errorf("there is no tenant %q (loci tenant list shows all)", nameOrID)
}

func (d *Desk) tenant(t storage.Tenant) Tenant {
	live := 0
	for _, k := range d.store.Control().Keys(t.ID) {
		if k.RevokedAt.IsZero() && (k.ExpiresAt.IsZero() || k.ExpiresAt.After(time.Now())) {
			live++
		}
	}
	return Tenant{ID: t.ID, Name: t.Name, CreatedAt: t.CreatedAt, Deleting: t.Deleting, Keys: live}
}
