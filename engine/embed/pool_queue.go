package embed

import (
	"container/list"
	"iter"

	"loci/engine/memory"
)

// quantum is what a tenant's turn is worth in tokens: about one query, so that
// a pass of 128 serves eight tenants. A document costs several turns.
const quantum = 16

// lane holds what waits of one kind. Guarded by Pool.mu.
type lane struct {
	lines  map[memory.TenantID]*line // of tenants that hold a place
	ring   *list.List                // of *line, those with something waiting, in turn
	places int                       // taken
	tokens int                       // waiting
}

// line is one tenant's part of a lane.
type line struct {
	tenant   memory.TenantID
	requests *list.List    // of *request, first come first served
	spot     *list.Element // in lane.ring; nil when nothing waits
	balance  int           // tokens this tenant may take before its turn ends
	places   int
	tokens   int
}

func newLane() lane {
	return lane{lines: map[memory.TenantID]*line{}, ring: list.New()}
}

// of is how many places a tenant holds and how many tokens it has waiting.
func (l *lane) of(tenant memory.TenantID) (places, tokens int) {
	if line := l.lines[tenant]; line != nil {
		return line.places, line.tokens
	}
	return 0, 0
}

// admit gives r its places.
func (l *lane) admit(r *request) {
	r.line = l.lines[r.tenant]
	if r.line == nil {
		r.line = &line{tenant: r.tenant, requests: list.New()}
		l.lines[r.tenant] = r.line
	}
	r.line.places += r.places
	l.places += r.places
}

// release takes the places back; a tenant without places is forgotten.
func (l *lane) release(r *request) {
	r.line.places -= r.places
	l.places -= r.places
	if r.line.places == 0 {
		delete(l.lines, r.tenant)
	}
}

// push puts the window of r behind what its tenant has waiting.
func (l *lane) push(r *request) {
	r.next, r.left = 0, len(r.texts)
	r.spot = r.line.requests.PushBack(r)
	l.count(r.line, sum(r.tokens))
	if r.line.spot == nil {
		r.line.balance = quantum
		r.line.spot = l.ring.PushBack(r.line)
	}
}

// remove takes what still waits of r out of the line.
func (l *lane) remove(r *request) {
	if r.spot == nil {
		return
	}
	l.count(r.line, -sum(r.tokens[r.next:]))
	l.unlink(r)
}

func (l *lane) unlink(r *request) {
	r.line.requests.Remove(r.spot)
	r.spot = nil
	if r.line.requests.Len() == 0 {
		l.ring.Remove(r.line.spot)
		r.line.spot = nil
	}
}

func (l *lane) count(of *line, tokens int) {
	of.tokens += tokens
	l.tokens += tokens
}

// fill takes texts into a pass, tenant by tenant, until the next one does not
// fit (P1, P3). Looking further for a smaller one would overtake the tenant
// whose turn it is.
func (l *lane) fill(s *pass, room int) {
	for l.ring.Len() > 0 {
		first := l.ring.Front().Value.(*line)
		r := first.requests.Front().Value.(*request)
		switch {
		case r.isGone():
			r.over = true
			l.remove(r)
		case l.turnOver(first):
			l.ring.MoveToBack(first.spot)
		case !s.fits(r.tokens[r.next], room):
			return
		default:
			l.take(s, r)
		}
	}
}

// turnOver says whether a tenant has used up its turn, and gives it the next.
// A long text overdraws the balance, and its tenant sits out as many turns as
// that is worth. Who is alone pays nothing.
func (l *lane) turnOver(first *line) bool {
	if first.balance > 0 || l.ring.Len() == 1 {
		return false
	}
	first.balance += quantum
	return true
}

// take moves the next text of r into the pass.
func (l *lane) take(s *pass, r *request) {
	cost := r.tokens[r.next]
	if l.ring.Len() > 1 {
		r.line.balance -= cost
	} else {
		r.line.balance = quantum
	}
	s.add(r, r.next, cost)
	l.count(r.line, -cost)
	r.next++
	if r.next == len(r.texts) {
		l.unlink(r)
	}
}

// all is every request that waits.
func (l *lane) all() iter.Seq[*request] {
	return func(yield func(*request) bool) {
		for l.ring.Len() > 0 {
			r := l.ring.Front().Value.(*line).requests.Front().Value.(*request)
			l.remove(r)
			if !yield(r) {
				return
			}
		}
	}
}

// isGone reports whether the caller has stopped waiting.
func (r *request) isGone() bool {
	select {
	case <-r.gone:
		return true
	default:
		return false
	}
}
