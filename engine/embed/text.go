package embed

import (
	"unicode"
	"unicode/utf8"
)

// letters is the ASCII letter under each character from À to ſ, '.' where there
// is none.
const letters = "" +
	"aaaaaa.ceeeeiiiidnooooo.ouuuuy..aaaaaa.ceeeeiiiidnooooo.ouuuuy.y" +
	"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkkklllllll" +
	"lllnnnnnnnnnoooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"

// Salts keep the kinds of features apart: "abc" the word is not "abc" the group.
const (
	wordSalt  = 0x9e3779b97f4a7c15
	pairSalt  = 0xc2b2ae3d27d4eb4f
	groupSalt = 0x165667b19e3779f9
)

// read counts the features of a text.
func (f *features) read(text string) {
	f.word = f.word[:0]
	previous := uint64(0)
	for at := 0; at < len(text); {
		c := text[at]
		if c < utf8.RuneSelf {
			at++
			if c = plain[c]; c != 0 {
				f.word = append(f.word, c)
				continue
			}
			previous = f.end(previous)
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		at += size
		previous = f.wide(r, previous)
	}
	f.end(previous)
}

// plain is the small letter or digit that an ASCII byte stands for, else 0.
var plain = func() (folded [utf8.RuneSelf]byte) {
	for c := byte('a'); c <= 'z'; c++ {
		folded[c], folded[c-'a'+'A'] = c, c
	}
	for c := byte('0'); c <= '9'; c++ {
		folded[c] = c
	}
	return folded
}()

// wide reads a character beyond ASCII: a letter of the word, an accent to pass
// over, a character that is a word by itself, or the end of a word.
func (f *features) wide(r rune, previous uint64) uint64 {
	switch {
	case 0x300 <= r && r <= 0x36F:
		return previous
	case alone(r):
		previous = f.end(previous)
		f.word = utf8.AppendRune(f.word, r)
		return f.end(previous)
	case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
		f.word = appendFolded(f.word, unicode.ToLower(r))
		return previous
	}
	return f.end(previous)
}

// alone reports whether r says something by itself: the scripts without blanks,
// and symbols like emoji.
func alone(r rune) bool {
	return r != utf8.RuneError && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) || unicode.Is(unicode.So, r))
}

func appendFolded(dst []byte, r rune) []byte {
	if r == 'ß' {
		return append(dst, "ss"...)
	}
	if i := int(r) - 0xC0; i >= 0 && i < len(letters) && letters[i] != '.' {
		return append(dst, letters[i])
	}
	return utf8.AppendRune(dst, r)
}

// end counts the features of the word read, if there is one, and returns its
// hash, which the next word is paired with.
func (f *features) end(previous uint64) uint64 {
	if len(f.word) == 0 {
		return previous
	}
	hash := hashOf(f.word)
	f.count(mix(hash^wordSalt), weigh(f.word))
	if previous != 0 {
		f.count(mix(previous*3+hash^pairSalt), pairWeight)
	}
	f.groups()
	f.word = f.word[:0]
	return hash
}

// weigh is the weight of a word by its length; one beyond ASCII is never short.
func weigh(word []byte) uint32 {
	switch n := len(word); {
	case word[0] >= utf8.RuneSelf || n > 3:
		return wordWeight
	case n > 2:
		return shortWeight
	}
	return tinyWeight
}

// groups counts each three letters in a row of a word of four or more, with a
// mark before the first and behind the last letter. It goes by bytes: a letter
// of two bytes is part of fewer groups, which does no harm.
func (f *features) groups() {
	if len(f.word) < 4 {
		return
	}
	group := uint64('^')
	for _, c := range f.word {
		group = (group<<8 | uint64(c)) & 0xFFFFFF
		if group > 0xFFFF {
			f.count(mix(group^groupSalt), groupWeight)
		}
	}
	f.count(mix((group<<8|'$')&0xFFFFFF^groupSalt), groupWeight)
}

// hashOf is FNV-1a, never 0.
func hashOf(word []byte) uint64 {
	hash := uint64(0xcbf29ce484222325)
	for _, c := range word {
		hash = (hash ^ uint64(c)) * 0x100000001b3
	}
	return hash | 1
}
