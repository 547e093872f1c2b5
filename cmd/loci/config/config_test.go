package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func env(pairs map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := pairs[name]; return v, ok }
}

func writeFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "loci.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func (e *Effective) value(name string) Value {
	for _, v := range e.Values {
		if v.Name == name {
			return v
		}
	}
	return Value{}
}

// TestPrecedence shows I1 for one setting after the other place is taken away.
func TestPrecedence(t *testing.T) {
	file := writeFile(t, "queue: 3\n")
	for _, c := range []struct {
		name string
		in   Inputs
		want Value
	}{
		{"default", Inputs{}, Value{"queue", "4096", "default"}},
		{"file", Inputs{File: file}, Value{"queue", "3", "file " + file + ":queue"}},
		{"env", Inputs{File: file, Env: env(map[string]string{"LOCI_QUEUE": "2"})}, Value{"queue", "2", "env LOCI_QUEUE"}},
		{"flag", Inputs{File: file, Env: env(map[string]string{"LOCI_QUEUE": "2"}), Flags: map[string]string{"queue": "1"}}, Value{"queue", "1", "flag"}},
		{"empty env counts as none", Inputs{Env: env(map[string]string{"LOCI_QUEUE": ""})}, Value{"queue", "4096", "default"}},
		{"file by env", Inputs{Env: env(map[string]string{"LOCI_CONFIG": file})}, Value{"queue", "3", "file " + file + ":queue"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			e, err := Load(c.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, e.value("queue")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDefaultFileIsReadIfThere(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile(DefaultFile, []byte("read-timeout: 5s\nbody-limit: 2MiB\nlog-level: debug\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := Load(Inputs{})
	if err != nil {
		t.Fatal(err)
	}
	if e.ReadTimeout != 5*time.Second || e.BodyLimit != 2<<20 || e.LogLevel != "debug" || e.File != DefaultFile {
		t.Errorf("got %+v", e.Settings)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name  string
		flags map[string]string
		file  string
		want  []string // every part must be in the message
	}{
		{"above", map[string]string{"body-limit": "65MiB"}, "", []string{"--body-limit", "flag", "1KiB", "64MiB"}},
		{"below", map[string]string{"read-timeout": "1ms"}, "", []string{"--read-timeout", "100ms", "10m"}},
		{"not a number", map[string]string{"queue": "many"}, "", []string{"--queue", `"many"`, "whole number"}},
		{"not a time", map[string]string{"tenant-idle": "5"}, "", []string{"--tenant-idle", "30s"}},
		{"not a size", map[string]string{"cache-size": "-1"}, "", []string{"--cache-size", "64MiB"}},
		{"not a word", map[string]string{"log-format": "xml"}, "", []string{"--log-format", "text, json"}},
		{"no port", map[string]string{"addr": "localhost"}, "", []string{"--addr", "HOST:PORT"}},
		{"port too high", map[string]string{"addr": "localhost:70000"}, "", []string{"--addr", "65535"}},
		{"empty addr", map[string]string{"addr": ""}, "", []string{"--addr"}},
		{"url", map[string]string{"public-url": "ftp://x"}, "", []string{"--public-url", "https"}},
		{"url with slash", map[string]string{"public-url": "https://x.example/"}, "", []string{"--public-url", "trailing slash"}},
		{"tenant name", map[string]string{"first-tenant": "a b"}, "", []string{"--first-tenant", "letters"}},
		{"empty data", map[string]string{"data": " "}, "", []string{"--data"}},
		{"two at once", map[string]string{"queue": "0", "addr": "x"}, "", []string{"--queue", "--addr"}},
		{"unknown keys", nil, "adr: 1\nzoo: 2\n", []string{"unknown key", "adr, zoo"}},
		{"list", nil, "addr: [a]\n", []string{"addr", "plain value"}},
		{"null", nil, "addr:\n", []string{"addr", "no value"}},
		{"twice", nil, "addr: a:1\naddr: b:1\n", []string{"parse", "addr"}},
		{"no yaml", nil, "addr: \"x", []string{"parse"}},
		{"bound in file", nil, "queue: 0\n", []string{"--queue", "file ", ":queue", "at least 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := Inputs{Flags: c.flags}
			if c.file != "" {
				in.File = writeFile(t, c.file)
			}
			_, err := Load(in)
			if !errors.Is(err, ErrInvalid) {
				t.Fatalf("got %v", err)
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not in: %v", part, err)
				}
			}
		})
	}
}

func TestMissingNamedFileIsRefused(t *testing.T) {
	if _, err := Load(Inputs{File: filepath.Join(t.TempDir(), "none.yaml")}); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("got %v", err)
	}
}

// TestSecretsAreMasked shows I4 in every way a value is printed.
func TestSecretsAreMasked(t *testing.T) {
	const secret = "loci_this-must-never-be-seen-anywhere-at-all"
	e, err := Load(Inputs{Env: env(map[string]string{"LOCI_BOOTSTRAP_KEY": secret})})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := errors.Join(e.Table(&out), e.JSON(&out)); err != nil {
		t.Fatal(err)
	}
	whole, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	all := out.String() + string(whole) + fmt.Sprintf("%v %+v %#v", e.Settings, e.Settings, e.Settings)
	if strings.Contains(all, "never") || !strings.Contains(all, mask) {
		t.Error(all)
	}
	if string(e.BootstrapKey) != secret {
		t.Error("the secret itself was lost")
	}
}

func TestTable(t *testing.T) {
	t.Chdir(t.TempDir())
	e, err := Load(Inputs{Flags: map[string]string{"addr": "127.0.0.1:0"}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := e.Table(&out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if diff := cmp.Diff([]string{"addr", "127.0.0.1:0", "flag"}, strings.Fields(lines[1])); diff != "" {
		t.Error(diff)
	}
	if len(lines) != len(fields())+2 {
		t.Errorf("%d lines for %d settings", len(lines), len(fields()))
	}
}

func TestBytes(t *testing.T) {
	for text, want := range map[string]Bytes{
		"0": 0, "1000": 1000, "1000b": 1000, "1k": 1024, "1KB": 1024, "3KiB": 3072, "64MiB": 64 << 20, "2 GB": 2 << 30, "1TiB": 1 << 40,
	} {
		var b Bytes
		if err := b.UnmarshalText([]byte(text)); err != nil || b != want {
			t.Errorf("%q: got %d, %v; want %d", text, b, err, want)
		}
		var again Bytes
		if err := again.UnmarshalText([]byte(b.String())); err != nil || again != b {
			t.Errorf("%q: %q reads as %d, %v", text, b.String(), again, err)
		}
	}
	for _, text := range []string{"", "x", "-1", "1.5MiB", "9999999999TiB", "1PiB"} {
		var b Bytes
		if err := b.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was taken for %d", text, b)
		}
	}
}

func TestURL(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080", "0.0.0.0:80": "http://127.0.0.1:80", "[::]:80": "http://127.0.0.1:80", "[::1]:80": "http://[::1]:80",
	} {
		tcp, err := net.ResolveTCPAddr("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&Settings{}).URL(tcp); got != want {
			t.Errorf("%s: got %s, want %s", addr, got, want)
		}
	}
	if got := (&Settings{PublicURL: "https://loci.example"}).URL(&net.TCPAddr{}); got != "https://loci.example" {
		t.Error(got)
	}
}

// TestTagsAreWhole holds the tags of Settings against what the code reads.
func TestTagsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range fields() {
		if f.name == "" || seen[f.name] {
			t.Errorf("name %q is missing or doubled", f.name)
		}
		seen[f.name] = true
	}
	if _, err := Load(Inputs{File: writeFile(t, "queue: 1\n")}); err != nil {
		t.Errorf("the defaults are refused: %v", err)
	}
	if std, ok := Default("addr"); !ok || std != "127.0.0.1:8080" {
		t.Errorf("got %q, %v", std, ok)
	}
	if _, ok := Default("nothing"); ok {
		t.Error("a default for nothing")
	}
}
