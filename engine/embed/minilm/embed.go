package minilm

import (
	"fmt"
	"math"

	"loci/engine/embed/kernel"
)

// session is what one call needs: the scratch of a pass and the list of lengths
// of the texts in it.
type session struct {
	work    *kernel.Work
	lengths []int
}

func newSession(m *Model) *session {
	return &session{work: m.engine.NewWork(), lengths: make([]int, 0, PassTokens)}
}

// Embed writes the unit vector of each text into dst, whose vectors are Dim
// long. A text is the ids of its tokens with [CLS] before and [SEP] behind; it
// is read up to MaxTokens. Texts share passes in the order given; the vector of
// a text does not depend on the texts beside it.
func (m *Model) Embed(texts [][]int32, dst [][]float32) error {
	return m.embed(texts, dst, nil)
}

// EmbedTokens is Embed that also gives the vector of each token for late
// interaction, from the same pass. It reuses the room in tokens.
func (m *Model) EmbedTokens(texts [][]int32, dst [][]float32, tokens []TokenVectors) error {
	if len(tokens) != len(texts) {
		return fmt.Errorf("embed: %d token vectors for %d texts: %w", len(tokens), len(texts), ErrTokens)
	}
	if m.basis == nil {
		return fmt.Errorf("embed: %w", ErrNoBasis)
	}
	return m.embed(texts, dst, tokens)
}

func (m *Model) embed(texts [][]int32, dst [][]float32, tokens []TokenVectors) error {
	if err := m.check(texts, dst); err != nil {
		return err
	}
	s := m.idle.Get().(*session)
	defer m.idle.Put(s)
	for first := 0; first < len(texts); {
		n := s.gather(texts[first:])
		if err := m.pass(s, texts[first:first+n]); err != nil {
			return err
		}
		s.collect(dst[first:])
		if tokens != nil {
			m.project(s, tokens[first:])
		}
		first += n
	}
	return nil
}

func (m *Model) check(texts [][]int32, dst [][]float32) error {
	if len(dst) != len(texts) {
		return fmt.Errorf("embed: %d vectors for %d texts: %w", len(dst), len(texts), ErrTokens)
	}
	for i, ids := range texts {
		if len(ids) == 0 || len(dst[i]) != Dim {
			return fmt.Errorf("embed text %d: %d tokens, a vector of %d: %w", i, len(ids), len(dst[i]), ErrTokens)
		}
		for _, id := range ids {
			if id < 0 || int(id) >= m.word.rows {
				return fmt.Errorf("embed text %d: token id %d of %d: %w", i, id, m.word.rows, ErrTokens)
			}
		}
	}
	return nil
}

// gather takes as many texts as fit one pass, at least one, and notes their
// lengths.
func (s *session) gather(texts [][]int32) int {
	s.lengths = s.lengths[:0]
	total := 0
	for _, ids := range texts {
		n := min(len(ids), MaxTokens)
		if len(s.lengths) > 0 && total+n > PassTokens {
			break
		}
		s.lengths = append(s.lengths, n)
		total += n
	}
	return len(s.lengths)
}

// pass runs the texts through the model; their token states are left in the
// scratch, one under another.
func (m *Model) pass(s *session, texts [][]int32) error {
	total := 0
	for _, n := range s.lengths {
		total += n
	}
	if err := s.work.Begin(total); err != nil {
		return err
	}
	m.lookUp(s, texts)
	e, w := m.engine, s.work
	e.Normalize(w, m.start.gain, m.start.bias)
	for i := range m.layers {
		l := &m.layers[i]
		e.Attend(w, l.qkv, l.out, s.lengths)
		e.Normalize(w, l.mixed.gain, l.mixed.bias)
		e.Feed(w, l.up, l.down)
		e.Normalize(w, l.fed.gain, l.fed.bias)
	}
	return nil
}

// lookUp writes the sum of each token's word, position and type vector.
func (m *Model) lookUp(s *session, texts [][]int32) {
	x := s.work.X
	for t, n := range s.lengths {
		for p, id := range texts[t][:n] {
			copy(x[:Dim], m.position[p*Dim:(p+1)*Dim])
			m.word.addRow(x[:Dim], int(id))
			x = x[Dim:]
		}
	}
}

// collect reads the texts' vectors off the token states.
func (s *session) collect(dst [][]float32) {
	x := s.work.X
	for i, n := range s.lengths {
		mean(dst[i], x[:n*Dim])
		x = x[n*Dim:]
	}
}

// mean writes the direction of the mean of the rows of x: the sum at unit
// length, since a scale does not survive that.
func mean(dst, x []float32) {
	copy(dst, x[:Dim])
	for at := Dim; at < len(x); at += Dim {
		for j, v := range x[at : at+Dim] {
			dst[j] += v
		}
	}
	scaleBy(dst, inverseLength(dst))
}

// inverseLength is 1/|v|, and 0 for a zero vector.
func inverseLength(v []float32) float32 {
	var a, b, c, d float32 // four chains: one would wait for each addition
	for i := 0; i+3 < len(v); i += 4 {
		w := v[i : i+4 : i+4]
		a += w[0] * w[0]
		b += w[1] * w[1]
		c += w[2] * w[2]
		d += w[3] * w[3]
	}
	sum := a + b + c + d
	if sum == 0 {
		return 0
	}
	return float32(1 / math.Sqrt(float64(sum)))
}

func scaleBy(v []float32, by float32) {
	for j := range v {
		v[j] *= by
	}
}
