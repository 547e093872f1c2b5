package kernel

import "unsafe"

// floats runs the stages with float32 activations (or int16 inside a matrix
// product, where ops has whole).
type floats struct {
	ops
	shape Shape
}

func (f *floats) bytesPerWeight() int { return 1 }

// pack writes panels: [panel][input][32 outputs], or for whole numbers
// [panel][pair of inputs][32 outputs][2]. The codes stay int8, a quarter of the
// memory traffic of float32, and are widened a panel at a time.
func (f *floats) pack(l *Linear, codes []int8) {
	for p := range l.rows / panel {
		rows := codes[p*panel*l.cols : (p+1)*panel*l.cols]
		if f.whole == nil {
			interleave(l.panelAt(p), rows, l.cols)
		} else {
			interleavePairs(l.panelAt(p), rows, l.cols)
		}
	}
}

func interleave(dst []byte, rows []int8, cols int) {
	for k := range cols {
		to, at := dst[k*panel:(k+1)*panel], k
		for n := range to {
			to[n] = byte(rows[at])
			at += cols
		}
	}
}

func interleavePairs(dst []byte, rows []int8, cols int) {
	for k := 0; k < cols; k += 2 {
		to, at := dst[k*panel:(k+2)*panel], k
		for n := 0; n < len(to); n += 2 {
			to[n], to[n+1] = byte(rows[at]), byte(rows[at+1])
			at += cols
		}
	}
}

func (f *floats) work(w *Work) {
	s := f.shape
	n := s.MaxTokens + rowSlack
	wide := max(s.Hidden, s.Inner)
	w.heads = make([]float32, 3*s.Hidden*n)
	w.turned = make([]float32, roundUp(s.MaxTokens, panel)*panel)
	w.scores = make([]float32, n*scoreStride(s.MaxTokens))
	w.mixed = make([]float32, n*s.Hidden)
	w.inner = make([]float32, n*s.Inner)
	if f.whole == nil {
		w.weights = make([]float32, wide*panel)
		return
	}
	w.codes = make([]int16, n*wide)
	w.steps = make([]float32, n)
	w.widened = make([]int16, wide*panel)
}

func (f *floats) normalize(w *Work, gain, bias []float32) {
	f.norm(w.rows, f.shape.Hidden, &w.X[0], &gain[0], &bias[0])
}

func (f *floats) attend(w *Work, qkv, out *Linear, lengths []int) {
	head := (f.shape.MaxTokens + rowSlack) * panel
	f.each(w, qkv, w.X, func(p int, scale, bias *float32) {
		f.store(w.rows, &w.sums[0], scale, bias, &w.heads[p*head], panel)
	})
	first := 0
	for _, n := range lengths {
		for h := range f.shape.Hidden / HeadWidth {
			f.attendHead(w, h, first, n)
		}
		first += n
	}
	f.addTo(w, out, w.mixed)
}

func (f *floats) feed(w *Work, up, down *Linear) {
	f.each(w, up, w.X, func(p int, scale, bias *float32) {
		f.gelu(w.rows, &w.sums[0], scale, bias, &w.inner[p*panel], f.shape.Inner)
	})
	f.addTo(w, down, w.inner)
}

// addTo adds the product of a and l to the state.
func (f *floats) addTo(w *Work, l *Linear, a []float32) {
	f.each(w, l, a, func(p int, scale, bias *float32) {
		f.add(w.rows, &w.sums[0], scale, bias, &w.X[p*panel], f.shape.Hidden)
	})
}

// each multiplies a with every panel of l and hands the raw sums, in w.sums, to
// finish with the panel's scales and biases.
func (f *floats) each(w *Work, l *Linear, a []float32, finish func(p int, scale, bias *float32)) {
	rows := roundUp(w.rows, f.block)
	if f.whole != nil {
		f.whole.quantize(w.rows, l.cols, limit(l.cols), &a[0], l.cols, &w.codes[0], &w.steps[0])
	}
	for p := range l.rows / panel {
		codes := (*int8)(unsafe.Pointer(&l.panelAt(p)[0]))
		if f.whole != nil {
			f.whole.widen(l.cols*panel, &w.widened[0], codes)
			f.whole.mul(rows, l.cols, &w.codes[0], &w.steps[0], &w.widened[0], &w.sums[0])
		} else {
			f.widen(l.cols*panel, &w.weights[0], codes)
			f.mul(rows, l.cols, &a[0], l.cols, &w.weights[0], &w.sums[0], panel)
		}
		finish(p, &l.scales[p*panel], &l.bias[p*panel])
	}
}

// attendHead computes one head of one text: rows first..first+n of the batch.
func (f *floats) attendHead(w *Work, h, first, n int) {
	heads, at := f.shape.Hidden/HeadWidth, (f.shape.MaxTokens+rowSlack)*panel
	q := w.heads[h*at+first*panel:]
	k := w.heads[(heads+h)*at+first*panel:]
	v := w.heads[(2*heads+h)*at+first*panel:]
	rows, stride := roundUp(n, f.block), scoreStride(f.shape.MaxTokens)
	turn(w.turned, k, n)
	for p := 0; p < n; p += panel {
		f.mul(rows, HeadWidth, &q[0], panel, &w.turned[p*HeadWidth], &w.scores[p], stride)
	}
	f.softmax(n, n, &w.scores[0], stride)
	f.mul(rows, n, &w.scores[0], stride, &v[0], &w.sums[0], panel)
	for r := range n {
		copy(w.mixed[(first+r)*f.shape.Hidden+h*HeadWidth:][:HeadWidth], w.sums[r*panel:])
	}
}

// turn writes n keys of 32 numbers as panels of 32 keys: [panel][number][key].
// Columns beyond n keep what they had, finite by I2; softmax never reads them.
func turn(dst, k []float32, n int) {
	for r := range n {
		to := dst[r/panel*panel*HeadWidth+r%panel:]
		for j, v := range k[r*panel : (r+1)*panel] {
			to[j*panel] = v
		}
	}
}

// scoreStride pads a row of scores by one cache line, so that rows do not all
// fall into the same few sets of the first-level cache.
func scoreStride(tokens int) int { return roundUp(tokens, panel) + 16 }
