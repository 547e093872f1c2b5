package embed

import (
	"context"

	"loci/engine/memory"
)

type tenantKey struct{}

// WithTenant says for whom texts are embedded, so that tenants take turns in a
// [Pool]. Without it the zero tenant waits in line.
func WithTenant(ctx context.Context, tenant memory.TenantID) context.Context {
	return context.WithValue(ctx, tenantKey{}, tenant)
}

func tenantOf(ctx context.Context) memory.TenantID {
	tenant, _ := ctx.Value(tenantKey{}).(memory.TenantID)
	return tenant
}
