package wordpiece

import _ "embed"

// action says what becomes of a rune. From firstReplacement on it is a place in
// the list of replacements.
type action uint16

const (
	keep   action = iota // as it is
	drop                 // control characters, accents
	space                // ends the word
	alone                // punctuation and Chinese characters: a word of their own
	hangul               // a syllable, to be taken apart

	firstReplacement action = 8
)

// The table, made by TestTable -update, in three parts: for each page of 256
// runes the number of its block, a byte; the blocks, 256 actions of two bytes,
// little endian; the replacements, each a byte (its length, and 0x80 if it
// stands alone) and its text. 65 KB, of which a text touches a few lines.
const (
	pageSize   = 256
	pages      = 0x110000 / pageSize // up to U+10FFFF
	blockSize  = 2 * pageSize
	aloneFlag  = 0x80
	lengthMask = 0x7f
)

//go:embed table.bin
var table string

// replacements begin behind the blocks.
var replacements = table[pages+blockSize*(1+int(lastBlock())):]

func lastBlock() (last byte) {
	for i := range pages {
		last = max(last, table[i])
	}
	return last
}

// actionOf needs a valid rune.
func actionOf(r rune) action {
	at := pages + blockSize*int(table[r/pageSize]) + 2*int(r%pageSize)
	return action(table[at]) | action(table[at+1])<<8
}

func replacement(act action) (text string, isAlone bool) {
	at := int(act - firstReplacement)
	head := replacements[at]
	return replacements[at+1 : at+1+int(head&lengthMask)], head&aloneFlag != 0
}

// asciiActions and lower are the same for ASCII, without a look at the table.
var asciiActions, lower = asciiTables()

func asciiTables() (actions [128]action, lower [256]byte) {
	for c := range 128 {
		lower[c] = byte(c)
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			actions[c] = space
		case c < ' ' || c == 127:
			actions[c] = drop
		case 'A' <= c && c <= 'Z':
			lower[c] += 'a' - 'A'
		case c < '0' || '9' < c && c < 'A' || 'Z' < c && c < 'a' || 'z' < c:
			actions[c] = alone
		}
	}
	return actions, lower
}
