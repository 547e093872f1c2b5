package reference

// The shape of the model.
const (
	Layers    = 6
	Hidden    = 384
	Inner     = 1536
	Heads     = 12
	HeadWidth = Hidden / Heads
	Positions = 512
	Vocab     = 30522
	epsilon   = 1e-12 // of the layer norms
)

// Linear is y = Wx + B; row n of W, which is row-major, gives output n.
type Linear struct {
	Rows, Cols int
	W, B       []float64
}

// Row is one row of W.
func (l *Linear) Row(n int) []float64 { return l.W[n*l.Cols : (n+1)*l.Cols] }

// Norm is a layer norm.
type Norm struct{ W, B []float64 }

// Layer is one of the six.
type Layer struct {
	Query, Key, Value, Out Linear
	Norm1                  Norm
	Up, Down               Linear
	Norm2                  Norm
}

// Model holds the weights.
type Model struct {
	Word, Position, Type0 []float64
	Norm                  Norm
	Layers                [Layers]Layer
}

// Embed gives the vector of a text from its ids, [CLS] and [SEP] included: the
// mean of its tokens, of unit length.
func (m *Model) Embed(ids []int32) []float64 { return Pool(m.Tokens(ids)) }

// Tokens gives the last hidden state, a row for each id.
func (m *Model) Tokens(ids []int32) []float64 {
	x := m.Start(ids)
	for l := range m.Layers {
		x = m.Layers[l].Forward(x)
	}
	return x
}

// Start is what the first layer reads: word, position and type, normed.
func (m *Model) Start(ids []int32) []float64 {
	x := make([]float64, len(ids)*Hidden)
	for p, id := range ids {
		for i := range Hidden {
			x[p*Hidden+i] = m.Word[int(id)*Hidden+i] + m.Position[p*Hidden+i] + m.Type0[i]
		}
	}
	return m.Norm.apply(x)
}

// Forward is one layer on the tokens of one text.
func (l *Layer) Forward(x []float64) []float64 {
	x = l.Join(x, l.Attend(x))
	return l.Close(x, l.Widen(x))
}

// Attend is what the output of attention reads: for each token and head the
// mean of the values, weighted by softmax(query·key/√32).
func (l *Layer) Attend(x []float64) []float64 {
	q, k, v := l.Query.Apply(x), l.Key.Apply(x), l.Value.Apply(x)
	out := make([]float64, len(x))
	for head := range Heads {
		attendHead(q, k, v, out, head*HeadWidth)
	}
	return out
}

// Join ends the first half of the layer: the output of attention joins x.
func (l *Layer) Join(x, attended []float64) []float64 {
	return l.Norm1.apply(sum(x, l.Out.Apply(attended)))
}

// Widen is what the second inner matrix reads: GELU of the first.
func (l *Layer) Widen(x []float64) []float64 {
	wide := l.Up.Apply(x)
	for i, v := range wide {
		wide[i] = gelu(v)
	}
	return wide
}

// Close ends the layer: what was widened joins x.
func (l *Layer) Close(x, wide []float64) []float64 {
	return l.Norm2.apply(sum(x, l.Down.Apply(wide)))
}
