package analysis

// Analyzer makes terms. It is safe for concurrent use, and one is enough for a
// whole process: it is about 128 KB when new and no more than some 2 MB when its
// cache of stems is full.
type Analyzer struct {
	cache cache
}

// New makes an analyzer with an empty cache.
func New() *Analyzer {
	a := new(Analyzer)
	a.cache.init()
	return a
}

// Terms appends the index terms of text to dst, in order and with repetitions.
func (a *Analyzer) Terms(text string, dst []string) []string {
	r := reading{cache: &a.cache, text: text, dst: dst}
	r.terms()
	if r.dropped && len(r.dst) == len(dst) {
		r.keep = true // nothing but stop words (I4)
		r.terms()
	}
	return r.dst
}

// Gist appends what the text says to dst: stems in order, without articles.
// Numbers keep their sign and their point, and the signs of money and per cent
// count as words, so that texts with different figures have different gists.
func (a *Analyzer) Gist(text string, dst []string) []string {
	r := reading{cache: &a.cache, text: text, dst: dst}
	r.gist()
	if r.dropped && len(r.dst) == len(dst) {
		r.keep = true
		r.gist()
	}
	return r.dst
}

// reading is one text being read.
type reading struct {
	cache   *cache
	text    string
	dst     []string
	buf     [2 * MaxTerm]byte // folding scratch
	keep    bool              // stop words are kept
	dropped bool              // one was dropped
}

func (r *reading) terms() {
	for t := scan(r.text, 0); t.start < len(r.text); t = scan(r.text, t.end) {
		written := r.text[t.start:t.end]
		switch {
		case t.is(letter):
			r.word(written, t.shape)
		case t.shape == unspaced:
			r.pairs(written)
		case t.number():
			r.whole(written)
		default:
			r.identifier(written, t.shape)
		}
	}
}

// word emits a run of ASCII letters: its stem, and more if it has humps.
func (r *reading) word(written string, s shape) {
	if s&upper != 0 && s&lower != 0 && nextHump(written) < len(written) {
		r.humps(written)
		return
	}
	e := r.stem(written)
	if e.stop && !r.keep && !(s&lower == 0 && len(written) > 1) { // I5
		r.dropped = true
		return
	}
	r.dst = append(r.dst, e.term)
}

// humps emits a word like getUserName: whole, its stem, by which the same name
// without capitals is found, and its parts. Nobody reads the parts of a word
// that is too long to be one.
func (r *reading) humps(written string) {
	whole := r.whole(written)
	if stem := r.stem(written); stem.term != whole {
		r.dst = append(r.dst, stem.term)
	}
	if len(written) > MaxTerm {
		return
	}
	for len(written) > 0 {
		n := nextHump(written)
		r.word(written[:n], lower)
		written = written[n:]
	}
}

// identifier emits a token with something beside ASCII letters in it: whole, if
// it is of several parts, and part by part.
func (r *reading) identifier(written string, s shape) {
	if s&(connected|suffixed) != 0 {
		r.whole(written)
	}
	for len(written) > 0 {
		part, rest := cutPart(written)
		r.part(part)
		written = rest
	}
}

// part emits letters and digits without connectors.
func (r *reading) part(written string) {
	if written == "" {
		return
	}
	s := shapeOf(written)
	if s&^(lower|upper) == 0 {
		r.word(written, s)
		return
	}
	e := r.fold(cutContraction(written))
	if e.stop && !r.keep {
		r.dropped = true
		return
	}
	r.dst = append(r.dst, e.term)
}

// whole emits a token as it is, folded and unstemmed.
func (r *reading) whole(written string) string {
	term := r.cache.get(appendFolded(r.buf[:0], written), exact).term
	r.dst = append(r.dst, term)
	return term
}

// stem looks up a run of ASCII letters.
func (r *reading) stem(written string) *entry {
	return r.cache.get(appendLower(r.buf[:0], written), stemmed)
}

// fold looks up any part: what folds to ASCII letters is stemmed, so that
// "résumés" and "resumes" meet; the rest stays.
func (r *reading) fold(written string) *entry {
	folded := appendFolded(r.buf[:0], written)
	if lettersOnly(folded) {
		return r.cache.get(folded, stemmed)
	}
	return r.cache.get(folded, exact)
}

// pairs emits overlapping pairs of the characters of a script without blanks, a
// lone character by itself.
func (r *reading) pairs(written string) {
	first := runeEnd(written, 0)
	if first == len(written) {
		r.whole(written)
		return
	}
	for start, middle := 0, first; middle < len(written); {
		end := runeEnd(written, middle)
		r.whole(written[start:end])
		start, middle = middle, end
	}
}
