package remote

import (
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options say which server to ask, and how. Zero means the default, where
// there is one.
type Options struct {
	// BaseURL is the server: "https://api.openai.com". A "/v1" at its end is
	// understood.
	BaseURL string
	// Model is the server's name for it.
	Model string
	// Key, if given, is sent as a bearer token.
	Key Secret

	// Dim is the dimension to expect; 0 means that of the first answer.
	Dim int
	// Shorten asks the server for vectors of Dim numbers ("dimensions"), for
	// models that can.
	Shorten bool
	// Base64 asks for vectors as base64: 5.3 bytes a number instead of some
	// 13. Ollama's own interface has no such thing.
	Base64 bool
	// QueryPrefix and DocumentPrefix go before each text, for models trained
	// with them ("query: ", "passage: ").
	QueryPrefix, DocumentPrefix string

	// MaxBatchTexts and MaxBatchBytes bound one request; by default 256 texts
	// and 256 KiB, which is below OpenAI's 2,048 texts and 300,000 tokens
	// even at a token a byte.
	MaxBatchTexts, MaxBatchBytes int
	// MaxTextBytes is where a text is cut; by default 16 KiB, which stays
	// below OpenAI's 8,192 tokens as long as a token has two bytes or more.
	MaxTextBytes int
	// MaxAnswerBytes bounds one answer; by default 64 MiB.
	MaxAnswerBytes int

	// Timeout bounds one try; by default 30 s.
	Timeout time.Duration
	// Retries is how often a batch is tried again; by default 3, none if
	// negative.
	Retries int
	// Pause is before the first repetition; by default 200 ms. It doubles up
	// to MaxPause, by default 10 s; a Retry-After beyond MaxPause is passed on
	// to the caller instead of waited for.
	Pause, MaxPause time.Duration
	// BreakAfter is how many bad tries in a row open the circuit breaker; by
	// default 5. It stays open for BreakFor, by default 10 s.
	BreakAfter int
	BreakFor   time.Duration

	// Transport carries the requests; by default one of our own with at most
	// 16 connections and no proxy.
	Transport http.RoundTripper
}

// The defaults.
const (
	defaultBatchTexts  = 256
	defaultBatchBytes  = 256 << 10
	defaultTextBytes   = 16 << 10
	defaultAnswerBytes = 64 << 20
	defaultTimeout     = 30 * time.Second
	defaultRetries     = 3
	defaultPause       = 200 * time.Millisecond
	defaultMaxPause    = 10 * time.Second
	defaultBreakAfter  = 5
	defaultBreakFor    = 10 * time.Second
)

func (o Options) withDefaults() Options {
	orElse(&o.MaxBatchTexts, defaultBatchTexts)
	orElse(&o.MaxBatchBytes, defaultBatchBytes)
	orElse(&o.MaxTextBytes, defaultTextBytes)
	orElse(&o.MaxAnswerBytes, defaultAnswerBytes)
	orElse(&o.Timeout, defaultTimeout)
	orElse(&o.Retries, defaultRetries)
	orElse(&o.Pause, defaultPause)
	orElse(&o.MaxPause, defaultMaxPause)
	orElse(&o.BreakAfter, defaultBreakAfter)
	orElse(&o.BreakFor, defaultBreakFor)
	o.BaseURL = strings.TrimSuffix(strings.TrimRight(o.BaseURL, "/"), "/v1")
	return o
}

func orElse[T int | time.Duration](value *T, fallback T) {
	if *value == 0 {
		*value = fallback
	}
}

// validate names the field that is wrong. Only Retries may be negative.
func (o Options) validate() error {
	for name, value := range map[string]int64{
		"Dim": int64(o.Dim), "MaxBatchTexts": int64(o.MaxBatchTexts), "MaxBatchBytes": int64(o.MaxBatchBytes),
		"MaxTextBytes": int64(o.MaxTextBytes), "MaxAnswerBytes": int64(o.MaxAnswerBytes), "Timeout": int64(o.Timeout),
		"Pause": int64(o.Pause), "MaxPause": int64(o.MaxPause), "BreakAfter": int64(o.BreakAfter), "BreakFor": int64(o.BreakFor),
	} {
		if value < 0 {
			return fmt.Errorf("%s must not be negative", name)
		}
	}
	switch {
	case o.Model == "":
		return fmt.Errorf("option Model must be given")
	case o.Shorten && o.Dim == 0:
		return fmt.Errorf("option Shorten needs Dim")
	case strings.ContainsFunc(string(o.Key), func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return fmt.Errorf("option Key must be printable ASCII without blanks")
	}
	return validateURL(o.BaseURL)
}

func validateURL(base string) error {
	at, err := url.Parse(base)
	switch {
	case err != nil:
		return fmt.Errorf("BaseURL cannot be read") // err would quote it, with a password if there is one
	case at.Scheme != "http" && at.Scheme != "https" || at.Host == "":
		return fmt.Errorf("BaseURL must be http:// or https:// and a host")
	case at.User != nil || at.RawQuery != "" || at.Fragment != "":
		return fmt.Errorf("BaseURL must not hold a user, a query or a fragment")
	}
	return nil
}

// id names the model and whatever else shapes the vectors (I5).
func (o Options) id(family string) string {
	id := family + "/" + o.Model
	if o.Shorten {
		id += fmt.Sprintf("@%d", o.Dim)
	}
	if o.QueryPrefix != "" || o.DocumentPrefix != "" || o.MaxTextBytes != defaultTextBytes {
		sum := fnv.New32a()
		fmt.Fprintf(sum, "%q %q %d", o.QueryPrefix, o.DocumentPrefix, o.MaxTextBytes)
		id += fmt.Sprintf("#%08x", sum.Sum32())
	}
	return id
}

// Secret is a key that does not show itself, however it is printed (I3).
type Secret string

const blot = "[secret]"

// Format prints a blot for every verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, blot) }

// MarshalText keeps the key out of JSON and its like.
func (Secret) MarshalText() ([]byte, error) { return []byte(blot), nil }

// LogValue keeps the key out of logs.
func (Secret) LogValue() slog.Value { return slog.StringValue(blot) }
