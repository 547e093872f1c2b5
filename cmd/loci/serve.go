package main

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"loci/cmd/loci/config"
	"loci/cmd/loci/node"
)

type serveCmd struct {
	config.Settings
	configFlag
}

// Help is the long help text.
func (serveCmd) Help() string {
	return `
Opens the store in --data (making it at the first start), and serves the memory API and its documentation on --addr. A first start makes a tenant and prints its API key, once.

LOCI_BOOTSTRAP_KEY installs a key of your own for the first tenant instead, for scripts and containers: loci_ and at least 32 more letters, digits, dashes or underscores.

Ctrl-C or SIGTERM stops gracefully: what runs is finished for up to --shutdown-grace. A second one stops at once; what was acknowledged is on disk in any case.

Examples:

	loci serve
	loci serve --addr 0.0.0.0:80 --data /var/lib/loci --public-url https://memory.example.com
	LOCI_LOG_FORMAT=json LOCI_BOOTSTRAP_KEY=loci_... loci serve
`
}

// Run serves until the context ends or the server fails.
func (s *serveCmd) Run(c *call) error {
	conf, err := c.load(s.Config)
	if err != nil {
		return err
	}
	log := newLog(c.Stderr, &conf.Settings)
	n, err := node.Start(c, node.Options{Settings: &conf.Settings, Version: version, Log: log})
	if err != nil {
		return err
	}
	banner(c.Stdout, c.Program, n.Welcome())
	if c.Listening != nil {
		c.Listening(n.Addr())
	}
	return c.until(n, conf, log)
}

func (c *call) until(n *node.Node, conf *config.Effective, log *slog.Logger) (err error) {
	select {
	case <-c.Done():
		log.Info("stopping")
	case err = <-n.Failed():
	}
	// The command's own context has ended; what runs gets its time to finish.
	grace, cancel := context.WithTimeout(context.WithoutCancel(c), conf.ShutdownGrace)
	defer cancel()
	return errors.Join(err, n.Stop(grace))
}

func newLog(w io.Writer, s *config.Settings) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(s.LogLevel)) // config allows only words that slog knows
	options := &slog.HandlerOptions{Level: level}
	if s.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}
