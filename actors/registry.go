package actors

import (
	"cmp"
	"slices"
	"time"

	"loci/engine/memory"
)

// find gives the tenant's actor, and makes one if there is none.
func (s *System) find(id memory.TenantID) (t *tenant, made bool, err error) {
	s.mu.RLock()
	t, closing := s.mu.tenants[id], s.mu.closing
	s.mu.RUnlock()
	if t == nil && !closing && !id.IsZero() {
		return s.make(id)
	}
	t, err = s.known(t, closing)
	return t, false, err
}

func (s *System) known(t *tenant, closing bool) (*tenant, error) {
	switch {
	case closing:
		s.count.refusedClosing.Add(1)
		return nil, errClosing()
	case t == nil:
		return nil, errNobody()
	case t.gone:
		return nil, errDropped()
	}
	return t, nil
}

func (s *System) make(id memory.TenantID) (t *tenant, made bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t = s.mu.tenants[id]; t != nil || s.mu.closing {
		t, err = s.known(t, s.mu.closing)
		return t, false, err
	}
	t = newTenant(s, id)
	t.box.open()
	s.mu.tenants[id] = t
	s.mu.live++
	return t, true, nil
}

// enterMessage takes places in a tenant's mailbox, waking nobody yet.
func (s *System) enterMessage(id memory.TenantID, places, limit int64) (*tenant, error) {
	return s.enter(id, func(t *tenant) verdict { return t.gate.enterMessage(places, limit) })
}

// enterRead keeps a tenant in memory for a read.
func (s *System) enterRead(id memory.TenantID) (*tenant, error) {
	return s.enter(id, func(t *tenant) verdict { return t.gate.enterRead() })
}

func (s *System) enter(id memory.TenantID, ask func(*tenant) verdict) (*tenant, error) {
	for {
		t, made, err := s.find(id)
		if err != nil {
			return nil, err
		}
		switch ask(t) {
		case entered:
			t.touch()
			if made {
				s.shrink() // only now: the new one is in use, and cannot be chosen itself
			}
			return t, nil
		case full:
			s.count.refusedTenant.Add(1)
			return nil, errFull()
		case shut:
			s.forget(t) // it left with nobody inside: the next turn makes a new one
		}
	}
}

// forget takes a tenant whose gate is shut out of the map, if it is still there.
func (s *System) forget(t *tenant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mu.tenants[t.id] == t && !s.mu.closing && !t.gone {
		delete(s.mu.tenants, t.id)
		s.mu.live--
	}
}

// passivate sends a tenant out of memory if nobody is inside. From the moment
// its gate is shut a new actor may be made: this one has nothing left to do
// (I1, I2).
func (s *System) passivate(t *tenant) bool {
	if !t.gate.shutIfEmpty() {
		return false
	}
	s.forget(t)
	t.box.stop()
	s.count.passivations.Add(1)
	s.options.Events.passivated(t.id)
	return true
}

// startSweeper passivates what was not used for the idle time.
func (s *System) startSweeper() {
	if s.options.Idle < 0 {
		return
	}
	every := min(max(s.options.Idle/4, time.Millisecond), time.Minute)
	s.sweeper.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				s.sweep(s.clock() - s.options.Idle)
			case <-s.life.Done():
				return
			}
		}
	})
}

func (s *System) sweep(before time.Duration) {
	for _, t := range s.idle() {
		if t.usedAt() <= before {
			s.passivate(t)
		}
	}
	s.shrink()
}

// shrink passivates the least recently used idle tenants while there are more
// than MaxLive, and a few more, so that not every activation has to look.
func (s *System) shrink() {
	if s.Live() <= s.options.MaxLive || !s.evict.TryLock() {
		return
	}
	defer s.evict.Unlock()
	idle := s.idle()
	slices.SortFunc(idle, func(a, b *tenant) int { return cmp.Compare(a.usedAt(), b.usedAt()) })
	target := s.options.MaxLive - s.options.MaxLive/64
	for _, t := range idle {
		if s.Live() <= target {
			return
		}
		s.passivate(t)
	}
}

func (s *System) idle() []*tenant {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var idle []*tenant
	for _, t := range s.mu.tenants {
		if !t.gone && t.gate.idle() {
			idle = append(idle, t)
		}
	}
	return idle
}
