package desk

import (
	"context"
	"fmt"

	"loci/engine"
	"loci/engine/memory"
	"loci/storage"
)

// Findings is what a check saw. It is clean if nothing has a problem.
type Findings struct {
	Online  bool      `json:"online"` // a running server was checked
	Keys    int       `json:"keys"`   // keys of the store that were read
	Bytes   int64     `json:"bytes"`
	Tenants []Finding `json:"tenants"`
	// Problems are those of the store as a whole.
	Problems []string `json:"problems"`
}

// Finding is what a check saw of one tenant.
type Finding struct {
	ID        memory.TenantID `json:"id"`
	Name      string          `json:"name"`
	Records   int             `json:"records"`
	Versions  int             `json:"versions"`
	Vectors   int             `json:"vectors"`
	Terms     int             `json:"terms"`
	Entities  int             `json:"entities"`
	Relations int             `json:"relations"`
	Problems  []string        `json:"problems"`
}

// Clean reports whether everything agreed.
func (f *Findings) Clean() bool {
	clean := len(f.Problems) == 0
	for _, t := range f.Tenants {
		clean = clean && len(t.Problems) == 0
	}
	return clean
}

// check proves that every key can be read and that the indexes of each tenant
// agree with storage. What it finds wrong is a finding; its error is that it
// could not look.
func (d *Desk) check(ctx context.Context, in Named) (*Findings, error) {
	tenants := d.store.Control().Tenants()
	if in.Name != "" {
		t, err := d.find(in.Name)
		if err != nil {
			return nil, err
		}
		tenants = []storage.Tenant{t}
	}
	found := &Findings{Online: d.actors != nil, Tenants: []Finding{}, Problems: []string{}}
	d.checkStore(ctx, found)
	for _, t := range tenants {
		if !t.Deleting { // its data is on its way out
			found.Tenants = append(found.Tenants, d.checkTenant(ctx, t))
		}
	}
	return found, ctx.Err()
}

func (d *Desk) checkStore(ctx context.Context, found *Findings) {
	count, err := d.store.Verify(ctx)
	if err != nil {
		found.Problems = append(found.Problems, err.Error())
	}
	found.Keys = count.Control + count.Records + count.Vectors + count.Answers + count.Metas
	found.Bytes = count.Bytes
	found.Problems = append(found.Problems, d.strangers()...)
}

// strangers are tenants that have data but no name: nobody could reach them,
// and nobody could delete them.
func (d *Desk) strangers() (problems []string) {
	stored, err := d.store.Tenants()
	if err != nil {
		return []string{err.Error()}
	}
	for _, id := range stored {
		if _, ok := d.store.Control().Tenant(id); !ok {
			problems = append(problems, fmt.Sprintf("the store holds data of tenant %s, which is not registered", id))
		}
	}
	return problems
}

func (d *Desk) checkTenant(ctx context.Context, t storage.Tenant) Finding {
	report, err := d.report(ctx, t.ID)
	if err != nil {
		return Finding{ID: t.ID, Name: t.Name, Problems: []string{err.Error()}}
	}
	problems := report.Problems
	if problems == nil {
		problems = []string{}
	}
	return Finding{
		ID: t.ID, Name: t.Name, Problems: problems,
		Records: report.Records, Versions: report.Versions, Vectors: report.Vectors,
		Terms: report.Terms, Entities: report.Entities, Relations: report.Relations,
	}
}

func (d *Desk) report(ctx context.Context, t memory.TenantID) (*engine.Report, error) {
	if d.actors != nil {
		return d.actors.CheckTenant(ctx, t)
	}
	return engine.CheckStored(ctx, d.store.Partition(t), d.kit)
}
