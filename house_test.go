// Package house holds the whole house against its own rules: which room may
// import which, how long a file may grow, and that every package says what it
// is. The rules are data at the top; the walk below them knows none.
package house

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// room is one line of the table of allowed imports. The standard library is
// always allowed. A name that ends in /... means the folder and all below it.
type room struct {
	at     string
	ours   []string // rooms of this module
	theirs []string // modules of others, by path prefix
}

// all marks a room that may import every room.
var all = []string{"..."}

const (
	pebble   = "github.com/cockroachdb/pebble/v2"
	compress = "github.com/klauspost/compress"
	fasthttp = "github.com/valyala/fasthttp"
	holly    = "github.com/anthdm/hollywood"
)

// rooms is the table. No arrow runs back up: a room stands below everything
// that may import it.
var rooms = []room{
	{at: "engine/memory"},
	{at: "storage", ours: []string{"engine/memory"}, theirs: []string{pebble, compress}},
	{at: "engine/grow"},
	{at: "engine/topk"},
	{at: "engine/hnsw", ours: []string{"engine/grow", "engine/topk"}},
	{at: "engine/inverted", ours: []string{"engine/grow", "engine/topk"}},
	{at: "engine/graph", ours: []string{"engine/grow", "engine/topk"}},
	{at: "engine/analysis", theirs: []string{"github.com/blevesearch/snowballstem"}},
	{at: "engine/embed/kernel", theirs: []string{"golang.org/x/sys"}},
	{at: "engine/embed/wordpiece", theirs: []string{"golang.org/x/text"}},
	{at: "engine/embed/minilm/...", ours: []string{"engine/embed/kernel", "engine/embed/wordpiece", "engine/embed/minilm"}},
	{at: "engine/embed/remote", ours: []string{"engine/memory"}},
	{at: "engine/embed", ours: []string{"engine/memory", "engine/embed/minilm", "engine/embed/wordpiece"}},
	{at: "engine/importer", ours: []string{"engine/memory"}},
	{at: "engine", ours: []string{"engine/memory", "storage", "engine/analysis", "engine/inverted", "engine/hnsw", "engine/graph", "engine/embed", "engine/importer"}},
	{at: "actors/cluster", ours: []string{"engine/memory", "storage"}, theirs: []string{"github.com/hashicorp/raft", "github.com/hashicorp/raft-wal"}},
	{at: "actors", ours: []string{"engine/memory", "engine", "storage", "actors/cluster"}, theirs: []string{holly}},
	{at: "httpedge/wire", ours: []string{"engine/memory"}, theirs: []string{fasthttp}},
	{at: "httpedge", ours: []string{"engine/memory", "httpedge/wire"}, theirs: []string{fasthttp, "github.com/fasthttp/router", compress, "github.com/prometheus/client_golang", "github.com/prometheus/common"}},
	{at: "httpedge/rest", ours: []string{"engine/memory", "httpedge", "httpedge/wire"}},
	{at: "bench/...", ours: all, theirs: []string{fasthttp, "github.com/HdrHistogram/hdrhistogram-go"}},
	{at: "cmd/loci/...", ours: all, theirs: []string{"github.com/alecthomas/kong", "github.com/goccy/go-yaml"}},
}

const (
	module   = "loci"
	maxLines = 600 // where the models of the house style split a file
)

// reserved are imports that only one file may have ("" means none may).
var reserved = map[string]string{
	holly:                         "actors/runtime.go",
	holly + "/remote":             "",
	holly + "/cluster":            "",
	fasthttp + "/fasthttpadaptor": "",
}

func TestTheHouseKeepsItsRules(t *testing.T) {
	for _, p := range problems(os.DirFS(".")) {
		t.Error(p)
	}
}

