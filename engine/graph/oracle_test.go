package graph_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"loci/engine/graph"
	"loci/engine/topk"
)

// said is one thing that a document said; the oracle is a plain list of them.
type said struct {
	doc      uint32
	key      string // a name, if not empty
	from, to graph.Node
	weight   float64
	edge     bool
}

type oracle []said

func (o oracle) visible(limit uint32, live func(uint32) bool) (seen oracle) {
	for _, s := range o {
		if s.doc < limit && live(s.doc) {
			seen = append(seen, s)
		}
	}
	return seen
}

func (o oracle) named(key string) (found []graph.Node) {
	for _, s := range o {
		if s.key == key && !s.edge && key != "" && !slices.Contains(found, s.from) {
			found = append(found, s.from)
		}
	}
	return found
}

func (o oracle) match(words []string) (found []graph.Node) {
	for len(words) > 0 {
		taken := 1
		for n := len(words); n > 0; n-- {
			named := o.named(strings.Join(words[:n], " "))
			if len(named) == 0 {
				continue
			}
			for _, e := range named {
				if !slices.Contains(found, e) {
					found = append(found, e)
				}
			}
			taken = n
			break
		}
		words = words[taken:]
	}
	return found
}

func (o oracle) links(of graph.Node) (docs []uint32) {
	for _, s := range o {
		if s.key == "" && !s.edge && s.from == of && !slices.Contains(docs, s.doc) {
			docs = append(docs, s.doc)
		}
	}
	return docs
}

func (o oracle) edges(of graph.Node) (found []graph.Edge) {
	for _, s := range o {
		if s.edge && (s.from == of || s.to == of) {
			found = append(found, graph.Edge{Doc: s.doc, From: s.from, To: s.to, Weight: s.weight})
		}
	}
	return found
}

func (o oracle) activate(seeds []graph.Node) map[uint32]float64 {
	active, received := map[graph.Node]float64{}, map[graph.Node]float64{}
	for _, seed := range seeds {
		active[seed] = 1
	}
	for seed := range active {
		for _, e := range o.edges(seed) {
			if other := otherEnd(e, seed); other != seed && e.Weight > 0 {
				received[other] += 0.5 * e.Weight
			}
		}
	}
	docs := map[uint32]float64{}
	for n := range received {
		active[n] += min(received[n], 1)
	}
	for n, a := range active {
		links := o.links(n)
		for _, doc := range links {
			docs[doc] += a / math.Sqrt(1+float64(len(links))/8)
		}
	}
	return docs
}

func otherEnd(e graph.Edge, n graph.Node) graph.Node {
	if e.From == n {
		return e.To
	}
	return e.From
}

// TestGraphAgreesWithTheOracle compares everything that a reader may ask with
// the plain list, on random graphs and views.
func TestGraphAgreesWithTheOracle(t *testing.T) {
	word := rapid.SampledFrom([]string{"a", "b", "c"})
	some := rapid.Custom(func(t *rapid.T) graph.Node { return entity(rapid.ByteRange(1, 6).Draw(t, "entity")) })
	rapid.Check(t, func(t *rapid.T) {
		g, o, doc := graph.New(), oracle{}, uint32(0)
		for range rapid.IntRange(0, 60).Draw(t, "items") {
			doc += rapid.SampledFrom([]uint32{0, 1, 1, 5}).Draw(t, "gap")
			s := said{doc: doc, from: some.Draw(t, "from")}
			switch rapid.IntRange(0, 2).Draw(t, "sort") {
			case 0:
				s.key = strings.Join(rapid.SliceOfN(word, 1, 3).Draw(t, "name"), " ")
				g.AddName(s.key, s.from, doc)
			case 1:
				g.AddLink(s.from, doc)
			case 2:
				s.edge, s.to, s.weight = true, some.Draw(t, "to"), rapid.Float64Range(0, 1).Draw(t, "weight")
				g.AddEdge(s.from, s.to, s.weight, doc)
			}
			o = append(o, s)
		}
		dead := rapid.Uint32Range(2, 9).Draw(t, "dead")
		limit, live := rapid.Uint32Range(0, doc+2).Draw(t, "limit"), func(doc uint32) bool { return doc%dead != 1 }
		words := rapid.SliceOfN(word, 0, 8).Draw(t, "text")
		hold(t, g, o.visible(limit, live), limit, live, words, rapid.SliceOfN(some, 0, 4).Draw(t, "seeds"))
	})
}

func hold(t *rapid.T, g *graph.Graph, o oracle, limit uint32, live func(uint32) bool, words []string, seeds []graph.Node) {
	same := func(what string, want, got any) {
		if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Fatalf("%s: %s", what, diff)
		}
	}
	for _, s := range o {
		same("named", o.named(s.key), g.Named(s.key, limit, live))
		same("links", o.links(s.from), g.Links(s.from, limit, live))
		same("edges", o.edges(s.from), g.Edges(s.from, limit, live))
	}
	same("match", o.match(words), g.Match(words, limit, live))
	got := g.Activate(graph.Activation{Seeds: seeds, Limit: limit, Live: live, K: 1000})
	scores := map[uint32]float64{}
	for _, s := range got {
		scores[s.Doc] = s.Score
	}
	same("activation", o.activate(seeds), scores)
	if !slices.IsSortedFunc(got, func(a, b topk.Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc))
	}) {
		t.Fatalf("out of order: %v", got)
	}
}

// TestReadersBesideAWriter proves that a reader's answers do not change while
// the graph grows under it, and that it sees all that was published.
func TestReadersBesideAWriter(t *testing.T) {
	const docs = 2000
	g := graph.New()
	var published atomic.Uint32
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for limit := uint32(0); limit < docs; {
				limit = published.Load()
				if problem := reread(g, limit); problem != "" {
					t.Errorf("below %d: %s", limit, problem)
					return
				}
			}
		})
	}
	for doc := range uint32(docs) {
		g.AddName(fmt.Sprintf("name %d", doc%50), entity(byte(doc%50)), doc)
		g.AddLink(entity(1), doc)
		g.AddEdge(entity(byte(doc%50)), entity(1), 0.5, doc)
		published.Store(doc + 1)
	}
	readers.Wait()
}

func reread(g *graph.Graph, limit uint32) string {
	if got := g.Links(entity(1), limit, nil); len(got) != int(limit) {
		return fmt.Sprintf("%d links", len(got))
	}
	if got := g.Edges(entity(1), limit, nil); len(got) != int(limit) {
		return fmt.Sprintf("%d edges", len(got))
	}
	if got := g.Match([]string{"name", "7", "name", "70"}, limit, nil); limit > 7 && len(got) != 1 {
		return fmt.Sprintf("matched %d", len(got))
	}
	ask := graph.Activation{Seeds: nodes(1, 7), Limit: limit, K: 5}
	return gocmp.Diff(g.Activate(ask), g.Activate(ask))
}
