package rest_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestConversations plays the scripts of testdata. Each turn is two files:
//
//	NN name.http   credential METHOD path [Header=value …], then the body
//	NN name.want   status content-type [Header=value …], then the body
//
// Ids that the server makes are called <id1>, <id2>, … in the order in which
// they first appear, in answers and in later requests.
func TestConversations(t *testing.T) {
	scripts, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, script := range scripts {
		t.Run(filepath.Base(script), func(t *testing.T) {
			archive, err := txtar.ParseFile(script)
			if err != nil {
				t.Fatal(err)
			}
			talk := conversation{house: open(t)}
			for i := 0; i+1 < len(archive.Files); i += 2 {
				got := talk.turn(string(archive.Files[i].Data), string(archive.Files[i+1].Data))
				want := strings.TrimSpace(string(archive.Files[i+1].Data))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%s: %s", archive.Files[i].Name, diff)
				}
			}
		})
	}
}

type conversation struct {
	*house
	ids []string
}

// turn sends a request and writes the answer as the script does, with the
// headers that the script asks about.
func (c *conversation) turn(request, want string) string {
	line, body, _ := strings.Cut(c.real(request), "\n")
	words := strings.Fields(line)
	headers := []string{"X-Request-Id", "txtar"}
	for _, word := range words[3:] {
		name, value, _ := strings.Cut(word, "=")
		headers = append(headers, name, value)
	}
	r := c.call(words[0], words[1], words[2], strings.TrimSpace(body), headers...)
	head := fmt.Sprintf("%d %s", r.status, r.header.Get("Content-Type"))
	wanted, _, _ := strings.Cut(want, "\n")
	for _, word := range strings.Fields(wanted) {
		if name, _, isHeader := strings.Cut(word, "="); isHeader {
			head += " " + name + "=" + r.header.Get(name)
		}
	}
	return strings.TrimSpace(c.named(head + "\n" + string(r.body)))
}

var madeID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)

// named replaces ids by their names.
func (c *conversation) named(text string) string {
	return madeID.ReplaceAllStringFunc(text, func(id string) string {
		for i, known := range c.ids {
			if known == id {
				return fmt.Sprintf("<id%d>", i+1)
			}
		}
		c.ids = append(c.ids, id)
		return fmt.Sprintf("<id%d>", len(c.ids))
	})
}

// real replaces names by their ids.
func (c *conversation) real(text string) string {
	for i, id := range c.ids {
		text = strings.ReplaceAll(text, fmt.Sprintf("<id%d>", i+1), id)
	}
	return text
}
