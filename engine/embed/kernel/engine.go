package kernel

import (
	"fmt"
	"runtime"
)

const (
	// HeadWidth is the width of one attention head, and of a panel.
	HeadWidth = 32
	panel     = HeadWidth
	// rowSlack covers the largest block of rows a kernel handles at once (I1).
	rowSlack = 32
)

// Shape is what the kernels must know of a model.
type Shape struct {
	Hidden    int // width of a token's state
	Inner     int // width of the feed-forward layer
	MaxTokens int // the most tokens a pass may have
}

func (s Shape) validate() error {
	switch {
	case s.Hidden <= 0 || s.Hidden%64 != 0:
		return fmt.Errorf("kernel shape: hidden %d is not a multiple of 64", s.Hidden)
	case s.Inner <= 0 || s.Inner%64 != 0:
		return fmt.Errorf("kernel shape: inner %d is not a multiple of 64", s.Inner)
	case s.MaxTokens <= 0 || s.MaxTokens > 512:
		return fmt.Errorf("kernel shape: max tokens %d is not in 1..512", s.MaxTokens)
	}
	return nil
}

// Engine runs the stages of a layer on one path. It is safe for concurrent use;
// each goroutine brings its own Work.
type Engine struct {
	path  Path
	shape Shape
	run   stages
	plain *ops // float kernels of the path
}

// stages is what a path implements; the arguments are checked already.
type stages interface {
	pack(l *Linear, codes []int8) // fills l.panels
	bytesPerWeight() int
	work(w *Work)
	normalize(w *Work, gain, bias []float32)
	attend(w *Work, qkv, out *Linear, lengths []int)
	feed(w *Work, up, down *Linear)
}

// New makes an engine for the path; Auto takes the best one there is.
func New(p Path, s Shape) (*Engine, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	p, err := resolve(p)
	if err != nil {
		return nil, err
	}
	return &Engine{path: p, shape: s, run: newStages(p, s), plain: plainOps(p)}, nil
}

// Path is the one in use, never Auto.
func (e *Engine) Path() Path { return e.path }

// NewWork makes the scratch of one goroutine: for MiniLM 2.5 MB on AMX, about 5 MB
// on other paths.
func (e *Engine) NewWork() *Work {
	w := &Work{shape: e.shape}
	n := e.shape.MaxTokens + rowSlack
	w.X = make([]float32, n*e.shape.Hidden)
	w.sums = make([]float32, n*panel)
	e.run.work(w)
	return w
}

// Normalize replaces each row of w.X by its layer norm.
func (e *Engine) Normalize(w *Work, gain, bias []float32) {
	e.run.normalize(w, gain, bias)
}

// Attend adds the attention of each text over itself to w.X. lengths are the
// texts' token counts; they must sum to the rows of the batch.
func (e *Engine) Attend(w *Work, qkv, out *Linear, lengths []int) {
	e.run.attend(w, qkv, out, lengths)
	runtime.KeepAlive(qkv) // the kernels see only addresses
	runtime.KeepAlive(out)
}

// Feed adds the feed-forward layer to w.X.
func (e *Engine) Feed(w *Work, up, down *Linear) {
	e.run.feed(w, up, down)
	runtime.KeepAlive(up)
	runtime.KeepAlive(down)
}
