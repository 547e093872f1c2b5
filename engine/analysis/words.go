package analysis

import "strings"

// Word is a plain word of a text: text[Start:End] as written, and folded. Folded
// may share the text's memory.
type Word struct {
	Start, End int
	Folded     string
}

// Words appends the plain words of text to dst: letters and digits without
// connectors, and without endings like the 's of "Alice's"; each character of a
// script without blanks by itself. Names are matched word by word, so "Node.js"
// and "node js" are the same two words; C++ and C# are words of their own.
func Words(text string, dst []Word) []Word {
	for t := scan(text, 0); t.start < len(text); t = scan(text, t.end) {
		switch {
		case t.shape == unspaced:
			dst = appendCharacters(dst, text, t)
		case t.shape&(connected|suffixed) != 0:
			dst = appendParts(dst, text, t)
		default:
			dst = appendWord(dst, text, t.start, t.end)
		}
	}
	return dst
}

// NameKey is the key of an entity's name: its folded words joined by one blank,
// so that case, accents and punctuation do not matter. A name without words
// ("++", "!") is its own key, in small letters; only a blank name has none.
func NameKey(name string) string {
	var room [8]Word
	words := Words(name, room[:0])
	if len(words) == 0 {
		return strings.ToLower(strings.Join(strings.Fields(name), " "))
	}
	if len(words) == 1 {
		return words[0].Folded
	}
	var key strings.Builder
	for i, w := range words {
		if i > 0 {
			key.WriteByte(' ')
		}
		key.WriteString(w.Folded)
	}
	return key.String()
}

// appendParts appends the words of a token with connectors; a suffix stays with
// the last of them.
func appendParts(dst []Word, text string, t token) []Word {
	at := t.start
	for at < t.end {
		end := t.end
		if i := strings.IndexAny(text[at:t.end], "_-./@:"); i >= 0 {
			end = at + i
		}
		if end > at {
			dst = appendWord(dst, text, at, end)
		}
		at = end + 1
	}
	return dst
}

func appendCharacters(dst []Word, text string, t token) []Word {
	for at := t.start; at < t.end; {
		end := runeEnd(text[:t.end], at)
		dst = append(dst, Word{at, end, foldedString(text[at:end])})
		at = end
	}
	return dst
}

func appendWord(dst []Word, text string, start, end int) []Word {
	written := cutContraction(text[start:end])
	return append(dst, Word{start, start + len(written), foldedString(written)})
}

// foldedString folds a word, without a copy if it is folded already.
func foldedString(written string) string {
	if shapeOf(written)&^(lower|digit) == 0 {
		return written
	}
	var room [MaxTerm]byte
	return string(appendFolded(room[:0], written))
}
