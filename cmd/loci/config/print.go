package config

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// Table writes every setting with its origin, for people.
func (e *Effective) Table(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "SETTING\tVALUE\tFROM")
	for _, v := range e.Values {
		fmt.Fprintf(t, "%s\t%s\t%s\n", v.Name, shown(v.Value), v.From)
	}
	return t.Flush()
}

func shown(value string) string {
	if value == "" {
		return "-"
	}
	return value
}

// JSON writes the same for programs.
func (e *Effective) JSON(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(struct {
		File     string  `json:"file,omitempty"`
		Settings []Value `json:"settings"`
	}{e.File, e.Values})
}
