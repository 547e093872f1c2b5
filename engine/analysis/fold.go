package analysis

import (
	"unicode"
	"unicode/utf8"
)

// The letters under the accents, one for each character of two blocks; '.' where
// there is none. Made from the canonical decompositions of Unicode 15, with
// strokes and hooks added by hand, which do not decompose.
const (
	latinFirst = 0x00C0 // Latin-1, Latin Extended-A and -B
	latin      = "" +
		"aaaaaa.ceeeeiiiidnooooo.ouuuuy..aaaaaa.ceeeeiiiidnooooo.ouuuuy.y" + // 00C0
		"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkkklllllll" + // 0100
		"lllnnnnnnnnnoooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs" + // 0140
		"bbbb...ccdddd....ffg...ikkl..nnooo..pp.....ttttuu.vyyzz........." + // 0180
		".............aaiioouuuuuuuuuu.aaaa....ggkkoooo..j...gg..nnaa..oo" + // 01C0
		"aaaaeeeeiiiioooorrrruuuusstt..hhnd..zzaaeeooooooooyylntj..acclts" + // 0200
		"z..bu.eejj..rryy" //                                                  0240
	moreFirst = 0x1E00 // Latin Extended Additional
	more      = "" +
		"aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm" + // 1E00
		"mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv" + // 1E40
		"wwwwwwwwwwxxxxyyzzzzzzhtwyas....aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee" + // 1E80
		"eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......" //   1EC0
)

// appendFolded appends text in small letters and without accents. Left out, too,
// are the apostrophes of a word and the commas of a number.
func appendFolded(dst []byte, text string) []byte {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if c != '\'' && c != ',' {
				dst = append(dst, lowerByte(c))
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		dst = appendFoldedRune(dst, r)
		i += size
	}
	return dst
}

// appendLower is appendFolded for ASCII letters.
func appendLower(dst []byte, text string) []byte {
	for i := range len(text) {
		dst = append(dst, lowerByte(text[i]))
	}
	return dst
}

func lowerByte(c byte) byte {
	if ascii[c] == upper {
		return c + ('a' - 'A')
	}
	return c
}

func appendFoldedRune(dst []byte, r rune) []byte {
	switch {
	case isIgnored(r) || r == '’':
		return dst
	case 0xFF01 <= r && r <= 0xFF5E: // full-width ASCII
		return append(dst, lowerByte(byte(r-0xFEE0)))
	}
	r = unicode.ToLower(r)
	if c := letterUnder(r); c != '.' {
		return append(dst, c)
	}
	if s := spelled(r); s != "" {
		return append(dst, s...)
	}
	return utf8.AppendRune(dst, alike(r))
}

// letterUnder is the ASCII letter under an accented one, or '.'.
func letterUnder(r rune) byte {
	switch {
	case r < latinFirst:
	case r < latinFirst+rune(len(latin)):
		return latin[r-latinFirst]
	case r >= moreFirst && r < moreFirst+rune(len(more)):
		return more[r-moreFirst]
	}
	return '.'
}

// spelled is how a ligature or a letter of two sounds is spelled out.
func spelled(r rune) string {
	switch r {
	case 'æ', 'ǽ', 'ǣ':
		return "ae"
	case 'œ':
		return "oe"
	case 'ß':
		return "ss"
	case 'þ':
		return "th"
	case 'ĳ':
		return "ij"
	case 'ǆ', 'ǅ', 'ǳ', 'ǲ':
		return "dz"
	case 'ǉ', 'ǈ':
		return "lj"
	case 'ǌ', 'ǋ':
		return "nj"
	case 'ﬀ':
		return "ff"
	case 'ﬁ':
		return "fi"
	case 'ﬂ':
		return "fl"
	case 'ﬃ':
		return "ffi"
	case 'ﬄ':
		return "ffl"
	}
	return ""
}

// alike joins the letters that other scripts write with and without a mark, or
// in two forms.
func alike(r rune) rune {
	switch r {
	case 'ά':
		return 'α'
	case 'έ':
		return 'ε'
	case 'ή':
		return 'η'
	case 'ί', 'ϊ', 'ΐ':
		return 'ι'
	case 'ό':
		return 'ο'
	case 'ύ', 'ϋ', 'ΰ':
		return 'υ'
	case 'ώ':
		return 'ω'
	case 'ς':
		return 'σ'
	case 'ё', 'ѐ':
		return 'е'
	case 'й', 'ѝ':
		return 'и'
	case 'ї':
		return 'і'
	case 'ў':
		return 'у'
	case 'أ', 'إ', 'آ', 'ٱ':
		return 'ا'
	}
	return r
}

func lettersOnly(folded []byte) bool {
	for _, c := range folded {
		if ascii[c]&letter == 0 {
			return false
		}
	}
	return true
}

// runeEnd is the end of the character at at with the marks that follow it.
func runeEnd(text string, at int) int {
	_, size := utf8.DecodeRuneInString(text[at:])
	for at += size; at < len(text); at += size {
		var r rune
		if r, size = utf8.DecodeRuneInString(text[at:]); !isIgnored(r) {
			break
		}
	}
	return at
}
