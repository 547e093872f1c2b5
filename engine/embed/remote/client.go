package remote

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"unicode/utf8"

	"loci/engine/memory"
)

// Client asks one server for the vectors of one model. It is safe for
// concurrent use.
type Client struct {
	id      string
	url     string
	options *Options // a pointer, so that a printed Client shows an address (I3)
	wire    wire
	http    *http.Client
	breaker *breaker
	dim     atomic.Int64 // 0 until it is known (I2)
}

var _ memory.Embedder = (*Client)(nil)

// wire is what servers differ in.
type wire interface {
	// encode writes a request for the vectors of texts.
	encode(texts []string) ([]byte, error)
	// decode reads the answer to a request for count vectors.
	decode(body []byte, count int) ([][]float32, error)
}

// OpenAI is a client for POST {BaseURL}/v1/embeddings, which OpenAI and many
// others speak.
func OpenAI(o Options) (*Client, error) {
	return newClient("openai", "/v1/embeddings", o, func(o *Options) wire { return openAI{o} })
}

// Ollama is a client for POST {BaseURL}/api/embed.
func Ollama(o Options) (*Client, error) {
	return newClient("ollama", "/api/embed", o, func(o *Options) wire { return ollama{o} })
}

func newClient(family, path string, o Options, speak func(*Options) wire) (*Client, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, fmt.Errorf("options of the %s embedder: %w", family, err)
	}
	c := &Client{
		id:      o.id(family),
		url:     o.BaseURL + path,
		options: &o,
		wire:    speak(&o),
		http:    &http.Client{Transport: o.Transport, CheckRedirect: stay},
		breaker: newBreaker(o.BreakAfter, o.BreakFor),
	}
	if o.Transport == nil {
		c.http.Transport = newTransport()
	}
	c.dim.Store(int64(o.Dim))
	return c, nil
}

// newTransport is our own, because that of the standard library reads proxies
// from the environment.
func newTransport() *http.Transport {
	return &http.Transport{
		MaxConnsPerHost:     16,
		MaxIdleConnsPerHost: 16,
		IdleConnTimeout:     defaultTimeout,
		TLSHandshakeTimeout: defaultTimeout,
		ForceAttemptHTTP2:   true,
	}
}

// stay follows no redirect: the key and the texts are for one server (I3).
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// ID names the family, the model, and what shapes its vectors (I5).
func (c *Client) ID() string { return c.id }

// Dim is the length of every vector, or 0 while it is not known.
func (c *Client) Dim() int { return int(c.dim.Load()) }

// Format prints the ID, whatever the verb (I3).
func (c *Client) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "remote embedder "+c.id) }

// Probe asks for one vector, so that the dimension is known and a wrong
// setting shows at once.
func (c *Client) Probe(ctx context.Context) error {
	_, err := c.Embed(ctx, []string{"probe"}, memory.EmbedDocument)
	return err
}

// Embed returns a vector for each text (I1).
func (c *Client) Embed(ctx context.Context, texts []string, kind memory.EmbedKind) ([][]float32, error) {
	prefix := c.options.DocumentPrefix
	if kind == memory.EmbedQuery {
		prefix = c.options.QueryPrefix
	}
	vectors := make([][]float32, 0, len(texts))
	for len(vectors) < len(texts) {
		batch := c.batch(texts[len(vectors):], prefix)
		some, err := c.ask(ctx, batch)
		if err != nil {
			return nil, fmt.Errorf("embed %d texts with %s: %w", len(batch), c.id, err)
		}
		vectors = append(vectors, some...)
	}
	return vectors, nil
}

// batch prepares as many texts, at least one, as fit in one request.
func (c *Client) batch(texts []string, prefix string) (batch []string) {
	bytes := 0
	for _, text := range texts {
		text = prepare(text, prefix, c.options.MaxTextBytes)
		bytes += len(text)
		if len(batch) > 0 && (len(batch) == c.options.MaxBatchTexts || bytes > c.options.MaxBatchBytes) {
			break
		}
		batch = append(batch, text)
	}
	return batch
}

// prepare cuts a text between characters and puts the prefix before it. An
// empty text becomes a blank, because servers refuse the empty string.
func prepare(text, prefix string, limit int) string {
	if len(text) > limit {
		for limit > 0 && !utf8.RuneStart(text[limit]) {
			limit--
		}
		text = text[:limit]
	}
	if text = prefix + text; text == "" {
		return " "
	}
	return text
}

// State is what the circuit breaker does now: "closed", "open" or "half-open".
func (c *Client) State() string { return c.breaker.state() }

// Close lets go of idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }
