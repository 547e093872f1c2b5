package main

import (
	"bufio"
	"fmt"
	"strings"

	"loci/cmd/loci/desk"
)

type tenantCmd struct {
	Create tenantCreateCmd `cmd:"" help:"Create a tenant."`
	List   tenantListCmd   `cmd:"" help:"List tenants."`
	Delete tenantDeleteCmd `cmd:"" help:"Delete a tenant and everything it ever stored."`
}

// Help is the long help text.
func (tenantCmd) Help() string {
	return `
A tenant is one memory: what one tenant stores no other can see. These commands work on a stopped store and, through the admin socket in the data folder, on a running server.

Examples:

	loci tenant create acme
	loci tenant list --json
	loci tenant delete acme --yes
`
}

type tenantCreateCmd struct {
	where
	Name string `arg:"" help:"Its name: letters, digits, dots, dashes, underscores."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Run creates.
func (t *tenantCreateCmd) Run(c *call) error {
	var made desk.Tenant
	if err := c.ask(t.where, desk.OpTenantCreate, desk.Named{Name: t.Name}, &made); err != nil {
		return err
	}
	if t.JSON {
		return c.printJSON(made)
	}
	return c.printf("created tenant %s (%s); a key for it: loci key create --tenant %s\n", made.Name, made.ID, made.Name)
}

type tenantListCmd struct {
	where
	JSON bool `name:"json" help:"Print JSON."`
}

// Run lists.
func (t *tenantListCmd) Run(c *call) error {
	var list []desk.Tenant
	if err := c.ask(t.where, desk.OpTenantList, desk.Nothing{}, &list); err != nil {
		return err
	}
	if t.JSON {
		return c.printJSON(list)
	}
	return c.printTable("NAME\tID\tCREATED\tLIVE KEYS\tSTATE", len(list), func(i int) string {
		t := list[i]
		return fmt.Sprintf("%s\t%s\t%s\t%d\t%s", t.Name, t.ID, moment(t.CreatedAt), t.Keys, tenantState(t))
	})
}

func tenantState(t desk.Tenant) string {
	if t.Deleting {
		return "being deleted"
	}
	return "active"
}

type tenantDeleteCmd struct {
	where
	Name string `arg:"" help:"Its name or id."`
	Yes  bool   `help:"Do not ask."`
}

// Help is the long help text.
func (tenantDeleteCmd) Help() string {
	return `
Revokes the tenant's keys at once, stops its work, erases all its data from the store, and forgets its name. There is no way back but a backup. If the machine fails half way, the rest is done at the next start.
`
}

// Run deletes, after asking.
func (t *tenantDeleteCmd) Run(c *call) error {
	var found, gone desk.Tenant
	if err := c.ask(t.where, desk.OpTenantFind, desk.Named{Name: t.Name}, &found); err != nil {
		return err
	}
	if !t.Yes && !c.confirm(found) {
		return fmt.Errorf("delete tenant %s: not confirmed, nothing was done", found.Name)
	}
	if err := c.ask(t.where, desk.OpTenantDelete, desk.Named{Name: found.ID.String()}, &gone); err != nil {
		return err
	}
	return c.printf("deleted tenant %s (%s) and all its data\n", gone.Name, gone.ID)
}

// confirm asks for the name: an answer that nobody gives by accident.
func (c *call) confirm(t desk.Tenant) bool {
	fmt.Fprintf(c.Stderr, "This erases tenant %s (%s) with all its memories and keys, for good.\nType its name to go on: ", t.Name, t.ID)
	line, err := bufio.NewReader(c.Stdin).ReadString('\n')
	return (err == nil || line != "") && strings.TrimSpace(line) == t.Name
}
