package kernel

import "fmt"

// Projection is a small float32 matrix that maps a token's state to fewer
// numbers, packed for the float kernels.
type Projection struct {
	outputs int
	panels  []float32 // [panel][input][32 outputs]
}

// NewProjection packs a matrix of outputs rows, Hidden numbers each.
func (e *Engine) NewProjection(rows []float32, outputs int) (*Projection, error) {
	h := e.shape.Hidden
	if outputs <= 0 || outputs%panel != 0 || len(rows) != outputs*h {
		return nil, fmt.Errorf("pack projection: %d numbers for %d×%d, outputs in steps of %d", len(rows), outputs, h, panel)
	}
	p := &Projection{outputs: outputs, panels: make([]float32, len(rows))}
	for n := range outputs {
		for k, v := range rows[n*h : (n+1)*h] {
			p.panels[n/panel*panel*h+k*panel+n%panel] = v
		}
	}
	return p, nil
}

// Project gives the projections of the rows of w.X, one behind another. They
// are valid until the next stage.
func (e *Engine) Project(w *Work, p *Projection) []float32 {
	rows := roundUp(w.rows, e.plain.block)
	if n := rows * p.outputs; cap(w.projected) < n {
		w.projected = make([]float32, (e.shape.MaxTokens+rowSlack)*p.outputs)
	}
	out := w.projected[:rows*p.outputs]
	for at := 0; at < p.outputs; at += panel {
		e.plain.mul(rows, e.shape.Hidden, &w.X[0], e.shape.Hidden, &p.panels[at*e.shape.Hidden], &out[at], p.outputs)
	}
	return out[:w.rows*p.outputs]
}
