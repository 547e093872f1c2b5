package embed

import "math/bits"

// How much a feature weighs. A whole word says most; a word of one or two
// letters is mostly grammar; letters in threes carry the likeness of "deploy"
// and "deployment": the eight or nine of a usual word weigh together (by squares)
// about as much as the word.
const (
	wordWeight  = 8
	shortWeight = 3 // words of up to three letters
	tinyWeight  = 1 // words of up to two letters
	pairWeight  = 4
	groupWeight = 3
)

// features counts the features of one text. It is scratch, used again and again.
type features struct {
	slots []slot // open addressing, a power of two, at most half full
	used  []uint32
	sums  []int64 // one for each bucket
	word  []byte  // the word being read, folded
}

// slot is one feature: its hash, how often it occurs and what it weighs. A free
// slot has no count.
type slot struct {
	hash   uint64
	count  uint32
	weight uint32
}

// count notes one occurrence of a feature.
func (f *features) count(hash uint64, weight uint32) {
	if 2*len(f.used) >= len(f.slots) {
		f.grow()
	}
	at := f.find(hash)
	s := &f.slots[at]
	if s.count == 0 {
		s.hash, s.weight = hash, weight
		f.used = append(f.used, at)
	}
	s.count++
}

// find is where a feature is, or the free slot where it would be.
func (f *features) find(hash uint64) uint32 {
	mask := uint32(len(f.slots) - 1)
	at := uint32(hash>>32) & mask
	for f.slots[at].count != 0 && f.slots[at].hash != hash {
		at = (at + 1) & mask
	}
	return at
}

func (f *features) grow() {
	old := f.slots
	f.slots = make([]slot, max(256, 2*len(old)))
	for i, from := range f.used {
		at := f.find(old[from].hash)
		f.slots[at] = old[from]
		f.used[i] = at
	}
}

// fill turns counts into sums and empties the counts. The order of features does
// not matter, because integers add up alike in any order (I1).
func (f *features) fill() {
	clear(f.sums)
	for _, at := range f.used {
		s := &f.slots[at]
		high, _ := bits.Mul64(mix(s.hash), uint64(len(f.sums)))
		value := int64(s.weight) * sublinear(s.count)
		if s.hash&1 == 1 {
			value = -value
		}
		f.sums[high] += value
		s.count = 0
	}
	f.used = f.used[:0]
}

// sublinear is 16·(1 + log₂ n), the logarithm drawn straight between powers of
// two: a word said ten times is not ten times the word.
func sublinear(n uint32) int64 {
	log := bits.Len32(n) - 1
	fraction := (int64(n)<<4)>>log - 16
	return 16 + int64(log)<<4 + fraction
}

// mix scatters the bits of x (the finaliser of MurmurHash3).
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return x
}
