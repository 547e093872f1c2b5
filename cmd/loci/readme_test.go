package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"loci/cmd/loci/config"
)

// The README cannot lie: its curl lines are sent to a server and its answers
// compared, its settings and commands are held against the program.

func readReadme(t *testing.T) string {
	t.Helper()
	body, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestReadmeTour(t *testing.T) {
	h := startHouse(t)
	tour, err := curlsOf(readReadme(t))
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for _, c := range tour {
		c.url = strings.Replace(c.url, "http://127.0.0.1:8080", h.url, 1)
		c.check(t, h.key)
		seen = append(seen, strings.TrimPrefix(c.url, h.url))
	}
	if got, want := fmt.Sprint(seen), "[/api/learn /api/decide /api/entity /api/search]"; got != want {
		t.Errorf("the tour goes through %s, want %s", got, want)
	}
}

// curl is one curl line with the parts of its answer that the README shows.
type curl struct {
	url    string
	header http.Header
	body   string
	want   []string
}

func (c *curl) check(t *testing.T, key string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, c.url, strings.NewReader(c.body))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range c.header {
		request.Header[name] = []string{strings.ReplaceAll(values[0], "$KEY", key)}
	}
	a, err := do(request)
	if err != nil {
		t.Fatal(err)
	}
	if a.status != http.StatusOK || len(c.want) == 0 {
		t.Errorf("%s: %d %s; the README shows %q", c.url, a.status, a.body, c.want)
	}
	rest := a.body
	for _, part := range c.want {
		_, after, ok := strings.Cut(rest, part)
		if !ok {
			t.Errorf("%s answers %s\nwithout %q of the README", c.url, a.body, part)
		}
		rest = after
	}
}

// curlsOf finds the curl lines in the sh blocks of a Markdown text.
func curlsOf(text string) ([]*curl, error) {
	var found []*curl
	for i, block := range strings.Split(text, "```") {
		if i%2 == 0 || !strings.HasPrefix(block, "sh\n") {
			continue
		}
		block = strings.ReplaceAll(block, "\\\n", " ")
		for line := range strings.Lines(block) {
			switch {
			case strings.HasPrefix(line, "curl "):
				c, err := parseCurl(line)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", line, err)
				}
				found = append(found, c)
			case strings.HasPrefix(line, "# ") && len(found) > 0:
				found[len(found)-1].show(line)
			}
		}
	}
	return found, nil
}

// show notes the parts of an answer; … stands for what is left out.
func (c *curl) show(line string) {
	for part := range strings.SplitSeq(strings.TrimPrefix(line, "# "), "…") {
		if part = strings.TrimSpace(part); part != "" {
			c.want = append(c.want, part)
		}
	}
}

func parseCurl(line string) (*curl, error) {
	words, err := shellWords(line)
	if err != nil {
		return nil, err
	}
	c := &curl{header: http.Header{}}
	for i := 1; i < len(words); i++ {
		switch words[i] {
		case "-H":
			i++
			name, value, _ := strings.Cut(words[i], ": ")
			c.header.Set(name, value)
		case "-d":
			i++
			c.body = words[i]
		default:
			c.url = words[i]
		}
	}
	if c.url == "" || c.body == "" {
		return nil, errors.New("not a curl line that this test understands")
	}
	return c, nil
}

// shellWords splits a line as a shell would, as far as a README goes.
func shellWords(line string) (words []string, err error) {
	var word strings.Builder
	quote := rune(0)
	for _, r := range strings.TrimSpace(line) + " " {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		case quote == 0 && r == ' ':
			if word.Len() > 0 {
				words = append(words, word.String())
				word.Reset()
			}
		default:
			word.WriteRune(r)
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	return words, nil
}

func TestReadmeKnowsEverySetting(t *testing.T) {
	text := readReadme(t)
	conf, err := config.Load(config.Inputs{})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range conf.Values {
		std, _ := config.Default(v.Name)
		if std == "" {
			std = "–"
		} else {
			std = "`" + std + "`"
		}
		if want := "`" + config.EnvName(v.Name) + "` | " + std + " |"; !strings.Contains(text, want) {
			t.Errorf("the README has no row with %s", want)
		}
	}
}

func TestReadmeKnowsEveryCommand(t *testing.T) {
	text := readReadme(t)
	parser, err := (&Main{}).parser(&commands{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range parser.Model.Children {
		if !strings.Contains(text, "`loci "+c.Name) {
			t.Errorf("the README does not name loci %s", c.Name)
		}
	}
}
