package texts

import (
	"math/rand/v2"
	"strconv"
)

type words []string

// Texts is an endless list of memories.
type Texts struct{ seed uint64 }

// New is the list of this seed.
func New(seed uint64) Texts { return Texts{seed} }

// story is what one text tells; text and query are two ways of saying it.
type story struct {
	first, last, colleague, firm, place string
	deed, quality, thing, reason, wish  string
	unit, month, later                  string
	day, year, amount, order            int
}

// tell draws everything that text n says (I1).
func (t Texts) tell(n int) story {
	var dice rand.PCG
	dice.Seed(t.seed, uint64(n))
	return story{
		first: draw(&dice, firstNames), last: draw(&dice, lastNames), colleague: draw(&dice, firstNames),
		firm: draw(&dice, firms), place: draw(&dice, places), deed: draw(&dice, deeds),
		quality: draw(&dice, qualities), thing: draw(&dice, things), reason: draw(&dice, reasons),
		wish: draw(&dice, wishes), unit: draw(&dice, units), month: draw(&dice, months), later: draw(&dice, months),
		day: 1 + roll(&dice, 28), year: 2018 + roll(&dice, 8), amount: 3 + roll(&dice, 9000), order: roll(&dice, 3),
	}
}

// AppendText adds text n to dst.
func (t Texts) AppendText(dst []byte, n int) []byte {
	s := t.tell(n)
	switch s.order {
	case 0:
		dst = s.appendWish(s.appendFigures(s.appendDeed(dst), n))
	case 1:
		dst = s.appendFigures(s.appendWish(s.appendDeed(dst)), n)
	default:
		dst = s.appendWish(s.appendDeed(s.appendFigures(dst, n)))
	}
	return dst[:len(dst)-1] // without the space behind the last sentence
}

// AppendQuery adds a question to dst that text n answers (I4).
func (t Texts) AppendQuery(dst []byte, n int) []byte {
	s := t.tell(n)
	switch s.order {
	case 0:
		return appendAll(dst, s.first, " ", s.last, " ", s.quality, " ", s.thing, " ", s.place)
	case 1:
		return appendAll(dst, s.firm, " ", s.deed, " ", s.quality, " ", s.thing, " ", s.month)
	}
	return appendAll(dst, s.first, " ", s.last, " ", s.wish)
}

func (s *story) appendDeed(dst []byte) []byte {
	dst = appendAll(dst, s.first, " ", s.last, " of ", s.firm, " ", s.deed, " the ", s.quality, " ", s.thing, " in ", s.place, " on ")
	dst = strconv.AppendInt(dst, int64(s.day), 10)
	dst = appendAll(dst, " ", s.month, " ")
	dst = strconv.AppendInt(dst, int64(s.year), 10)
	return appendAll(dst, " ", s.reason, ". ")
}

// appendFigures carries the case number, which no other text has (I2).
func (s *story) appendFigures(dst []byte, n int) []byte {
	dst = append(dst, "Case "...)
	dst = strconv.AppendInt(dst, int64(n), 10)
	dst = append(dst, " covers "...)
	dst = strconv.AppendInt(dst, int64(s.amount), 10)
	return appendAll(dst, " ", s.unit, " due before the end of ", s.later, ". ")
}

func (s *story) appendWish(dst []byte) []byte {
	return appendAll(dst, s.colleague, " noted that ", s.first, " ", s.last, " ", s.wish, ". ")
}

func appendAll(dst []byte, parts ...string) []byte {
	for _, part := range parts {
		dst = append(dst, part...)
	}
	return dst
}

func draw(dice *rand.PCG, from words) string { return from[roll(dice, len(from))] }

// roll is biased by less than one part in 10^15, which is nothing here.
func roll(dice *rand.PCG, sides int) int { return int(dice.Uint64() % uint64(sides)) }
