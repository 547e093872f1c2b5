package node

import (
	"context"

	"loci/engine/embed"
	"loci/engine/memory"
)

// vectors gives the node's embedder to callers of /v1/embeddings, each under
// the name of its tenant, so that the pool can be fair.
type vectors struct{ memory.Embedder }

func (v vectors) Vectors(ctx context.Context, who memory.Caller, texts []string) ([][]float32, int, error) {
	made, err := v.Embed(embed.WithTenant(ctx, who.Tenant), texts, memory.EmbedDocument)
	return made, v.count(texts), err
}

// count is 0 for an embedder that does not count tokens.
func (v vectors) count(texts []string) (tokens int) {
	counter, ok := v.Embedder.(interface{ Tokens(text string) int })
	if !ok {
		return 0
	}
	for _, text := range texts {
		tokens += counter.Tokens(text)
	}
	return tokens
}
