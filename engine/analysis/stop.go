package analysis

import "strings"

// stopWords are the English words that tell nothing about a text: articles,
// pronouns, forms of be, have and do, common prepositions and conjunctions,
// question words, negations (which turn what a text says, not what it is about).
// The map is never written after start.
var stopWords = func() map[string]bool {
	words := make(map[string]bool)
	for _, word := range strings.Fields(`
		a an the
		and or but if then else than so as because while until no not nor
		of at by for with about between into through during before after to from in on onto off over under again
		i me my myself we us our ours ourselves you your yours yourself yourselves
		he him his himself she her hers herself it its itself they them their theirs themselves
		what which who whom whose when where why how
		this that these those here there such
		am is are was were be been being have has had having do does did doing
		would should could shall will can may might must
		just very too also only own same some any each both all more most other few
	`) {
		words[word] = true
	}
	return words
}()
