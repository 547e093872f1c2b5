package minilm

import (
	"errors"
	"fmt"
	"sync"

	"loci/engine/embed/kernel"
)

const (
	// Dim is the length of a text's vector.
	Dim = 384
	// MaxTokens is how far a text is read, the model's own setting.
	MaxTokens = 256
	// PassTokens is how many tokens texts share in one pass: enough to be worth
	// the walk over the weights, few enough to stay in the second-level cache.
	// A longer text makes a pass of its own.
	PassTokens = 128

	layers = 6
	inner  = 1536
)

// ErrTokens is at the root of the errors of Embed: the token ids are no text.
var ErrTokens = errors.New("not a tokenized text")

// Options choose how the model runs.
type Options struct {
	// Path is the kernel to use; zero is the best one this machine has.
	Path kernel.Path
}

// Model is the loaded model. It is safe for concurrent use: each call takes a
// scratch of its own, so calls on different cores do not wait for each other.
type Model struct {
	engine *kernel.Engine

	word     table
	position []float32 // MaxTokens × Dim, the type vector added in
	start    norm
	layers   [layers]layer
	basis    *kernel.Projection // nil if there is none

	idle sync.Pool // of *session
}

// table is a matrix of int8 rows that is read a row at a time.
type table struct {
	codes  []int8
	scales []float32
	rows   int
}

type norm struct{ gain, bias []float32 }

type layer struct {
	qkv, out, up, down *kernel.Linear
	mixed, fed         norm // after attention, after the inner layer
}

// Load makes a model of a weight file. It keeps f's bytes. Most of its time is
// laying out the matrices for the kernel, on two cores.
func Load(f *File, o Options) (*Model, error) {
	e, err := kernel.New(o.Path, kernel.Shape{Hidden: Dim, Inner: inner, MaxTokens: MaxTokens})
	if err != nil {
		return nil, fmt.Errorf("load model: %w", err)
	}
	m := &Model{engine: e}
	r := reader{file: f}
	r.readEmbeddings(m)
	r.readLayers(m)
	if r.err != nil {
		return nil, fmt.Errorf("load model: %w", r.err)
	}
	if m.basis, err = readBasis(e, basisFile); err != nil {
		return nil, fmt.Errorf("load model: %w", err)
	}
	m.idle.New = func() any { return newSession(m) }
	return m, nil
}

// Path is the kernel in use.
func (m *Model) Path() kernel.Path { return m.engine.Path() }

// reader takes sections from a file and remembers the first that is not there.
type reader struct {
	file *File
	err  error
}

func (r *reader) floats(name string, n int) []float32 {
	v := r.file.Floats(name)
	if len(v) != n && r.err == nil {
		r.err = fmt.Errorf("section %q has %d floats, want %d: %w", name, len(v), n, ErrFormat)
	}
	return v
}

func (r *reader) table(name string, least int) table {
	codes, scales, rows, cols := r.file.Rows(name)
	if (rows < least || cols != Dim) && r.err == nil {
		r.err = fmt.Errorf("section %q is %d×%d, want at least %d×%d: %w", name, rows, cols, least, Dim, ErrFormat)
	}
	return table{codes, scales, rows}
}

func (r *reader) norm(name string) norm {
	return norm{r.floats(name+".w", Dim), r.floats(name+".b", Dim)}
}

func (r *reader) weights(name string, rows, cols int) kernel.Weights {
	codes, scales, n, k := r.file.Rows(name)
	if (n != rows || k != cols) && r.err == nil {
		r.err = fmt.Errorf("section %q is %d×%d, want %d×%d: %w", name, n, k, rows, cols, ErrFormat)
	}
	return kernel.Weights{Codes: codes, Scales: scales, Bias: r.floats(name+".b", rows), Rows: rows, Cols: cols}
}

func (r *reader) readEmbeddings(m *Model) {
	m.word = r.table("word", 1)
	position := r.table("position", MaxTokens)
	kind := r.floats("type0", Dim)
	m.start = r.norm("embed.ln")
	if r.err != nil {
		return
	}
	m.position = make([]float32, MaxTokens*Dim)
	for p := range MaxTokens {
		row := m.position[p*Dim : (p+1)*Dim]
		copy(row, kind)
		position.addRow(row, p)
	}
}

func (r *reader) readLayers(m *Model) {
	var ws []kernel.Weights
	for i := range m.layers {
		name := func(s string) string { return fmt.Sprintf("%d.%s", i, s) }
		ws = append(ws,
			r.weights(name("qkv"), 3*Dim, Dim), r.weights(name("o"), Dim, Dim),
			r.weights(name("up"), inner, Dim), r.weights(name("down"), Dim, inner))
		m.layers[i].mixed, m.layers[i].fed = r.norm(name("ln1")), r.norm(name("ln2"))
	}
	if r.err != nil {
		return
	}
	var packed []*kernel.Linear
	if packed, r.err = m.engine.Pack(ws); r.err != nil {
		return
	}
	for i := range m.layers {
		l, p := &m.layers[i], packed[4*i:]
		l.qkv, l.out, l.up, l.down = p[0], p[1], p[2], p[3]
	}
}

// addRow adds row i to dst.
func (t table) addRow(dst []float32, i int) {
	scale := t.scales[i]
	codes := t.codes[i*Dim : (i+1)*Dim]
	for j := range dst[:Dim] {
		dst[j] += scale * float32(codes[j])
	}
}
