package engine

import (
	"html"
	"strings"

	"loci/engine/analysis"
)

// marker finds the query's words in a text.
type marker struct {
	terms    map[string]bool
	analyzer *analysis.Analyzer
}

// fragmentWords is how many words a fragment shows around its matches.
const fragmentWords = 24

// fragments gives the part of the text with the most of the query's words,
// each in <mark>, the rest escaped for HTML; nothing if no word matches.
func (k marker) fragments(text string) []string {
	words := analysis.Words(text, nil)
	hits := make([]bool, len(words))
	any := false
	for i, w := range words {
		hits[i] = k.matches(text[w.Start:w.End])
		any = any || hits[i]
	}
	if !any {
		return []string{}
	}
	from, to := densest(hits)
	return []string{render(text, words, hits, from, to)}
}

func (k marker) matches(word string) bool {
	for _, term := range k.analyzer.Terms(word, nil) {
		if k.terms[term] {
			return true
		}
	}
	return false
}

// densest finds the first window of fragmentWords words with the most hits.
func densest(hits []bool) (from, to int) {
	count, best := 0, -1
	for i, hit := range hits {
		if hit {
			count++
		}
		if i >= fragmentWords && hits[i-fragmentWords] {
			count--
		}
		if count > best {
			best, from = count, max(0, i-fragmentWords+1)
		}
	}
	return from, min(len(hits), from+fragmentWords)
}

func render(text string, words []analysis.Word, hits []bool, from, to int) string {
	var b strings.Builder
	at, end := 0, len(text)
	if from > 0 {
		b.WriteString("…")
		at = words[from].Start
	}
	if to < len(words) {
		end = words[to-1].End
	}
	for i := from; i < to; i++ {
		if hits[i] {
			b.WriteString(html.EscapeString(text[at:words[i].Start]))
			b.WriteString("<mark>" + html.EscapeString(text[words[i].Start:words[i].End]) + "</mark>")
			at = words[i].End
		}
	}
	b.WriteString(html.EscapeString(text[at:end]))
	if to < len(words) {
		b.WriteString("…")
	}
	return b.String()
}
