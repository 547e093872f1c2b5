package storage

import "sync"

// gate lets work through until it is shut, and lets the one who shuts it wait
// for the work inside. Pebble panics when it is used after Close; behind the
// gate that cannot happen.
type gate struct {
	mu     sync.Mutex
	inside int
	shut   bool
	empty  chan struct{} // made by close, closed by the last to leave
}

// enter asks to go in; every true must be followed by one leave.
func (g *gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut {
		return false
	}
	g.inside++
	return true
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.inside--; g.inside == 0 && g.empty != nil {
		close(g.empty)
	}
}

// close shuts the gate and waits until nobody is inside.
func (g *gate) close() {
	g.mu.Lock()
	g.shut = true
	if g.inside == 0 {
		g.mu.Unlock()
		return
	}
	g.empty = make(chan struct{})
	g.mu.Unlock()
	<-g.empty
}
