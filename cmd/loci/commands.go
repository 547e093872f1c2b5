package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"loci/cmd/loci/config"
	"loci/cmd/loci/desk"
	"loci/cmd/loci/node"
)

const description = `
Loci is a long-term memory for AI agents: one binary that stores facts, decisions and entities for many tenants, and finds them again by meaning, by words and by the graph.

Every setting is a flag (--public-url), a variable (LOCI_PUBLIC_URL) and a key of a YAML file (public-url); the flag wins over the variable, the variable over the file. "loci config" shows what is in effect and why.

Exit codes: 0 it worked; 1 it failed, or a check found something wrong; 2 a wrong flag, argument or setting.
`

type commands struct {
	Serve   serveCmd   `cmd:"" help:"Start the server."`
	Config  configCmd  `cmd:"" help:"Show the effective configuration and where each value comes from."`
	Key     keyCmd     `cmd:"" help:"Create, list and revoke API keys."`
	Tenant  tenantCmd  `cmd:"" help:"Create, list and delete tenants."`
	Check   checkCmd   `cmd:"" help:"Prove that the store and its indexes agree."`
	Backup  backupCmd  `cmd:"" help:"Copy the store into a folder, also while the server runs."`
	Bench   benchCmd   `cmd:"" help:"Measure a server."`
	Version versionCmd `cmd:"" help:"Show the version."`
}

// call is what a command works with.
type call struct {
	context.Context
	*Main
	kong *kong.Context
}

// configFlag names the file; it is a flag of every command that needs a
// setting, but no setting itself.
type configFlag struct {
	Config string `placeholder:"FILE" help:"YAML file with settings; ./loci.yaml if it is there."`
}

// where finds the store for a management command.
type where struct {
	configFlag
	Data string `placeholder:"DIR" help:"Folder of the store."`
}

// load reads the configuration with the flags of this command line.
func (c *call) load(file string) (*config.Effective, error) {
	return config.Load(config.Inputs{Flags: given(c.kong), Env: c.Env, File: file})
}

// given are the settings that the command line named. Kong has read them; in
// its own notation each reads back as the same value.
func given(k *kong.Context) map[string]string {
	flags := make(map[string]string)
	for _, p := range k.Path {
		if p.Flag == nil {
			continue
		}
		if _, ok := config.Default(p.Flag.Name); ok {
			flags[p.Flag.Name] = fmt.Sprint(p.Flag.Target.Interface())
		}
	}
	return flags
}

// office finds the desk: the running server's, or the store's own. It also
// gives the configuration that named it.
func (c *call) office(w where) (desk.Office, *config.Effective, error) {
	conf, err := c.load(w.Config)
	if err != nil {
		return nil, nil, err
	}
	office, err := desk.Reach(c, conf.Data, node.Kit(&conf.Settings))
	return office, conf, err
}

// ask carries out one operation and lets the office go.
func (c *call) ask(w where, op string, in, out any) (err error) {
	office, _, err := c.office(w)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := office.Close(); err == nil {
			err = closeErr
		}
	}()
	return office.Do(c, op, in, out)
}

// flagHelp adds to a flag's help its variable and its default.
func flagHelp(value *kong.Value) string {
	if value.Flag == nil {
		return value.Help
	}
	var notes []string
	std, isSetting := config.Default(value.Name)
	if isSetting || value.Name == "config" {
		notes = append(notes, "$"+config.EnvName(value.Name))
	}
	if std != "" {
		notes = append(notes, "default "+std)
	}
	if len(notes) == 0 {
		return value.Help
	}
	return fmt.Sprintf("%s (%s).", strings.TrimSuffix(value.Help, "."), strings.Join(notes, ", "))
}
