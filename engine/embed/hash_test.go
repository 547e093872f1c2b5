package embed_test

import (
	"context"
	"errors"
	"hash/fnv"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loci/engine/embed"
	"loci/engine/memory"
)

func vectorOf(t testing.TB, h *embed.Hash, text string) []float32 {
	t.Helper()
	vectors, err := h.Embed(context.Background(), []string{text}, memory.EmbedDocument)
	if err != nil {
		t.Fatal(err)
	}
	return vectors[0]
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestIdentity(t *testing.T) {
	for dim, want := range map[int]string{0: "hash-v1/256", -1: "hash-v1/256", 256: "hash-v1/256", 64: "hash-v1/64"} {
		h := embed.NewHash(dim)
		if h.ID() != want {
			t.Errorf("dimension %d: got id %q, want %q", dim, h.ID(), want)
		}
		if got := len(vectorOf(t, h, "hello")); got != h.Dim() {
			t.Errorf("dimension %d: got %d floats, want %d", dim, got, h.Dim())
		}
	}
}

// TestVectorsNeverChange holds the bits of vectors against recorded sums. If it
// fails, stored vectors no longer fit: the ID has to change too.
func TestVectorsNeverChange(t *testing.T) {
	h := embed.NewHash(256)
	want := map[string]uint64{
		"":                                  18033966260977721880,
		"hello world":                       11810146414966961586,
		"The deployment failed on Tuesday.": 1445770291173765980,
		"Où est l’école? Überall, naïve Straße": 1125322897983643969,
		"東京に行く 서울 👍":                            5233172800780967733,
		strings.Repeat("again ", 9):             11476003036829548142,
	}
	got := map[string]uint64{}
	for text := range want {
		got[text] = fingerprint(vectorOf(t, h, text))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func fingerprint(vector []float32) uint64 {
	sum := fnv.New64a()
	for _, x := range vector {
		bits := math.Float32bits(x)
		sum.Write([]byte{byte(bits), byte(bits >> 8), byte(bits >> 16), byte(bits >> 24)})
	}
	return sum.Sum64()
}

func TestBlankTextPointsAlongTheFirstBucket(t *testing.T) {
	h := embed.NewHash(4)
	for _, text := range []string{"", " \n\t", "...", "\xff\xfe", "\u0301"} {
		if diff := cmp.Diff([]float32{1, 0, 0, 0}, vectorOf(t, h, text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestCaseAccentsAndPunctuationDoNotMatter(t *testing.T) {
	h := embed.NewHash(0)
	for _, pair := range [][2]string{
		{"Hello, World!", "hello world"},
		{"École élémentaire", "ecole elementaire"},
		{"e\u0301cole", "école"},
		{"Straße", "STRASSE"},
		{"  many   blanks ", "many blanks"},
	} {
		if diff := cmp.Diff(vectorOf(t, h, pair[0]), vectorOf(t, h, pair[1])); diff != "" {
			t.Errorf("%q and %q differ: %s", pair[0], pair[1], diff)
		}
	}
}

func TestSimilarTextsAreNearer(t *testing.T) {
	h := embed.NewHash(0)
	for _, test := range []struct{ text, near, far string }{
		{"the deployment of the service failed", "service deployments are failing", "my cat likes fresh fish"},
		{"Alice prefers green tea in the morning", "in the morning alice drinks green tea", "the database runs on port 5432"},
		{"postgres replication lag", "lag of the postgresql replica", "birthday party on saturday"},
		{"東京に行きました", "東京へ行く", "猫が好きです"},
		{"Der Vertrag wurde gekündigt", "Kündigung des Vertrags", "Das Wetter ist schön"},
		{"fast cars", "fast car", "slow boats"},
	} {
		v := vectorOf(t, h, test.text)
		near, far := dot(v, vectorOf(t, h, test.near)), dot(v, vectorOf(t, h, test.far))
		if near < far+0.1 {
			t.Errorf("%q: %q at %.3f, %q at %.3f", test.text, test.near, near, test.far, far)
		}
	}
}

func TestOrderAndRepetitionCountALittle(t *testing.T) {
	h := embed.NewHash(0)
	once := vectorOf(t, h, "dog bites man")
	for text, least := range map[string]float64{"man bites dog": 0.6, "dog dog dog bites man": 0.8} {
		if got := dot(once, vectorOf(t, h, text)); got < least || got > 0.9999 {
			t.Errorf("%q: similarity %.4f, want from %.2f to below 1", text, got, least)
		}
	}
}

// TestScratchIsClean embeds many texts at once: what one text leaves behind in
// the shared scratch must not reach another tenant's vector.
func TestScratchIsClean(t *testing.T) {
	h := embed.NewHash(0)
	texts := []string{"alpha beta", strings.Repeat("gamma delta epsilon zeta ", 300), "", "eta"}
	var want [][]float32
	for _, text := range texts {
		want = append(want, vectorOf(t, embed.NewHash(0), text))
	}
	var tenants sync.WaitGroup
	for range 2 {
		tenants.Go(func() {
			for range 50 {
				got, err := h.Embed(context.Background(), texts, memory.EmbedQuery)
				if diff := cmp.Diff(want, got); diff != "" || err != nil {
					t.Error(diff, err)
					return
				}
			}
		})
	}
	tenants.Wait()
}

func TestEmbedStopsWhenTheContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := embed.NewHash(0).Embed(ctx, []string{"a", "b"}, memory.EmbedDocument)
	if !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "embed text 1 of 2: ") {
		t.Errorf("got %v", err)
	}
}

func FuzzEmbed(f *testing.F) {
	for _, text := range []string{"", "hello world", "Ünïcode 東京 👍", "\xff", strings.Repeat("x", 5000)} {
		f.Add(text, 256)
	}
	f.Fuzz(func(t *testing.T, text string, dim int) {
		dim = 1 + (dim&0x7fffffff)%1024
		h := embed.NewHash(dim)
		v := vectorOf(t, h, text)
		if length := math.Sqrt(dot(v, v)); math.Abs(length-1) > 1e-5 {
			t.Errorf("length %v", length)
		}
		if diff := cmp.Diff(v, vectorOf(t, h, text)); diff != "" {
			t.Errorf("the second time it differs: %s", diff)
		}
	})
}

func BenchmarkEmbed(b *testing.B) {
	for name, text := range map[string]string{
		"short": "Alice prefers green tea in the morning",
		"long":  strings.Repeat("The deployment to the staging cluster failed on Tuesday because of a migration. ", 25),
	} {
		b.Run(name, func(b *testing.B) {
			h, texts := embed.NewHash(0), []string{text}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := h.Embed(context.Background(), texts, memory.EmbedDocument); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
