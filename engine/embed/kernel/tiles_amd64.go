package kernel

import "unsafe"

const (
	tileRows  = 16
	tileSize  = tileRows * panel // numbers in a tile
	tileBytes = 2 * tileSize     // 1,024
	lineBytes = 2 * panel        // a row of a tile: one cache line
	queryRows = 2 * tileRows     // rows of scores at a time: they stay in the first-level cache
	stepBytes = 2 * tileBytes    // two weight tiles, 32 inputs × 32 outputs
)

// tiles runs the stages on AMX. Activations are bf16 and lie in tiles: 16 rows
// of 32 numbers, [block of 16 rows][32 columns after 32 columns], so that every
// tile is 16 neighbouring cache lines.
type tiles struct {
	shape Shape
	ones  [panel]float32
	zeros [panel]float32
}

// tileWork is the scratch of this path.
type tileWork struct {
	state  []uint16  // the state as bf16
	heads  []uint16  // query, key and value heads: 3·heads × rows × 32
	turned []uint16  // one head's keys of one text as weight tiles
	paired []uint16  // one head's values of one text as weight tiles
	scores []float32 // queryRows × stride
	shares []uint16  // softmax of them
	mixed  []uint16  // what attention gives the output matrix
	inner  []uint16
}

func newTiles(s Shape) stages {
	t := &tiles{shape: s}
	for i := range t.ones {
		t.ones[i] = 1
	}
	return t
}

func (t *tiles) bytesPerWeight() int { return 2 }

// pack writes weight tiles: [panel][32 inputs][two tiles of 16 outputs], a tile
// being [pair of inputs][output][2]. That is a tile of 16 rows of bf16, turned.
func (t *tiles) pack(l *Linear, codes []int8) {
	rows := aligned[uint16](tileRows * l.cols)
	for n := 0; n < l.rows; n += tileRows {
		for r := range tileRows {
			widenTiles(l.cols/panel, &codes[(n+r)*l.cols], &rows[r*panel])
		}
		dst := l.panelAt(n / panel)[n%panel/tileRows*tileBytes:]
		for k := range l.cols / panel {
			turnTiles(1, &rows[k*tileSize], (*uint16)(unsafe.Pointer(&dst[k*stepBytes])))
		}
	}
}

func (t *tiles) work(w *Work) {
	s := t.shape
	n := roundUp(s.MaxTokens, queryRows) + rowSlack
	wide := roundUp(s.MaxTokens, panel)
	w.tiles = tileWork{
		state:  aligned[uint16](n * s.Hidden),
		heads:  aligned[uint16](3 * n * s.Hidden),
		turned: aligned[uint16](wide * panel),
		paired: aligned[uint16](wide * panel),
		scores: aligned[float32](queryRows * scoreStride(s.MaxTokens)),
		shares: aligned[uint16](queryRows * (wide + panel)),
		mixed:  aligned[uint16](n * s.Hidden),
		inner:  aligned[uint16](n * s.Inner),
	}
}

func (t *tiles) normalize(w *Work, gain, bias []float32) {
	normTiles(w.rows, t.shape.Hidden, &w.X[0], &gain[0], &bias[0], &w.tiles.state[0])
}

func (t *tiles) feed(w *Work, up, down *Linear) {
	for p := range up.rows / panel {
		t.sum(w, w.tiles.state, up, p)
		geluTiles(w.rows, 0, &w.sums[0], &up.scales[p*panel], &up.bias[p*panel],
			&w.tiles.inner[p*tileSize], t.shape.Inner/panel*tileBytes)
	}
	t.addTo(w, down, w.tiles.inner)
}

func (t *tiles) attend(w *Work, qkv, out *Linear, lengths []int) {
	for p := range qkv.rows / panel {
		t.sum(w, w.tiles.state, qkv, p)
		storeTiles(w.rows, 0, &w.sums[0], &qkv.scales[p*panel], &qkv.bias[p*panel],
			&w.tiles.heads[p*t.headSize()], tileBytes)
	}
	first := 0
	for _, n := range lengths {
		for h := range t.shape.Hidden / HeadWidth {
			t.attendHead(w, h, first, n)
		}
		first += n
	}
	t.addTo(w, out, w.tiles.mixed)
}

// headSize is the room of one head: rows of 32 numbers with no gap.
func (t *tiles) headSize() int {
	return (roundUp(t.shape.MaxTokens, queryRows) + rowSlack) * panel
}

// addTo adds the product of a and l to the state.
func (t *tiles) addTo(w *Work, l *Linear, a []uint16) {
	for p := range l.rows / panel {
		t.sum(w, a, l, p)
		addAVX512(w.rows, &w.sums[0], &l.scales[p*panel], &l.bias[p*panel], &w.X[p*panel], t.shape.Hidden)
	}
}

// sum multiplies all rows of a with panel p of l, raw sums into w.sums.
func (t *tiles) sum(w *Work, a []uint16, l *Linear, p int) {
	steps := l.cols / panel
	amxMul(unsafe.Pointer(&a[0]), unsafe.Pointer(&l.panelAt(p)[0]), unsafe.Pointer(&w.sums[0]),
		lineBytes, uintptr(steps*tileBytes), tileBytes, 4*panel,
		roundUp(w.rows, tileRows)/tileRows, 1, steps, &fullTiles)
}

// attendHead computes one head of one text, 32 queries at a time. Tiles reach
// beyond the text: those scores are masked by softmax, those rows never stored.
func (t *tiles) attendHead(w *Work, h, first, n int) {
	heads, at, tw := t.shape.Hidden/HeadWidth, t.headSize(), &w.tiles
	q := tw.heads[h*at+first*panel:]
	wide := roundUp(n, panel)
	turnTiles(wide/tileRows, &tw.heads[(heads+h)*at+first*panel], &tw.turned[0])
	pairTiles(wide/panel, &tw.heads[(2*heads+h)*at+first*panel], &tw.paired[0])
	stride, shares := scoreStride(t.shape.MaxTokens), wide+panel
	for i := 0; i < n; i += queryRows {
		rows := min(queryRows, n-i)
		blocks := roundUp(rows, tileRows) / tileRows
		amxMul(unsafe.Pointer(&q[i*panel]), unsafe.Pointer(&tw.turned[0]), unsafe.Pointer(&tw.scores[0]),
			lineBytes, tileBytes, 0, uintptr(4*stride), blocks, wide/panel, 1, &fullTiles)
		softmaxTiles(rows, n, &tw.scores[0], stride, &tw.shares[0], shares)
		amxMul(unsafe.Pointer(&tw.shares[0]), unsafe.Pointer(&tw.paired[0]), unsafe.Pointer(&w.sums[0]),
			uintptr(2*shares), uintptr(2*shares*tileRows), lineBytes, 4*panel, blocks, 1, wide/panel, &fullTiles)
		storeTiles(rows, first+i, &w.sums[0], &t.ones[0], &t.zeros[0],
			&tw.mixed[h*tileSize], t.shape.Hidden/panel*tileBytes)
	}
}
