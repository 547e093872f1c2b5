package analysis_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"loci/engine/analysis"
)

func TestNormalJoinsWhatIsTheSame(t *testing.T) {
	for _, group := range [][]string{
		{"Hello, World!", "hello world", "  HELLO -- world...", "«Hello» (world)", "`hello` | world"},
		{"It’s done", "it's done."},
		{"a well-known fact", "A well known fact"},
		{"from −5 to 10–20", "from -5 to 10-20"},
		{"soft\u00adhyphen", "softhyphen"},
		{"Is it?", "is it"},
	} {
		want := analysis.Normal(group[0])
		for _, text := range group[1:] {
			if got := analysis.Normal(text); got != want {
				t.Errorf("%q gives %q, %q gives %q", group[0], want, text, got)
			}
		}
	}
}

func TestNormalPartsWhatDiffers(t *testing.T) {
	for _, pair := range [][2]string{
		{"3.5", "35"}, {"3.5", "3 5"}, {"-5", "5"}, {"C++", "C"}, {"C#", "C"}, {"C#", "C++"}, {"5%", "5"}, {"$5", "5"}, {"$5", "€5"},
		{"-$5", "$5"}, {".5", "5"}, {"3,5", "35"}, {"10:30", "10 30"}, {"1/2", "1 2"}, {"he's", "hes"}, {"résumé", "resume"},
		{"👍", "👎"}, {"a < b", "a > b"}, {"a_b", "a b"}, {"foo@bar", "foo bar"}, {"!!!", "???"}, {"R&D", "R D"}, {"x=1", "x 1"},
		{"no, it works", "now it works"},
	} {
		if one, two := analysis.Normal(pair[0]), analysis.Normal(pair[1]); one == two {
			t.Errorf("%q and %q are both %q", pair[0], pair[1], one)
		}
	}
}

func TestWords(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"Alice's friend, O’Neill", "Alice=alice friend=friend O’Neill=oneill"},
		{"Node.js & user_id", "Node=node js=js user=user id=id"},
		{"C++ or (C#)", "C++=c++ or=or C#=c#"},
		{"Émile e\u0301", "Émile=emile e\u0301=e"},
		{"東京に", "東=東 京=京 に=に"},
		{"1,000 GPT-4", "1,000=1000 GPT=gpt 4=4"},
		{"...", ""},
	} {
		var got []string
		for _, w := range analysis.Words(test.text, nil) {
			got = append(got, test.text[w.Start:w.End]+"="+w.Folded)
		}
		if diff := cmp.Diff(strings.Fields(test.want), got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q: %s", test.text, diff)
		}
	}
}

func TestNameKey(t *testing.T) {
	for name, want := range map[string]string{
		"Alice":          "alice",
		"  José  María ": "jose maria",
		"Node.js":        "node js",
		"node-JS":        "node js",
		"O'Neill":        "oneill",
		"C++":            "c++",
		"C#":             "c#",
		"C":              "c",
		"!!":             "!!",
		"++  --":         "++ --",
		"東京":             "東 京",
		"🎉":              "🎉",
		" ":              "",
	} {
		if got := analysis.NameKey(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func FuzzForms(f *testing.F) {
	for _, text := range []string{"", "Hello, World! -5 3.5% C++", "'’'a'", "東京 e\u0301 \xff", "ǅ İ ﬃ ß ẞ"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, w := range analysis.Words(text, nil) {
			if w.Start < at || w.End <= w.Start || w.End > len(text) || w.Folded == "" || strings.Contains(w.Folded, " ") {
				t.Errorf("word %+v of %q", w, text)
			}
			at = w.End
		}
		for name, got := range map[string]string{"normal": analysis.Normal(text), "key": analysis.NameKey(text)} {
			if problem := badForm(text, got); problem != "" {
				t.Errorf("%s of %q is %q: %s", name, text, got, problem)
			}
		}
		if once := analysis.Normal(text); analysis.Normal(text) != once {
			t.Errorf("normal of %q differs the second time", text)
		}
	})
}

func badForm(text, form string) string {
	switch {
	case form == "" && strings.TrimSpace(text) != "":
		return "empty"
	case form != strings.TrimSpace(form):
		return "blanks around it"
	case utf8.ValidString(text) && !utf8.ValidString(form):
		return fmt.Sprintf("invalid UTF-8 in % x", form)
	}
	return ""
}
