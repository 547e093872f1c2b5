package engine

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"loci/engine/hnsw"
	"loci/engine/inverted"
	"loci/engine/memory"
)

// The arms, in the order in which results name them.
const (
	armSemantic = iota
	armText
	armGraph
	arms
)

var armNames = [arms]string{memory.ModeSemantic, memory.ModeText, memory.ModeGraph}

// Shares of the arms in the mix. Rank fusion with k 60 measured worse than
// BM25 alone, a z-score mix better. R@10 of text alone, of the built-in model
// with its shares, and with 0.7 for meaning:
//
//	locomo-dev  63.1  67.6  63.0
//	beam-dev    40.5  48.0  51.3
//
// The hashing embedder knows spelling and not meaning; with it the text arm
// leads (63.1 and 42.7).
var (
	meaningShares  = [arms]float64{0.5, 0.5, 0.3}
	spellingShares = [arms]float64{0.3, 0.7, 0.3}
)

func (h *hunt) weights() [arms]float64 {
	if strings.HasPrefix(h.View.now.id, "hash-") {
		return spellingShares
	}
	return meaningShares
}

// recencyShare is the most that age can add, in standard deviations: it
// decides between equals and never lifts what does not fit.
const recencyShare = 0.5

// halfLife of recency, in microseconds: 30 days.
const halfLife = 30 * 24 * 3600 * 1e6

func halved(age int64) float64 { return math.Exp2(-float64(max(0, age)) / halfLife) }

// prior is what speaks for or against a row whatever the arms say.
type prior struct {
	recency float64 // 0 to recencyShare
	name    float64 // of an entity's record: nameShare, for or against
}

// nameShare decides whether an entity's own record comes first. If the whole
// question is its name, it should; in a longer question a name says who is
// meant but cannot be the answer, though so short a text would win on words.
const nameShare = 1

// candidate is a row that at least one arm brought.
type candidate struct {
	doc   uint32
	raw   [arms]float64
	rank  [arms]int // 0: the arm did not bring it
	mixed [arms]float64
	prior prior
	total float64
	score float64
}

// pool is the union of what the arms brought.
type pool struct {
	byDoc map[uint32]*candidate
	all   []*candidate
}

func newPool() *pool { return &pool{byDoc: map[uint32]*candidate{}} }

func (p *pool) add(arm int, doc uint32, raw float64, rank int) {
	c := p.byDoc[doc]
	if c == nil {
		c = &candidate{doc: doc}
		p.byDoc[doc] = c
		p.all = append(p.all, c)
	}
	c.raw[arm], c.rank[arm] = raw, rank
}

// fillVectors gives every candidate its cosine: unlike words, a vector says
// something of every row.
func (p *pool) fillVectors(q []float32, space *hnsw.Flat) {
	for _, c := range p.all {
		if c.rank[armSemantic] == 0 {
			if v := space.Vector(c.doc); v != nil {
				c.raw[armSemantic] = float64(hnsw.Dot(q, v))
			}
		}
	}
}

// mix turns each arm's scores into z-scores over the pool, adds them by
// weight, adds the prior, and sorts: best first, ties by id.
func (p *pool) mix(weights [arms]float64, prior func(uint32) prior, tie func(a, b uint32) int) []*candidate {
	slices.SortFunc(p.all, func(a, b *candidate) int { return cmp.Compare(a.doc, b.doc) })
	for arm, weight := range weights {
		p.mixArm(arm, weight)
	}
	for _, c := range p.all {
		c.prior = prior(c.doc)
		c.total += c.prior.recency + c.prior.name
		c.score = round6(1 / (1 + math.Exp(-c.total)))
	}
	slices.SortFunc(p.all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), tie(a.doc, b.doc))
	})
	return p.all
}

func (p *pool) mixArm(arm int, weight float64) {
	mean, deviation := p.spread(arm)
	if deviation == 0 {
		return
	}
	for _, c := range p.all {
		c.mixed[arm] = weight * (c.raw[arm] - mean) / deviation
		c.total += c.mixed[arm]
	}
}

func (p *pool) spread(arm int) (mean, deviation float64) {
	if len(p.all) == 0 {
		return 0, 0
	}
	n := float64(len(p.all))
	for _, c := range p.all {
		mean += c.raw[arm]
	}
	mean /= n
	for _, c := range p.all {
		deviation += (c.raw[arm] - mean) * (c.raw[arm] - mean)
	}
	return mean, math.Sqrt(deviation / n)
}

// matchedBy names the arms that brought the candidate.
func (c *candidate) matchedBy() []string {
	by := []string{}
	for arm, name := range armNames {
		if c.rank[arm] > 0 {
			by = append(by, name)
		}
	}
	return by
}

// explain says what each arm contributed.
func (c *candidate) explain(weights [arms]float64) map[string]memory.ArmScore {
	scores := map[string]memory.ArmScore{
		"recency": {Score: round6(c.prior.recency), Weight: recencyShare, Mixed: round6(c.prior.recency)},
	}
	if c.prior.name != 0 {
		scores["name"] = memory.ArmScore{Score: c.prior.name, Weight: 1, Mixed: c.prior.name}
	}
	for arm, name := range armNames {
		if c.rank[arm] > 0 || c.mixed[arm] != 0 {
			scores[name] = memory.ArmScore{Score: round6(c.raw[arm]), Rank: c.rank[arm], Weight: weights[arm], Mixed: round6(c.mixed[arm])}
		}
	}
	return scores
}

func (h *hunt) textQuery(k int) inverted.Query {
	return inverted.Query{
		Terms: h.kit.Analyzer.Terms(h.what.Query, nil), Limit: h.rows.count, Docs: h.docs, Length: h.length,
		Live: h.live, Accept: h.accept, K: k,
	}
}
