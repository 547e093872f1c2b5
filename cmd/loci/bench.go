package main

import (
	"fmt"
	"os"

	"loci/bench"
)

type benchCmd struct {
	Load benchLoadCmd `cmd:"" help:"Measure durable learns and searches over HTTP."`
}

type benchLoadCmd struct {
	Server      string `placeholder:"FILE" help:"Binary to measure; this one if not given."`
	URL         string `name:"url" placeholder:"URL" help:"A running server on this machine, instead of a binary; needs LOCI_KEY with its API key."`
	Out         string `placeholder:"DIR" help:"Folder for the report; nothing is written if not given."`
	Temp        string `placeholder:"DIR" help:"Folder for the stores under test; its disk decides what an fsync costs."`
	Short       bool   `help:"Try the suite in under 20 seconds; the numbers mean little."`
	Connections []int  `placeholder:"N" help:"Numbers of connections; 1, 64 and 256 if not given."`
	Rounds      int    `placeholder:"N" help:"Repetitions of each comparison; 3 if not given."`
	Embedder    string `default:"hash" enum:"hash,builtin" placeholder:"WHICH" help:"Embedder of the server under test: hash, which costs microseconds, so that the rest shows; or builtin."`
	Dedupe      string `placeholder:"HOW" help:"What learns ask for: auto or off; auto if not given."`
	Seed        uint64 `placeholder:"N" help:"Decides texts and arrival times."`
}

// Help is the long help text.
func (benchLoadCmd) Help() string {
	return `
Starts a server on a temporary store, sends it learns, batches and searches over 1, 64 and 256 connections, and beside them the same bytes to a Redis with appendfsync always, if redis-server is installed. Throughput comes from a closed loop, latency from an open loop at half and at four fifths of that rate, measured from the time a request was due. It takes about four minutes.

Examples:

	loci bench load --out bench/results
	loci bench load --short
	LOCI_KEY=loci_... loci bench load --url http://127.0.0.1:8080
`
}

// Run measures.
func (b *benchLoadCmd) Run(c *call) error {
	suite, err := b.suite(c)
	if err != nil {
		return err
	}
	report, err := bench.RunSuite(c, suite, c.Stderr)
	if report == nil {
		return err
	}
	if printErr := c.printf("%s", report.Markdown()); err == nil {
		err = printErr
	}
	return err
}

func (b *benchLoadCmd) suite(c *call) (bench.Suite, error) {
	suite := bench.Suite{
		Server: b.Server, URL: b.URL, Out: b.Out, Temp: b.Temp, Short: b.Short,
		Connections: b.Connections, Rounds: b.Rounds, Dedupe: b.Dedupe, Seed: b.Seed,
	}
	if b.URL != "" {
		suite.Key, _ = c.Env("LOCI_KEY")
		return suite, nil
	}
	if suite.Server == "" {
		own, err := os.Executable()
		if err != nil {
			return suite, fmt.Errorf("find the binary to measure (--server names one): %w", err)
		}
		suite.Server = own
	}
	suite.ServerArgs = []string{"--embedder", b.Embedder}
	return suite, nil
}
