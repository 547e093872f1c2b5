package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	"loci/bench/rawhttp"
)

// Suite says what to measure. Either Server or URL and Key must be given.
type Suite struct {
	// Server is the path of the binary to start; ServerArgs are added to
	// "serve --addr … --data …".
	Server     string
	ServerArgs []string
	// URL is a server that runs already, on loopback (I4), and Key its credential.
	// Its processor time is not known and its store is not empty.
	URL string
	Key string
	// Out is the folder for the report; nothing is written if it is empty.
	Out string
	// Temp is the folder for the stores of both sides; the system's temporary
	// folder if empty. Its file system decides what fsync costs.
	Temp string
	// Short makes every default small: a look at whether the suite works, in
	// under 20 s, whose numbers mean little.
	Short bool

	// Connections are the numbers of connections; 1, 64, 256 if nil.
	Connections []int
	// Rounds is how often each comparison is repeated; 3 (short: 1) if zero.
	Rounds int
	// Warmup precedes each window and is not counted; 400 ms (50 ms) if zero.
	Warmup time.Duration
	// Duration is each closed loop's window; 2.5 s (250 ms) if zero.
	Duration time.Duration
	// Open is each open loop's window; 1.5 s (150 ms) if zero.
	Open time.Duration
	// Corpus is how many memories searches run on; 10,000 (500) if zero.
	Corpus int
	// Dedupe is sent with each learn: auto or off; auto if empty.
	Dedupe string
	// Seed decides texts and arrivals; if zero it is 1 for a started server,
	// and the clock's for a running one, which may know the texts of seed 1 (I7).
	Seed uint64
	// Limit ends the suite (I5); 4 min (20 s) if zero.
	Limit time.Duration
}

// batchSize is the items in one learn/batch.
const batchSize = 100

// searchLimit is the results that each search asks for.
const searchLimit = 10

var errLimit = errors.New("the suite's limit of time is reached")

// RunSuite carries out the suite and tells log how it goes. On an error the
// report holds what was measured until then.
func RunSuite(ctx context.Context, s Suite, log io.Writer) (*Report, error) {
	s, err := s.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.Limit, errLimit)
	defer cancel()
	b := newBench(s, log)
	err = b.run(ctx)
	if errors.Is(err, errLimit) {
		b.note("stopped after %v: what is missing below was not reached", s.Limit)
		err = nil
	}
	b.report.Took = time.Since(b.report.Date)
	if err != nil {
		return b.report, fmt.Errorf("bench: %w", err)
	}
	if s.Out == "" {
		return b.report, nil
	}
	return b.report, b.report.WriteFiles(s.Out)
}

func (s Suite) withDefaults() (Suite, error) {
	usual := Suite{Rounds: 3, Warmup: 400 * time.Millisecond, Duration: 2500 * time.Millisecond,
		Open: 1500 * time.Millisecond, Corpus: 10_000, Limit: 4 * time.Minute}
	if s.Short {
		usual = Suite{Rounds: 1, Warmup: 50 * time.Millisecond, Duration: 250 * time.Millisecond,
			Open: 150 * time.Millisecond, Corpus: 500, Limit: 20 * time.Second}
	}
	if s.Connections == nil {
		s.Connections = []int{1, 64, 256}
	}
	orElse(&s.Rounds, usual.Rounds)
	orElse(&s.Warmup, usual.Warmup)
	orElse(&s.Duration, usual.Duration)
	orElse(&s.Open, usual.Open)
	orElse(&s.Corpus, usual.Corpus)
	orElse(&s.Limit, usual.Limit)
	orElse(&s.Dedupe, "auto")
	orElse(&s.Seed, s.usualSeed())
	return s, s.validate()
}

func (s Suite) usualSeed() uint64 {
	if s.URL != "" {
		return uint64(time.Now().UnixNano())
	}
	return 1
}

func (s Suite) validate() error {
	switch {
	case (s.Server == "") == (s.URL == ""):
		return errors.New("either Server or URL is required")
	case s.URL != "" && s.Key == "":
		return errors.New("field Key is required with URL")
	case s.Dedupe != "auto" && s.Dedupe != "off":
		return fmt.Errorf("field Dedupe must be auto or off, not %q", s.Dedupe)
	case s.Rounds < 0 || s.Corpus < 0 || s.Warmup < 0 || s.Duration < 0 || s.Open < 0 || s.Limit < 0:
		return errors.New("fields Rounds, Corpus, Warmup, Duration, Open and Limit must not be below zero")
	case s.Corpus%batchSize != 0:
		return fmt.Errorf("field Corpus must be a multiple of %d", batchSize)
	}
	for _, n := range s.Connections {
		if n < 1 || n > 4096 {
			return fmt.Errorf("field Connections must be between 1 and 4096, not %d", n)
		}
	}
	if s.URL != "" {
		_, err := address(s.URL)
		return err
	}
	return nil
}

// address takes the host and port out of a URL and refuses all but loopback (I4).
func address(raw string) (string, error) {
	parsed, err := url.Parse(raw)
	if err != nil {
		return "", fmt.Errorf("field URL: %w", err)
	}
	if parsed.Scheme != "http" || (parsed.Path != "" && parsed.Path != "/") {
		return "", fmt.Errorf("field URL %q must be http://address:port", raw)
	}
	return parsed.Host, rawhttp.CheckLoopback(parsed.Host)
}

func orElse[T comparable](field *T, usual T) {
	var zero T
	if *field == zero {
		*field = usual
	}
}
