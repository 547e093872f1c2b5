package analysis

import (
	"strings"
	"unicode/utf8"
)

// shape says what a token is made of.
type shape uint16

const (
	lower      shape = 1 << iota // an ASCII small letter
	upper                        // an ASCII capital
	digit                        // an ASCII digit
	connector                    // _ - . / @ : (the class of the byte)
	dotted                       // a point between two parts
	otherwise                    // another connector between two parts
	connected                    // either
	apostrophe                   // an apostrophe in a word
	grouped                      // commas between groups of three digits
	suffixed                     // ends in + or #, as C++ and C# do
	wide                         // anything beyond ASCII
	unspaced                     // a run of a script without blanks, nothing else
	letter     = lower | upper
	alnum      = letter | digit
)

// ascii is the class of each ASCII byte, 0 for what separates words.
var ascii = func() (class [256]shape) {
	for c := 'a'; c <= 'z'; c++ {
		class[c], class[c-'a'+'A'] = lower, upper
	}
	for c := '0'; c <= '9'; c++ {
		class[c] = digit
	}
	for _, c := range "_-./@:" {
		class[c] = connector
	}
	return class
}()

// token is a run of text[start:end] that belongs together.
type token struct {
	start, end int
	shape      shape
}

// is reports whether the token is made of nothing but these.
func (t token) is(s shape) bool { return t.shape&^s == 0 }

// number reports whether the token is a figure like 12, 3.5, 1,000 or 2.1.7.
func (t token) number() bool {
	return t.shape&digit != 0 && t.is(digit|dotted|connected|grouped)
}

// scan finds the first token at or behind at. Its start is len(text) when there
// is none.
func scan(text string, at int) token {
	at = skip(text, at)
	if at < len(text) && text[at] >= utf8.RuneSelf {
		if r, _ := utf8.DecodeRuneInString(text[at:]); isUnspaced(r) {
			return token{at, unspacedEnd(text, at), unspaced}
		}
	}
	t := token{start: at, end: at}
	for t.take(text) {
	}
	t.suffix(text)
	return t
}

// skip passes what is between tokens.
func skip(text string, at int) int {
	for at < len(text) {
		if c := text[at]; c < utf8.RuneSelf {
			if ascii[c]&alnum != 0 {
				return at
			}
			at++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		if isWord(r) || isUnspaced(r) {
			return at
		}
		at += size
	}
	return at
}

// take lengthens the token by a run of letters and digits, or by one of the
// characters that may stand inside a token. It reports whether there was one.
func (t *token) take(text string) bool {
	for t.end < len(text) && ascii[text[t.end]]&alnum != 0 {
		t.shape |= ascii[text[t.end]]
		t.end++
	}
	if t.end == len(text) || t.end == t.start && text[t.end] < utf8.RuneSelf {
		return false
	}
	switch c := text[t.end]; {
	case c >= utf8.RuneSelf:
		return t.takeWide(text)
	case ascii[c] == connector:
		return t.connect(text, c)
	case c == '\'':
		return !digitAt(text, t.end+1) && t.inner(text, 1, apostrophe)
	case c == ',':
		return t.group(text)
	}
	return false
}

// takeWide takes a character beyond ASCII.
func (t *token) takeWide(text string) bool {
	r, size := utf8.DecodeRuneInString(text[t.end:])
	switch {
	case isWord(r):
		t.shape |= wide
		t.end += size
		return true
	case isIgnored(r) && t.end > t.start:
		t.shape |= wide
		t.end += size
		return true
	case r == '’':
		return !digitAt(text, t.end+size) && t.inner(text, size, apostrophe|wide)
	}
	return false
}

// connect takes a connector between two parts; two in a row end the token.
func (t *token) connect(text string, c byte) bool {
	s := connected
	if c == '.' {
		s |= dotted
	} else {
		s |= otherwise
	}
	return t.inner(text, 1, s)
}

// inner takes size bytes if they stand between two characters of words.
func (t *token) inner(text string, size int, s shape) bool {
	if t.end == t.start || !wordAt(text, t.end+size) {
		return false
	}
	t.end += size
	t.shape |= s
	return true
}

// group takes a comma before exactly three digits.
func (t *token) group(text string) bool {
	rest := text[t.end+1:]
	if !t.is(digit|grouped|dotted|connected) || len(rest) < 3 || shapeOf(rest[:3]) != digit || len(rest) > 3 && ascii[rest[3]]&alnum != 0 {
		return false
	}
	t.end++
	t.shape |= grouped
	return true
}

// suffix takes the ending of names like C++ and C#: signs that stand right
// behind a letter and before no other word.
func (t *token) suffix(text string) {
	if t.end == t.start || ascii[text[t.end-1]]&letter == 0 {
		return
	}
	end := t.end
	if end < len(text) && text[end] == '#' {
		end++
	} else {
		for end < len(text) && text[end] == '+' && end < t.end+2 {
			end++
		}
	}
	if end > t.end && !wordAt(text, end) {
		t.end = end
		t.shape |= suffixed
	}
}

// wordAt reports whether a character of a word stands at at.
func wordAt(text string, at int) bool {
	if at >= len(text) {
		return false
	}
	if c := text[at]; c < utf8.RuneSelf {
		return ascii[c]&alnum != 0
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	return isWord(r)
}

// unspacedEnd is the end of a run of a script without blanks.
func unspacedEnd(text string, at int) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !isUnspaced(r) && !isIgnored(r) {
			break
		}
		at += size
	}
	return at
}

// shapeOf is the shape of text by its bytes alone.
func shapeOf(text string) (s shape) {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf {
			s |= wide
		} else if k := ascii[c]; k != 0 {
			s |= k
		} else {
			s |= apostrophe // or the comma of a grouped number
		}
	}
	return s
}

// cutPart cuts a token at its first connector or suffix; the part may be empty.
func cutPart(written string) (part, rest string) {
	if i := strings.IndexAny(written, "_-./@:+#"); i >= 0 {
		return written[:i], written[i+1:]
	}
	return written, ""
}

// cutContraction removes the ending of "Alice's", "we'll", "they're", "I've",
// "he'd" and "I'm", so that the word itself is found. The n't of a negation
// stays: it turns the meaning.
func cutContraction(word string) string {
	for _, mark := range [...]string{"'", "’"} {
		i := strings.LastIndex(word, mark)
		if i <= 0 {
			continue
		}
		switch strings.ToLower(word[i+len(mark):]) {
		case "s", "ll", "re", "ve", "d", "m":
			return word[:i]
		}
	}
	return word
}

// nextHump is the end of the first part of a word like getUserName or
// HTTPServer, len(word) if it has but one. Plurals of capitals (IDs, PDFs) have
// one part.
func nextHump(word string) int {
	for i := 1; i < len(word); i++ {
		if ascii[word[i]] != upper {
			continue
		}
		if ascii[word[i-1]] == lower {
			return i
		}
		if i+2 < len(word) && ascii[word[i+1]] == lower && ascii[word[i+2]] == lower {
			return i
		}
	}
	return len(word)
}
