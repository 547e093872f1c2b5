package analysis

import (
	"unicode"
	"unicode/utf8"
)

// isWord reports whether r belongs to a word of a script with blanks.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 0 && ascii[r]&alnum != 0
	}
	return (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) && !isUnspaced(r) && !isIgnored(r)
}

// isUnspaced reports whether r belongs to a script that is written without
// blanks between words, or (Hangul) with endings that blanks do not part.
func isUnspaced(r rune) bool {
	if r < 0x0E00 {
		return false
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Bopomofo) && !unicode.IsDigit(r) ||
		r == 'ー' || r == '々' || r == '\u3099' || r == '\u309A'
}

// isIgnored reports whether r is written inside a word without being read: the
// accents of a decomposed letter, vowel points, joiners. Marks of the scripts of
// India and others are letters in all but name and are not among them.
func isIgnored(r rune) bool {
	switch {
	case r < 0x00AD:
		return false
	case r == 0x00AD, r == 0x02BC, r == 0x0640, r == 0x0670, r == 0xFEFF, // soft hyphen, apostrophe, tatweel, alef, BOM
		0x0300 <= r && r <= 0x036F, // combining accents
		0x0591 <= r && r <= 0x05C7 && unicode.IsMark(r),
		0x064B <= r && r <= 0x065F,
		0x1AB0 <= r && r <= 0x1AFF,
		0x1DC0 <= r && r <= 0x1DFF,
		0x200B <= r && r <= 0x200F, // zero width: space, joiners, direction
		0x2060 <= r && r <= 0x2064,
		0x20D0 <= r && r <= 0x20FF,
		0xFE00 <= r && r <= 0xFE0F, // variation selectors
		0xFE20 <= r && r <= 0xFE2F:
		return true
	}
	return false
}
