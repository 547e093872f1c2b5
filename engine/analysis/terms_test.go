package analysis_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"loci/engine/analysis"
)

func TestTerms(t *testing.T) {
	a := analysis.New()
	for _, test := range []struct {
		name, text, want string
	}{
		{"nothing", " \t\n...!?", ""},
		{"stems and stop words", "The quick foxes were running", "quick fox run"},
		{"repetitions stay, in order", "fish, red fish", "fish red fish"},
		{"only stop words", "To be, or not to be?", "to be or not to be"},
		{"stop words in capitals are names", "IT is for the US", "it us"},
		{"accents", "Résumés naïve Ångström Straße", "resum naiv angstrom strass"},
		{"decomposed accents", "re\u0301sume\u0301s", "resum"},
		{"Cyrillic and Greek", "Ёлка Άλφας", "елка αλφασ"},
		{"full width and ligatures", "ＡＢＣ ﬁne", "abc fine"},
		{"Han and Kana", "東京に行く", "東京 京に に行 行く"},
		{"a lone one", "猫 と cat", "猫 と cat"},
		{"Hangul", "서울에서", "서울 울에 에서"},
		{"Han beside Latin", "GoでAPIを", "go で api を"},
		{"marks of India stay", "हिन्दी", "हिन्दी"},
		{"numbers", "3.5 1,000 1,234,567.89 1,2", "3.5 1000 1234567.89 1 2"},
		{"dates and times", "2024-05-17 10:30", "2024-05-17 2024 05 17 10:30 10 30"},
		{"snake", "user_id", "user_id user id"},
		{"camel", "getUserName", "getusername getusernam get user name"},
		{"camel with capitals", "HTTPServer", "httpserver http server"},
		{"plurals of capitals", "IDs PDFs", "id pdfs"},
		{"version", "v2.1.7", "v2.1.7 v2 1 7"},
		{"mail", "Foo@Bar.com,", "foo@bar.com foo bar com"},
		{"path", "(src/main.go)", "src/main.go src main go"},
		{"address", "https://x.org/p?q=1", "https x.org/p x org p q 1"},
		{"hyphen", "well-known", "well-known well known"},
		{"mixed", "x86_64 utf-8 5kg", "x86_64 x86 64 utf-8 utf 8 5kg"},
		{"outer connectors", "__init__ .git -flag", "init git flag"},
		{"signs of languages", "C++, C# and c", "c++ c c# c c"},
		{"signs between words", "a+b c#d", "b c d"},
		{"possessive and contraction", "Alice's dog don't O’Neill's", "alic dog dont oneil"},
		{"feet are no apostrophe", "5'10", "5 10"},
		{"invalid bytes", "go\xffod \xfe", "go od"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(strings.Fields(test.want), a.Terms(test.text, nil), cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTermsAppend(t *testing.T) {
	got := analysis.New().Terms("the the", []string{"before"})
	if diff := cmp.Diff([]string{"before", "the", "the"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestIdentifiersAreFound asks for each identifier as it is written, and in
// small letters, among other words.
func TestIdentifiersAreFound(t *testing.T) {
	a := analysis.New()
	for _, id := range []string{
		"user_id", "getUserName", "v2.1.7", "foo@bar.com", "src/main.go", "C++", "ISO-8859-1", "userNames",
		"10.0.0.1:8080", "LOCI_BOOTSTRAP_KEY", "a/b-c_d.e", "GitHub", "naïve_Größe", strings.Repeat("long_id.", 20) + "x",
	} {
		stored := a.Terms("We keep "+id+" in the settings.", nil)
		for _, query := range []string{id, strings.ToLower(id)} {
			if first := a.Terms(query, nil)[0]; !slices.Contains(stored, first) {
				t.Errorf("%q asks for %q, which is not among %q", query, first, stored)
			}
		}
	}
}

func TestLongTermsAreBounded(t *testing.T) {
	a := analysis.New()
	long := strings.Repeat("ж", 500)
	first, second := a.Terms(long+"a", nil), a.Terms(long+"b", nil)
	if len(first) != 1 || len(first[0]) > analysis.MaxTerm || !utf8.ValidString(first[0]) {
		t.Errorf("got %q", first)
	}
	if slices.Equal(first, second) {
		t.Error("two long words with one head have one term")
	}
	if diff := cmp.Diff(first, analysis.New().Terms(long+"a", nil)); diff != "" {
		t.Errorf("another analyzer makes another term: %s", diff)
	}
}

func TestGist(t *testing.T) {
	a := analysis.New()
	for _, test := range []struct{ text, want string }{
		{"The dog does not like a cat", "dog doe not like cat"},
		{"It moved from Paris to the Rome office", "it move from pari to rome offic"},
		{"well-known GitHub user_id", "well known github user id"},
		{"-5 degrees, 3.5% of $1,000", "-5 degre 3.5 % of $ 1000"},
		{"2024-05-17", "2024 05 17"},
		{"C++ or C#", "c++ or c#"},
		{"Plan A works. A plan works.", "plan a work plan work"},
		{"The The", "the the"},
		{"東京", "東京"},
		{"", ""},
	} {
		if diff := cmp.Diff(strings.Fields(test.want), a.Gist(test.text, nil), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q: %s", test.text, diff)
		}
	}
}

// TestSmallLettersFindCapitals is I5 for words that are not stop words.
func TestSmallLettersFindCapitals(t *testing.T) {
	a := analysis.New()
	word := rapid.StringMatching(`[A-Za-z]{1,9}([0-9]{0,2}|[_./:@-][A-Za-z0-9]{1,5})`)
	rapid.Check(t, func(t *rapid.T) {
		text := "anchor " + strings.Join(rapid.SliceOfN(word, 1, 6).Draw(t, "words"), " ")
		stored := a.Terms(text, nil)
		for _, term := range a.Terms(strings.ToLower(text), nil) {
			if !slices.Contains(stored, term) {
				t.Fatalf("%q is found by %q in small letters only; it has %q", text, term, stored)
			}
		}
	})
}

// TestAnalyzerIsShared uses one analyzer for two tenants at once, with more words
// than its cache holds: each gets what an analyzer of its own gives (I1).
func TestAnalyzerIsShared(t *testing.T) {
	shared := analysis.New()
	var tenants sync.WaitGroup
	for tenant := range 2 {
		tenants.Go(func() {
			own := analysis.New()
			for i := range 12_000 {
				text := fmt.Sprintf("running tenant%d word%c%c%cing flies", tenant, 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26)
				if diff := cmp.Diff(own.Terms(text, nil), shared.Terms(text, nil)); diff != "" {
					t.Errorf("%q: %s", text, diff)
					return
				}
			}
		})
	}
	tenants.Wait()
}

func TestWarmTermsDoNotAllocate(t *testing.T) {
	a := analysis.New()
	text := "The deployment of user_id failed in getUserName on 2024-05-17 at 東京"
	dst := a.Terms(text, nil)
	if n := testing.AllocsPerRun(100, func() { dst = a.Terms(text, dst[:0]) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzAnalyzer(f *testing.F) {
	for _, text := range []string{"", "The quick fox", "user_id v2.1.7 C++ 東京 don't", "a\u0301\u0301 \xff'", "1,000,00 '’' -", strings.Repeat("aB", 90)} {
		f.Add(text)
	}
	warm := analysis.New()
	f.Fuzz(func(t *testing.T, text string) {
		fresh := analysis.New()
		for name, read := range map[string]func(*analysis.Analyzer) []string{
			"terms": func(a *analysis.Analyzer) []string { return a.Terms(text, nil) },
			"gist":  func(a *analysis.Analyzer) []string { return a.Gist(text, nil) },
		} {
			got := read(warm)
			if diff := cmp.Diff(read(fresh), got); diff != "" {
				t.Errorf("%s: a fresh analyzer differs: %s", name, diff)
			}
			if len(got) == 0 && len(analysis.Words(text, nil)) > 0 {
				t.Errorf("%s: words, but no term", name)
			}
			for _, term := range got {
				if term == "" || len(term) > analysis.MaxTerm || !utf8.ValidString(term) {
					t.Errorf("%s: term %q", name, term)
				}
			}
		}
	})
}
