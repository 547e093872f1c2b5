package main

import (
	"errors"
	"fmt"

	"loci/cmd/loci/desk"
)

// errUnclean is the end of a check that found something and has said so.
var errUnclean = errors.New("the check found problems")

type checkCmd struct {
	where
	Tenant string `placeholder:"NAME" help:"Only this tenant; the store as a whole is always read."`
	JSON   bool   `name:"json" help:"Print JSON."`
}

// Help is the long help text.
func (checkCmd) Help() string {
	return `
Reads every key of the store, builds the indexes of each tenant from it, and holds them against each other: records, versions, vectors, terms, entities, relations. On a running server the live indexes are checked, between two writes. Exit code 1 if anything disagrees.

Examples:

	loci check
	loci check --tenant acme --json
`
}

// Run checks and prints what was found.
func (k *checkCmd) Run(c *call) error {
	var found desk.Findings
	if err := c.ask(k.where, desk.OpCheck, desk.Named{Name: k.Tenant}, &found); err != nil {
		return err
	}
	if err := k.print(c, &found); err != nil {
		return err
	}
	if !found.Clean() {
		return errUnclean
	}
	return nil
}

func (k *checkCmd) print(c *call, found *desk.Findings) error {
	if k.JSON {
		return c.printJSON(found)
	}
	err := c.printTable("TENANT\tRECORDS\tVERSIONS\tVECTORS\tTERMS\tENTITIES\tRELATIONS\tRESULT", len(found.Tenants), func(i int) string {
		t := found.Tenants[i]
		return fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s", t.Name, t.Records, t.Versions, t.Vectors, t.Terms, t.Entities, t.Relations, result(t.Problems))
	})
	return errors.Join(err, printProblems(c, found))
}

func result(problems []string) string {
	if len(problems) == 0 {
		return "ok"
	}
	return fmt.Sprintf("%d problems", len(problems))
}

func printProblems(c *call, found *desk.Findings) error {
	for _, p := range found.Problems {
		fmt.Fprintf(c.Stdout, "store: %s\n", p)
	}
	for _, t := range found.Tenants {
		for _, p := range t.Problems {
			fmt.Fprintf(c.Stdout, "%s: %s\n", t.Name, p)
		}
	}
	state := "stopped store"
	if found.Online {
		state = "running server"
	}
	verdict := "everything agrees"
	if !found.Clean() {
		verdict = "something disagrees, see above"
	}
	return c.printf("%s: %d keys, %d bytes, %d tenants: %s\n", state, found.Keys, found.Bytes, len(found.Tenants), verdict)
}