// TestTheRulesBite shows each rule broken in a made-up house, so that a green
// test above means something.
func TestTheRulesBite(t *testing.T) {
	doc := func(name string) *fstest.MapFile { return &fstest.MapFile{Data: []byte("package " + name + "\n")} }
	file := func(name string, imports ...string) *fstest.MapFile {
		text := "package " + name + "\n"
		for _, i := range imports {
			text += "import _ " + strconv.Quote(i) + "\n"
		}
		return &fstest.MapFile{Data: []byte(text)}
	}
	got := problems(fstest.MapFS{
		"engine/memory/doc.go":         doc("memory"),
		"engine/memory/up.go":          file("memory", "fmt", "loci/storage"),
		"engine/memory/up_test.go":     file("memory", "loci/storage"),
		"storage/doc.go":               doc("storage"),
		"storage/db.go":                file("storage", pebble, pebble+"/vfs", "loci/engine/memory"),
		"storage/odd.go":               file("storage", "github.com/cockroachdb/pebble/v20"),
		"actors/doc.go":                doc("actors"),
		"actors/runtime.go":            file("actors", holly+"/actor", holly+"/remote", "loci/engine"),
		"actors/tenant.go":             file("actors", holly+"/actor"),
		"httpedge/doc.go":              doc("httpedge"),
		"httpedge/adapt.go":            file("httpedge", fasthttp+"/fasthttpadaptor", "loci/actors"),
		"attic/attic.go":               file("attic"),
		"cmd/loci/main.go":             file("main", "loci/actors", "loci/httpedge/rest"),
		"bench/load/doc.go":            doc("load"),
		"bench/load/long.go":           {Data: []byte("package load\n" + strings.Repeat("\n", maxLines))},
		"bench/load/testdata/bad.go":   file("bad", "loci/everything"),
		"tools/x/x.go":                 file("x", "loci/everything"),
		".hidden/x.go":                 file("x", "loci/everything"),
		"engine/memory/not_go_at_all":  {Data: []byte("text")},
		"engine/memory/testdata/x.txt": {Data: []byte("text")},
	})
	want := []string{
		"actors/runtime.go: github.com/anthdm/hollywood/remote may be imported by nobody",
		"actors/tenant.go: github.com/anthdm/hollywood/actor may be imported by actors/runtime.go only",
		"attic: this package is not in the table of rooms",
		"attic: there is no doc.go that says what the package is",
		"bench/load/long.go: 601 lines; a file splits at 600",
		"engine/memory/up.go: engine/memory must not import storage",
		"httpedge/adapt.go: github.com/valyala/fasthttp/fasthttpadaptor may be imported by nobody",
		"httpedge/adapt.go: httpedge must not import actors",
		"storage/odd.go: storage must not import github.com/cockroachdb/pebble/v20",
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// problems walks a module and says everything that breaks a rule.
func problems(root fs.FS) []string {
	files, err := goFiles(root)
	if err != nil {
		return []string{err.Error()}
	}
	var found []string
	for _, folder := range folders(files) {
		found = append(found, folderProblems(root, folder, files)...)
	}
	for _, name := range files {
		found = append(found, fileProblems(root, name)...)
	}
	return found
}

func goFiles(root fs.FS) (files []string, err error) {
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && skipped(name):
			return fs.SkipDir
		case strings.HasSuffix(name, ".go") && path.Dir(name) != ".":
			files = append(files, name)
		}
		return nil
	})
	return files, err
}

// skipped are the folders that are not part of the module, as the go command
// sees it, and what the server and make leave behind.
func skipped(name string) bool {
	base := path.Base(name)
	return name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") ||
		base == "testdata" || name == "bin" || name == "data" || name == "tools")
}

func folders(files []string) []string {
	var list []string
	for _, name := range files {
		if !isTest(name) {
			list = append(list, path.Dir(name))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

func folderProblems(root fs.FS, folder string, files []string) []string {
	var found []string
	if roomOf(folder) == nil {
		found = append(found, folder+": this package is not in the table of rooms")
	}
	if !slices.Contains(files, folder+"/doc.go") && !isMain(root, folder) {
		found = append(found, folder+": there is no doc.go that says what the package is")
	}
	return found
}

func isMain(root fs.FS, folder string) bool {
	body, err := fs.ReadFile(root, folder+"/main.go")
	return err == nil && strings.Contains("\n"+string(body), "\npackage main\n")
}

func fileProblems(root fs.FS, name string) []string {
	body, err := fs.ReadFile(root, name)
	if err != nil {
		return []string{err.Error()}
	}
	var found []string
	if lines := strings.Count(string(body), "\n"); lines > maxLines {
		found = append(found, fmt.Sprintf("%s: %d lines; a file splits at %d", name, lines, maxLines))
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), name, body, parser.ImportsOnly)
	if err != nil {
		return append(found, err.Error())
	}
	for _, i := range parsed.Imports {
		to, _ := strconv.Unquote(i.Path.Value)
		found = append(found, importProblems(name, to)...)
	}
	return found
}

// importProblems leaves tests free: a test of a room may use what it needs to
// attack it.
func importProblems(name, to string) []string {
	if isTest(name) {
		return nil
	}
	if by, is := reservedFor(to); is {
		if by == "" {
			return []string{name + ": " + to + " may be imported by nobody"}
		}
		if by != name {
			return []string{name + ": " + to + " may be imported by " + by + " only"}
		}
	}
	from := roomOf(path.Dir(name))
	if from == nil || from.allows(to) {
		return nil
	}
	return []string{fmt.Sprintf("%s: %s must not import %s", name, strings.TrimSuffix(from.at, "/..."), strings.TrimPrefix(to, module+"/"))}
}

// reservedFor finds the most exact reservation of an import.
func reservedFor(to string) (by string, is bool) {
	longest := 0
	for prefix, file := range reserved {
		if under(to, prefix) && len(prefix) > longest {
			longest, by, is = len(prefix), file, true
		}
	}
	return by, is
}

func roomOf(folder string) *room {
	for i := range rooms {
		if matches(rooms[i].at, folder) {
			return &rooms[i]
		}
	}
	return nil
}

func matches(pattern, name string) bool {
	if folder, ok := strings.CutSuffix(pattern, "..."); ok {
		return folder == "" || under(name, strings.TrimSuffix(folder, "/"))
	}
	return pattern == name
}

func under(name, prefix string) bool {
	return name == prefix || strings.HasPrefix(name, prefix+"/")
}

func (r *room) allows(to string) bool {
	if own, ok := strings.CutPrefix(to, module+"/"); ok {
		self := strings.HasSuffix(r.at, "/...") && matches(r.at, own)
		return self || slices.ContainsFunc(r.ours, func(p string) bool { return matches(p, own) })
	}
	if first, _, _ := strings.Cut(to, "/"); !strings.Contains(first, ".") {
		return true // the standard library
	}
	return slices.ContainsFunc(r.theirs, func(prefix string) bool { return under(to, prefix) })
}
