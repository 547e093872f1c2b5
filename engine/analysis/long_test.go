package analysis_test

import (
	"strings"
	"testing"

	"loci/engine/analysis"
)

// TestLongTextsOfOneKind reads much of what repeats in an awkward way. A
// reading that looked back or ahead without bound would be felt here.
func TestLongTextsOfOneKind(t *testing.T) {
	a := analysis.New()
	for _, piece := range []string{"a", "aB", "a'", "a.", "A ", "1,111", "-", "-1", "++", "a#", "東", "e\u0301", "\u0301", "’", "\xff", "_", "a-", "AAb", "(((A"} {
		text := strings.Repeat(piece, 1<<16/len(piece))
		a.Terms(text, nil)
		a.Gist(text, nil)
		analysis.Words(text, nil)
		analysis.NameKey(text)
		analysis.Normal(text)
	}
}
