package engine

import (
	"slices"

	"loci/engine/memory"
)

// sieve decides which rows a request means.
type sieve struct {
	who    memory.Caller
	want   *memory.Selection
	filter memory.Filter // over metadata

	everything bool  // superseded and expired rows too
	asOf       int64 // a moment of validity, or none
	now        int64 // what "expired" is measured against
}

func newSieve(who memory.Caller, want *memory.Selection) (*sieve, error) {
	filter, err := memory.ParseFilter(want.Filter)
	if err != nil {
		return nil, memory.BadField("filter", err.Error())
	}
	return &sieve{who: who, want: want, filter: filter, asOf: none}, nil
}

// passes asks the cheap questions first.
func (s *sieve) passes(r *row) bool {
	return s.who.Sees(r.project) && s.typed(r) && s.labelled(r) && s.timely(r) && s.valid(r) &&
		(s.filter.Empty() || s.filter.Match(r.metadata))
}

func (s *sieve) typed(r *row) bool {
	if len(s.want.Types) == 0 {
		return r.kind.Searchable()
	}
	return slices.Contains(s.want.Types, r.kind)
}

func (s *sieve) labelled(r *row) bool {
	w := s.want
	return is(w.Project, r.project) && is(w.AgentID, r.agent) && is(w.SessionID, r.session) &&
		is(w.Category, r.category) && is(w.MemoryType, r.memoryType) && carriesAll(r.tags, w.Tags)
}

func is(want, have string) bool { return want == "" || want == have }

func carriesAll(have, want []string) bool {
	for _, tag := range want {
		if !slices.Contains(have, tag) {
			return false
		}
	}
	return true
}

func (s *sieve) timely(r *row) bool {
	w := s.want
	return (w.DateRangeStart.IsZero() || r.event >= micros(w.DateRangeStart)) &&
		(w.DateRangeEnd.IsZero() || r.event < micros(w.DateRangeEnd))
}

// valid is the rule of valid time. With asOf, exactly what was true then,
// whatever replaced it later. Without, what has run out is left aside, and so
// is what has been replaced, from the moment its successor begins; what begins
// in the future is known already and stays.
func (s *sieve) valid(r *row) bool {
	switch {
	case s.asOf != none:
		return r.trueAt(s.asOf)
	case s.everything:
		return true
	case r.validTo == none:
		return !r.superseded
	}
	return r.validTo > s.now
}

// trueAt reports whether the row was true at a moment of valid time.
func (r *row) trueAt(at int64) bool {
	return (r.validFrom == none || r.validFrom <= at) && (r.validTo == none || at < r.validTo)
}
