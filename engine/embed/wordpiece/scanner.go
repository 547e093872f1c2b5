package wordpiece

import "unicode/utf8"

// maxWord is how many characters a word may have before it is [UNK].
const maxWord = 100

// scanner reads one text. The current word is gathered in lower case together
// with its hash.
type scanner struct {
	t    *Tokenizer
	ids  []int32
	n    int  // how many ids there are; all are in ids, unless only is set
	full int  // stop when there are so many
	only bool // count, keep no ids

	hash  uint64
	bytes int // of the word
	chars int // of the word; beyond maxWord they are counted but not kept
	word  [maxWord * utf8.UTFMax]byte
}

// text reads until the end or until there are enough ids.
func (s *scanner) text(text string) {
	s.hash = seedWord
	for i := 0; i < len(text) && s.n < s.full; {
		c := text[i]
		if c < utf8.RuneSelf {
			i += s.ascii(text, i, asciiActions[c])
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		s.rune(r, text[i:i+n])
		i += n
	}
	s.flush()
}

// ascii takes one byte, or a special token, and says how many bytes that was.
func (s *scanner) ascii(text string, i int, act action) int {
	switch act {
	case space:
		s.flush()
	case alone:
		if text[i] == '[' {
			if special, ok := s.t.specialAt(text[i:]); ok {
				s.flush()
				s.emit(special.id)
				return len(special.text)
			}
		}
		s.flush()
		s.keepByte(text[i])
		s.flush()
	case keep:
		s.keepByte(lower[text[i]])
	}
	return 1
}

// rune takes a rune beyond ASCII, given with its bytes.
func (s *scanner) rune(r rune, raw string) {
	if r == utf8.RuneError { // dropped, as the reference does; also what is not UTF-8 (I1)
		return
	}
	switch act := actionOf(r); act {
	case keep:
		s.keepRune(raw)
	case drop:
	case space:
		s.flush()
	case alone:
		s.standAlone(raw)
	case hangul:
		s.jamo(r)
	default:
		s.replace(act)
	}
}

func (s *scanner) standAlone(raw string) {
	s.flush()
	s.keepRune(raw)
	s.flush()
}

// replace takes what stands for a rune after decomposition, without accents and
// in lower case: one or more runes, or one that stands alone.
func (s *scanner) replace(act action) {
	text, isAlone := replacement(act)
	if isAlone {
		s.standAlone(text)
		return
	}
	for len(text) > 0 {
		_, n := utf8.DecodeRuneInString(text)
		s.keepRune(text[:n])
		text = text[n:]
	}
}

// jamo takes a Hangul syllable apart, by the formula of the Unicode standard.
func (s *scanner) jamo(r rune) {
	const base, vowels, tails = 0xac00, 21, 28
	i := r - base
	var b [3]byte
	parts := [3]rune{0x1100 + i/(vowels*tails), 0x1161 + i/tails%vowels, 0x11a7 + i%tails}
	for k, part := range parts {
		if k < 2 || i%tails != 0 {
			n := utf8.EncodeRune(b[:], part)
			s.keepRune(string(b[:n])) // does not escape, so it does not allocate
		}
	}
}

func (s *scanner) keepByte(c byte) {
	if s.chars++; s.chars <= maxWord {
		s.word[s.bytes] = c
		s.bytes++
		s.hash = step(s.hash, c)
	}
}

func (s *scanner) keepRune(raw string) {
	if s.chars++; s.chars <= maxWord {
		s.bytes += copy(s.word[s.bytes:], raw)
		s.hash = hash(s.hash, raw)
	}
}

// flush ends the word.
func (s *scanner) flush() {
	if s.chars == 0 {
		return
	}
	if s.chars > maxWord {
		s.emit(s.t.unk)
	} else if id, ok := s.t.vocab.find(s.hash, s.word[:s.bytes], ""); ok {
		s.emit(id)
	} else {
		s.pieces(s.word[:s.bytes])
	}
	s.hash, s.bytes, s.chars = seedWord, 0, 0
}

// pieces covers a word with the longest piece first. If that ends in a rest
// that nothing begins, the whole word is unknown.
func (s *scanner) pieces(word []byte) {
	mark, seed, prefix := s.n, seedWord, ""
	for len(word) > 0 {
		id, n := s.longest(word, seed, prefix)
		if n == 0 {
			s.takeBack(mark)
			s.emit(s.t.unk)
			return
		}
		s.emit(id)
		word, seed, prefix = word[n:], seedPiece, piecePrefix
	}
}

// longest finds the longest token that a word begins with and its length.
func (s *scanner) longest(word []byte, h uint64, prefix string) (id int32, n int) {
	for i, c := range word[:min(len(word), s.t.vocab.longest)] {
		h = step(h, c)
		if i+1 < len(word) && !utf8.RuneStart(word[i+1]) {
			continue
		}
		if found, ok := s.t.vocab.find(h, word[:i+1], prefix); ok {
			id, n = found, i+1
		}
	}
	return id, n
}

// emit leaves out what is beyond the limit, so that dst need not grow for it (I3).
func (s *scanner) emit(id int32) {
	if s.n++; s.n <= s.full && !s.only {
		s.ids = append(s.ids, id)
	}
}

// takeBack forgets the ids from the mark on; it may lie beyond the limit.
func (s *scanner) takeBack(mark int) {
	s.n = mark
	s.ids = s.ids[:min(mark, len(s.ids))]
}
