package actors

import (
	"context"
	"errors"
	"time"

	"loci/engine"
	"loci/engine/memory"
)

// keepUpToDate starts, for a tenant whose vectors are of another embedder than
// the chosen one, the work that embeds it anew. It is called whenever a tenant
// is opened; one goroutine a tenant does it, beside the tenant's ordinary
// work, and goes on after a restart where it was.
func (s *System) keepUpToDate(id memory.TenantID, v *engine.View) {
	if v == nil || !v.Outdated() {
		return
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.mu.closing { // else it might be begun while Close waits for the rest
		return
	}
	if _, running := s.updating.LoadOrStore(id, struct{}{}); running {
		return
	}
	s.sweeper.Go(func() {
		defer s.updating.Delete(id)
		s.update(memory.Caller{Tenant: id})
	})
}

// update embeds a tenant anew, and tries again after an error, with a rest
// that doubles up to 30 s: an external embedder may be away for a while.
func (s *System) update(who memory.Caller) {
	began := s.clock()
	for rest := 100 * time.Millisecond; ; rest = min(2*rest, 30*time.Second) {
		records, err := s.updateOnce(s.life, who)
		switch {
		case err == nil:
			s.options.Events.reembedded(who.Tenant, records, s.clock()-began)
			return
		case memory.CodeOf(err) == memory.NotFound: // the tenant was dropped
			return
		}
		select {
		case <-time.After(rest):
		case <-s.life.Done():
			return
		}
	}
}

// updateOnce goes through everything that is left, and switches.
func (s *System) updateOnce(ctx context.Context, who memory.Caller) (records int, err error) {
	for {
		job, err := read(ctx, s, who, func(v *engine.View) (*engine.Reembedding, error) {
			if !v.Outdated() {
				return nil, nil
			}
			return v.Reembedding(ctx)
		})
		if err != nil || job == nil {
			return records, err
		}
		if err := s.steps(ctx, who, job); err != nil {
			return records, err
		}
		_, records = job.Progress()
		_, err = carry(ctx, s, who, onePlace, func(*engine.View) (*engine.Switch, error) { return engine.NewSwitch(), nil })
		if err != nil && !errors.Is(err, engine.ErrUnfinished) {
			return records, err
		}
	}
}

func (s *System) steps(ctx context.Context, who memory.Caller, job *engine.Reembedding) error {
	for {
		w, err := s.step(ctx, who, job)
		if err != nil || w == nil {
			return err
		}
		if _, err := carry(ctx, s, who, onePlace, func(*engine.View) (*engine.Reembed, error) { return w, nil }); err != nil {
			return err
		}
		s.count.reembedded.Add(uint64(w.Count()))
	}
}

// step embeds; a panic of the embedder is an error like any other.
func (s *System) step(ctx context.Context, who memory.Caller, job *engine.Reembedding) (w *engine.Reembed, err error) {
	defer s.caught(who.Tenant, &err)
	return job.Step(ctx)
}
