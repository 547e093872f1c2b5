package main

import "loci/cmd/loci/config"

type configCmd struct {
	config.Settings
	configFlag
	JSON bool `name:"json" help:"Print JSON."`
}

// Help is the long help text.
func (configCmd) Help() string {
	return `
Takes the same flags, variables and file as serve, starts nothing, and prints every setting with its value and its origin: flag, env LOCI_NAME, file FILE:key, or default. Secrets are hidden. A wrong value is refused as serve would refuse it.

Examples:

	loci config
	LOCI_QUEUE=100 loci config --addr 127.0.0.1:9000 --json
`
}

// Run prints the configuration.
func (s *configCmd) Run(c *call) error {
	conf, err := c.load(s.Config)
	if err != nil {
		return err
	}
	if s.JSON {
		return conf.JSON(c.Stdout)
	}
	return conf.Table(c.Stdout)
}
