package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"loci/engine/embed"
	"loci/engine/memory"
	"loci/storage"
)

// generation is the vectors of one embedder. A tenant has one that searches
// use, and while it is being given vectors of another embedder, a next one.
// Vectors of two generations never meet (I7).
type generation struct {
	number   uint16
	id       string
	dim      int
	embedder memory.Embedder // nil: this server does not have it
}

// basis says for which generations a write was prepared; zero: it holds no
// vectors.
type basis struct{ now, next uint16 }

// The meta keys that say whose vectors are stored.
const (
	metaEmbedder = "embedder"
	metaNext     = "embedder.next"
)

// mark is what is stored under them.
type mark struct {
	ID         string `json:"id"`
	Dim        int    `json:"dim"`
	Generation uint16 `json:"generation"`
}

func (g *generation) mark() []byte {
	raw, _ := json.Marshal(mark{g.id, g.dim, g.number}) // plain struct: cannot fail
	return raw
}

func generationOf(number uint16, e memory.Embedder) generation {
	return generation{number, e.ID(), e.Dim(), e}
}

func readMark(snap *storage.Snapshot, name string) (*mark, error) {
	raw, err := snap.Meta(name)
	if errors.Is(err, storage.ErrNotFound) {
		return nil, nil
	}
	var m mark
	if err == nil {
		err = json.Unmarshal(raw, &m)
	}
	if err == nil && (m.Dim < 1 || m.Generation < 1) {
		err = errCorrupt
	}
	if err != nil {
		return nil, fmt.Errorf("read the mark %s: %w", name, err)
	}
	return &m, nil
}

// findGenerations reads whose vectors there are, and decides whether the
// tenant needs a next generation: if they are of another embedder than the
// chosen one.
func (p *Partition) findGenerations(snap *storage.Snapshot) error {
	stored, err := readMark(snap, metaEmbedder)
	if err != nil {
		return err
	}
	if stored == nil {
		p.now = generationOf(1, p.kit.Embedder)
		return nil
	}
	p.marked = true
	if p.now = p.kit.generation(*stored); p.now.embedder == p.kit.Embedder {
		return nil
	}
	begun, err := readMark(snap, metaNext)
	if err != nil {
		return err
	}
	next := generationOf(p.now.number+1, p.kit.Embedder)
	if begun != nil {
		next.number = begun.Generation
		if begun.ID != next.id || begun.Dim != next.dim {
			next.number++ // begun for a third embedder: its vectors are left aside
		}
	}
	p.next = &next
	return nil
}

// generation finds the embedder of stored vectors among those to be had.
func (k Kit) generation(m mark) generation {
	g := generation{number: m.Generation, id: m.ID, dim: m.Dim}
	for _, e := range append([]memory.Embedder{k.Embedder}, k.Earlier...) {
		if e.ID() == m.ID && e.Dim() == m.Dim {
			g.embedder = e
			break
		}
	}
	return g
}

func (v *View) basis() basis {
	b := basis{now: v.now.number}
	if v.next != nil {
		b.next = v.next.number
	}
	return b
}

// Question is a query with its vector, if the tenant's embedder is to be had.
type Question struct {
	vector     []float32
	generation uint16
}

// Embed makes a question of a query for this view. It may take long, so it is called before
// any slot or mailbox is taken.
func (v *View) Embed(ctx context.Context, text string) (Question, error) {
	if v.now.embedder == nil {
		return Question{}, nil
	}
	vectors, err := v.vectorsOf(ctx, v.now.embedder, []string{text}, memory.EmbedQuery)
	if err != nil {
		return Question{}, err
	}
	return Question{vectors[0], v.now.number}, nil
}

// vectorsOf turns texts into vectors, rounded to what storage keeps. The
// embedder is told whose texts they are, so that it can be fair.
func (v *View) vectorsOf(ctx context.Context, by memory.Embedder, texts []string, kind memory.EmbedKind) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	vectors, err := by.Embed(embed.WithTenant(ctx, v.store.Tenant()), texts, kind)
	if err != nil {
		return nil, fmt.Errorf("embed %d texts: %w", len(texts), err)
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("embed %d texts: got %d vectors", len(texts), len(vectors))
	}
	for _, vector := range vectors {
		if err := settle(vector, by); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}
