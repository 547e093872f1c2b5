package engine

import (
	"cmp"
	"math"
	"slices"

	"loci/engine/hnsw"
	"loci/engine/memory"
)

// What is already known is recognised without looking at more than a handful
// of rows, so that a write costs the same in a tenant of ten memories and of a
// million:
//
//	words   the same terms in the same order: candidates for being the same
//	bands   many terms in common (MinHash: 4 bands of 2); only ever reported
type prints struct {
	words uint64
	bands [4]uint64
}

// printsOf are taken of facts only: a decision is an act, and saying it twice
// is twice an act; entities and observations are recognised by name.
func printsOf(m *memory.Memory, terms []string) prints {
	if m.Type != memory.Fact {
		return prints{}
	}
	var p prints
	var low [8]uint64
	for i := range low {
		low[i] = math.MaxUint64
	}
	for _, term := range terms {
		h := hashOf(term)
		p.words = mix(p.words) ^ h
		for i := range low {
			low[i] = min(low[i], mix(h+uint64(i)*0x9e3779b97f4a7c15))
		}
	}
	for i := range p.bands {
		p.bands[i] = mix(low[2*i]^mix(low[2*i+1])) + uint64(i)
	}
	return p
}

// hashOf is FNV-1a, finished by mix: the same in every process, so that the
// same memory reports the same similar ones after a restart (I6).
func hashOf(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return mix(h)
}

// mix is the finaliser of splitmix64.
func mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// known finds facts by their prints. Only the writer uses it.
type known struct{ byWords, byBand map[uint64][]*row }

func newKnown() known { return known{map[uint64][]*row{}, map[uint64][]*row{}} }

// maxSame and maxAlike bound each list: beyond that many the newest count.
const maxSame, maxAlike = 16, 4

func (k *known) add(r *row, p prints) {
	if r.kind != memory.Fact {
		return
	}
	remember(k.byWords, p.words, r, maxSame)
	for _, band := range p.bands {
		remember(k.byBand, band, r, maxAlike)
	}
}

func remember(m map[uint64][]*row, key uint64, r *row, most int) {
	list := m[key]
	if len(list) >= most {
		list = slices.DeleteFunc(list, func(old *row) bool { return !old.current() })
		if len(list) >= most {
			list = slices.Delete(list, 0, 1)
		}
	}
	m[key] = append(list, r)
}

// similarScore is the least cosine at which a known memory is reported as similar.
const similarScore = 0.8

// similar lists known facts near to the prepared one, best first.
func (x *indexes) similar(p *prepared, may func(*row) bool) []memory.Similar {
	found := []memory.Similar{}
	for _, r := range x.alike(p.prints.bands) {
		if !r.current() || !may(r) {
			continue
		}
		if score := x.cosine(p.vector, r); score >= similarScore {
			found = append(found, memory.Similar{ID: r.id, Score: score})
		}
	}
	slices.SortFunc(found, func(a, b memory.Similar) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), a.ID.Compare(b.ID))
	})
	return found[:min(len(found), 5)]
}

// alike lists the rows that share at least two bands: of texts with four
// fifths of their terms in common nine of ten do, of those with half a quarter.
func (x *indexes) alike(bands [4]uint64) []*row {
	var once, twice []*row
	for _, band := range bands {
		for _, r := range x.known.byBand[band] {
			switch {
			case slices.Contains(twice, r):
			case slices.Contains(once, r):
				twice = append(twice, r)
			default:
				once = append(once, r)
			}
		}
	}
	return twice
}

func (x *indexes) cosine(v []float32, r *row) float64 {
	w := x.space.Vector(r.doc)
	if v == nil || w == nil {
		return 0
	}
	return round6(min(1, float64(hnsw.Dot(v, w))))
}

// round6 hides the last bits, which carry no meaning.
func round6(f float64) float64 { return math.Round(f*1e6) / 1e6 }
