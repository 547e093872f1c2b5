package kernel

import (
	"fmt"
	"sync"
)

// Weights is one matrix as a file has it: Rows outputs of Cols inputs each. The
// value of a weight is its code times the scale of its row.
type Weights struct {
	Codes      []int8
	Scales     []float32 // one for each row
	Bias       []float32 // one for each row
	Rows, Cols int
}

// Linear is a packed matrix. It keeps the scales and the bias it was given.
type Linear struct {
	rows, cols   int
	scales, bias []float32
	panels       []byte // as the path wants them, 32 outputs after 32 outputs
	home         *arena // keeps panels from being given back
}

// panelAt is panel p, 32 outputs wide.
func (l *Linear) panelAt(p int) []byte {
	n := len(l.panels) / (l.rows / panel)
	return l.panels[p*n : (p+1)*n]
}

// Pack lays all matrices out for the path, one behind another in one arena in
// the order given: a pass walks them in that order, and the prefetch at the end
// of one reaches into the next. Both of two cores pack.
func (e *Engine) Pack(ws []Weights) ([]*Linear, error) {
	total := 0
	for i, w := range ws {
		if err := w.validate(); err != nil {
			return nil, fmt.Errorf("pack matrix %d: %w", i, err)
		}
		total += w.Rows * w.Cols * e.run.bytesPerWeight()
	}
	home, err := newArena(total)
	if err != nil {
		return nil, fmt.Errorf("pack %d matrices: %w", len(ws), err)
	}
	return e.packInto(home, ws), nil
}

func (e *Engine) packInto(home *arena, ws []Weights) []*Linear {
	rest := home.bytes
	out := make([]*Linear, len(ws))
	var workers sync.WaitGroup
	room := make(chan struct{}, 2)
	for i, w := range ws {
		n := w.Rows * w.Cols * e.run.bytesPerWeight()
		l := &Linear{rows: w.Rows, cols: w.Cols, scales: w.Scales, bias: w.Bias, panels: rest[:n:n], home: home}
		out[i], rest = l, rest[n:]
		room <- struct{}{}
		workers.Go(func() {
			e.run.pack(l, w.Codes)
			<-room
		})
	}
	workers.Wait()
	return out
}

// arena is memory for weights. It is given back when nothing points to it any
// more, so whoever reads the bytes keeps the arena alive.
type arena struct{ bytes []byte }

func (w Weights) validate() error {
	switch {
	case w.Rows <= 0 || w.Rows%panel != 0 || w.Cols <= 0 || w.Cols%panel != 0:
		return fmt.Errorf("shape %d×%d: not multiples of %d", w.Rows, w.Cols, panel)
	case len(w.Codes) != w.Rows*w.Cols:
		return fmt.Errorf("%d codes for %d×%d", len(w.Codes), w.Rows, w.Cols)
	case len(w.Scales) != w.Rows || len(w.Bias) != w.Rows:
		return fmt.Errorf("%d scales and %d biases for %d rows", len(w.Scales), len(w.Bias), w.Rows)
	}
	return nil
}
