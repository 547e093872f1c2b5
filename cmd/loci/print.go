package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"loci/engine/memory"
)

func (c *call) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(c.Stdout, format, args...)
	return err
}

func (c *call) printJSON(v any) error {
	out := json.NewEncoder(c.Stdout)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(v)
}

func (c *call) printTable(head string, rows int, row func(i int) string) error {
	t := tabwriter.NewWriter(c.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, head)
	for i := range rows {
		fmt.Fprintln(t, row(i))
	}
	return t.Flush()
}

func moment(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02T15:04:05Z")
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func scopes(list []memory.Scope) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = strings.TrimPrefix(string(s), "memory:")
	}
	return strings.Join(words, ",")
}
