package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"loci/cmd/loci/config"
	"loci/engine"
	"loci/engine/analysis"
	"loci/engine/embed"
	"loci/engine/embed/remote"
	"loci/engine/memory"
)

// The embedders that --embedder names.
const (
	builtin = "builtin"
	hashing = "hash"
	openai  = "openai"
	ollama  = "ollama"
)

// hashDim is the length of the hashing embedder's vectors.
const hashDim = 256

// kitOf is what tenants work with: an embedder, and those that older vectors
// may be of as far as they cost nothing to have.
func kitOf(e memory.Embedder) engine.Kit {
	kit := engine.Kit{Embedder: e, Analyzer: analysis.New(), Now: time.Now}
	if hash := embed.NewHash(hashDim); hash.ID() != e.ID() {
		kit.Earlier = append(kit.Earlier, hash)
	}
	return kit
}

// Kit is what management commands work with on a stopped store. They read and
// compare vectors but make none, so no model is loaded.
func Kit(s *config.Settings) engine.Kit {
	switch s.Embedder {
	case hashing:
		return kitOf(embed.NewHash(hashDim))
	case openai, ollama:
		if client, err := newRemote(s); err == nil {
			return kitOf(client)
		}
	}
	return kitOf(named{embed.MiniLMID, embed.MiniLMDim})
}

// named is an embedder of which only the name is needed.
type named struct {
	id  string
	dim int
}

func (n named) ID() string { return n.id }
func (n named) Dim() int   { return n.dim }

func (n named) Embed(context.Context, []string, memory.EmbedKind) ([][]float32, error) {
	return nil, errors.New("no model is loaded here")
}

// startEmbedder loads or reaches the chosen embedder.
func (n *Node) startEmbedder(ctx context.Context) error {
	switch n.Settings.Embedder {
	case hashing:
		n.embedder = embed.NewHash(hashDim)
		return nil
	case builtin:
		return n.startBuiltin()
	}
	client, err := newRemote(n.Settings)
	if err != nil {
		return err
	}
	n.embedder = client
	n.onStop("embedder", func(context.Context) error { client.Close(); return nil })
	if client.Dim() > 0 {
		return nil
	}
	if err := client.Probe(ctx); err != nil {
		return fmt.Errorf("reach the embedder at --embedder-url (or give --embedder-dim to start without it): %w", err)
	}
	return nil
}

func (n *Node) startBuiltin() error {
	began := time.Now()
	model, err := embed.NewMiniLM()
	if err != nil {
		return err
	}
	pool := embed.NewPool(model, embed.PoolOptions{})
	n.embedder = pool
	n.onStop("embedder", func(context.Context) error { pool.Close(); return nil })
	n.Log.Debug("loaded the built-in model", keyKernel, model.Path(), keyTook, time.Since(began).String())
	return nil
}

func newRemote(s *config.Settings) (*remote.Client, error) {
	if s.EmbedderURL == "" || s.EmbedderModel == "" {
		return nil, fmt.Errorf("--embedder %s needs --embedder-url and --embedder-model", s.Embedder)
	}
	o := remote.Options{BaseURL: s.EmbedderURL, Model: s.EmbedderModel, Key: remote.Secret(s.EmbedderKey), Dim: s.EmbedderDim}
	if s.Embedder == ollama {
		return remote.Ollama(o)
	}
	return remote.OpenAI(o)
}
