package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"loci/cmd/loci/desk"
	"loci/engine/memory"
)

type keyCmd struct {
	Create keyCreateCmd `cmd:"" help:"Create a key and print it, once."`
	List   keyListCmd   `cmd:"" help:"List keys, without their secrets."`
	Revoke keyRevokeCmd `cmd:"" help:"Revoke a key; it fails at once."`
}

// Help is the long help text.
func (keyCmd) Help() string {
	return `
A key lets a client into one tenant: Authorization: Bearer loci_... Keys are stored as hashes; the secret is printed when the key is made and cannot be shown again. These commands work on a stopped store and, through the admin socket in the data folder, on a running server.

Examples:

	KEY=$(loci key create --tenant acme --name agent-1)
	loci key create --scope read --expires-in 30d
	loci key list
	loci key revoke 0193a6f0-5f1e-7c3a-8f00-0c9d2b7e4a11
`
}

type keyCreateCmd struct {
	where
	Tenant    string   `placeholder:"NAME" help:"Name or id of the tenant; the first tenant if not given."`
	Name      string   `placeholder:"TEXT" help:"What the key is for."`
	Scope     []string `placeholder:"SCOPE" help:"What it may do: read, write, admin; repeat or separate by commas; read and write if not given."`
	Project   string   `placeholder:"NAME" help:"The only project it sees; every project if not given."`
	ExpiresIn lifetime `placeholder:"TIME" help:"When it ends, such as 12h or 30d; never if not given."`
	JSON      bool     `name:"json" help:"Print JSON, with the secret."`
}

// Run prints the secret alone to the standard output, so that a script can
// take it, and the rest beside it.
func (k *keyCreateCmd) Run(c *call) error {
	made, err := k.create(c)
	if err != nil {
		return err
	}
	if k.JSON {
		return c.printJSON(made)
	}
	fmt.Fprintf(c.Stderr, "created key %s for tenant %s (%s); it is not shown again:\n", made.ID, made.Tenant, scopes(made.Scopes))
	return c.printf("%s\n", made.Secret)
}

func (k *keyCreateCmd) create(c *call) (made desk.MadeKey, err error) {
	office, conf, err := c.office(k.where)
	if err != nil {
		return made, err
	}
	err = office.Do(c, desk.OpKeyCreate, k.spec(conf.FirstTenant), &made)
	if closeErr := office.Close(); err == nil {
		err = closeErr
	}
	return made, err
}

func (k *keyCreateCmd) spec(firstTenant string) desk.NewKey {
	spec := desk.NewKey{Tenant: k.Tenant, Name: k.Name, Project: k.Project}
	if spec.Tenant == "" {
		spec.Tenant = firstTenant
	}
	if k.ExpiresIn > 0 {
		spec.ExpiresAt = time.Now().Add(time.Duration(k.ExpiresIn)).UTC().Truncate(time.Second)
	}
	for _, word := range k.Scope {
		spec.Scopes = append(spec.Scopes, scopeWords[word])
	}
	return spec
}

// Validate is kong's: a wrong scope is a usage mistake.
func (k *keyCreateCmd) Validate() error {
	for _, word := range k.Scope {
		if _, ok := scopeWords[word]; !ok {
			return fmt.Errorf("--scope: %q is not one of read, write, admin", word)
		}
	}
	return nil
}

var scopeWords = map[string]memory.Scope{"read": memory.ScopeRead, "write": memory.ScopeWrite, "admin": memory.ScopeAdmin}

// lifetime is a duration that also knows days.
type lifetime time.Duration

// Decode reads the flag for kong.
func (l *lifetime) Decode(ctx *kong.DecodeContext) error {
	var text string
	if err := ctx.Scan.PopValueInto("time", &text); err != nil {
		return err
	}
	d, err := parseLifetime(text)
	*l = lifetime(d)
	return err
}

func parseLifetime(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		n, err = strconv.Atoi(days)
		d = time.Duration(min(n, maxDays)) * 24 * time.Hour
	}
	if err != nil || d <= 0 || d > maxDays*24*time.Hour {
		return 0, fmt.Errorf("%q is not a time above zero such as 12h or 30d, and at most %dd", text, maxDays)
	}
	return d, nil
}

const maxDays = 36500

type keyListCmd struct {
	where
	Tenant string `placeholder:"NAME" help:"Only this tenant."`
	JSON   bool   `name:"json" help:"Print JSON."`
}

// Run lists.
func (k *keyListCmd) Run(c *call) error {
	var list []desk.Key
	if err := c.ask(k.where, desk.OpKeyList, desk.Named{Name: k.Tenant}, &list); err != nil {
		return err
	}
	if k.JSON {
		return c.printJSON(list)
	}
	return c.printTable("ID\tTENANT\tNAME\tKEY\tSCOPES\tCREATED\tLAST USE\tSTATE", len(list), func(i int) string {
		k := list[i]
		return strings.Join([]string{k.ID.String(), k.Tenant, dash(k.Name), k.Shown, scopes(k.Scopes), moment(k.CreatedAt), moment(k.LastUsedAt), keyState(k)}, "\t")
	})
}

func keyState(k desk.Key) string {
	switch {
	case !k.RevokedAt.IsZero():
		return "revoked " + moment(k.RevokedAt)
	case k.ExpiresAt.IsZero():
		return "active"
	case k.ExpiresAt.Before(time.Now()):
		return "expired " + moment(k.ExpiresAt)
	}
	return "active until " + moment(k.ExpiresAt)
}

type keyRevokeCmd struct {
	where
	ID string `arg:"" help:"Id of the key; loci key list shows it."`
}

// Run revokes.
func (k *keyRevokeCmd) Run(c *call) error {
	var key desk.Key
	if err := c.ask(k.where, desk.OpKeyRevoke, desk.Named{Name: k.ID}, &key); err != nil {
		return err
	}
	return c.printf("revoked key %s (%s) of tenant %s\n", key.ID, key.Shown, key.Tenant)
}
