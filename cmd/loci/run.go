package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"

	"github.com/alecthomas/kong"

	"loci/cmd/loci/config"
)

// version is set by the linker: -X main.version=v1.2.3.
var version = "dev"

// Exit codes. A process that a second signal ended has the shell's code for
// that signal (130 for Ctrl-C).
const (
	exitOK     = 0
	exitFailed = 1 // it did not work, or a check found something wrong
	exitUsage  = 2 // a wrong flag, argument or configuration
)

// Main is the program without the process around it, so that a test can run
// it, also as a whole server on a free port.
type Main struct {
	Program        string // how the program was called, for hints
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Env            func(name string) (string, bool)
	// Listening, if set, is told the address when the server answers.
	Listening func(net.Addr)

	mu struct {
		sync.Mutex
		runs   sync.WaitGroup
		cancel []context.CancelFunc
	}
}

// Run carries out one command line and returns the exit code. It ends early,
// gracefully, when the context ends or Close is called.
func (m *Main) Run(ctx context.Context, args []string) (code int) {
	ctx, end := m.begin(ctx)
	defer end()
	defer func() {
		switch left := recover().(type) {
		case nil:
		case exited:
			code = int(left)
		default:
			panic(left)
		}
	}()
	return m.report(m.run(ctx, args))
}

// Close ends all running commands and waits for them. It may be called twice.
func (m *Main) Close() {
	m.mu.Lock()
	for _, cancel := range m.mu.cancel {
		cancel()
	}
	m.mu.Unlock()
	m.mu.runs.Wait()
}

func (m *Main) begin(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mu.cancel = append(m.mu.cancel, cancel)
	m.mu.runs.Add(1)
	return ctx, func() {
		cancel()
		m.mu.runs.Done()
	}
}

// exited carries an exit code through kong, which ends the process after help.
type exited int

func (m *Main) run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parser, err := m.parser(&commands{})
	if err != nil {
		return err
	}
	k, err := parser.Parse(args)
	if err != nil {
		return err
	}
	return k.Run(&call{Context: ctx, Main: m, kong: k})
}

func (m *Main) parser(c *commands) (*kong.Kong, error) {
	return kong.New(c,
		kong.Name("loci"), kong.Description(strings.TrimSpace(description)),
		kong.Writers(m.Stdout, m.Stderr), kong.Exit(func(code int) { panic(exited(code)) }),
		kong.ValueFormatter(flagHelp),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
	)
}

// report prints what went wrong and finds the exit code for it.
func (m *Main) report(err error) int {
	var usage *kong.ParseError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errUnclean):
		return exitFailed // the findings have been printed
	case errors.As(err, &usage):
		fmt.Fprintf(m.Stderr, "loci: %v\nRun \"%s\" for help.\n", err, helpLine(usage.Context))
		return exitUsage
	case errors.Is(err, config.ErrInvalid):
		fmt.Fprintf(m.Stderr, "loci: %v\n", err)
		return exitUsage
	}
	fmt.Fprintf(m.Stderr, "loci: %v\n", err)
	return exitFailed
}

func helpLine(k *kong.Context) string {
	if k != nil && k.Selected() != nil {
		return k.Selected().FullPath() + " --help"
	}
	return "loci --help"
}
