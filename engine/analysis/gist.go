package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func (r *reading) gist() {
	at := 0
	for t := scan(r.text, 0); t.start < len(r.text); t = scan(r.text, t.end) {
		r.signs(r.text[at:t.start])
		r.gistOf(t)
		at = t.end
	}
	r.signs(r.text[at:])
}

func (r *reading) gistOf(t token) {
	written := r.text[t.start:t.end]
	switch {
	case t.shape == unspaced:
		r.pairs(written)
	case t.number():
		r.figure(t)
	case t.shape&suffixed != 0:
		r.whole(written)
	case t.is(letter) && !r.keep && r.isArticle(t):
		r.dropped = true
	default:
		r.gistParts(written)
	}
}

func (r *reading) gistParts(written string) {
	for len(written) > 0 {
		part, rest := cutPart(written)
		if part != "" {
			r.dst = append(r.dst, r.fold(cutContraction(part)).term)
		}
		written = rest
	}
}

// isArticle reports whether the token is an article. A capital A is one only
// where a sentence begins: "plan A" is not "plan".
func (r *reading) isArticle(t token) bool {
	switch r.text[t.start:t.end] {
	case "the", "The", "THE", "a", "an", "An", "AN":
		return true
	case "A":
		before := strings.TrimRight(r.text[:t.start], " \t\"'(*_>#-")
		return before == "" || strings.HasSuffix(before, "\n") || strings.ContainsAny(before[len(before)-1:], ".!?")
	}
	return false
}

// figure emits a number with its sign.
func (r *reading) figure(t token) {
	folded := r.buf[:0]
	if r.negative(t.start) {
		folded = append(folded, '-')
	}
	folded = appendFolded(folded, r.text[t.start:t.end])
	r.dst = append(r.dst, r.cache.get(folded, exact).term)
}

// negative reports whether a minus that belongs to nothing before it stands
// before start.
func (r *reading) negative(start int) bool {
	before, found := strings.CutSuffix(r.text[:start], "-")
	if !found {
		before, found = strings.CutSuffix(r.text[:start], "−")
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	return found && !isWord(last) && last != ')'
}

// signs emits the signs between words that change what a figure means.
func (r *reading) signs(between string) {
	for _, c := range between {
		if c == '%' || c == '‰' || c == '$' || c >= utf8.RuneSelf && unicode.Is(unicode.Sc, c) {
			r.whole(string(c))
		}
	}
}
