package demo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

func TestThemes(t *testing.T) {
	themes := Themes()
	if len(themes) != 12 {
		t.Fatalf("%d themes", len(themes))
	}
	homes := map[string]int{}
	for _, theme := range themes {
		if n := len(theme.Words); n < 40 || n > 60 {
			t.Errorf("%s has %d words", theme.Name, n)
		}
		seen := map[string]bool{}
		for _, w := range theme.Words {
			if seen[w] || w != strings.ToLower(w) {
				t.Errorf("%s: %q is listed twice or not in lower case", theme.Name, w)
			}
			seen[w] = true
			homes[w]++
		}
	}
	shared := 0
	for _, n := range homes {
		if n > 1 {
			shared++
		}
	}
	if shared < 20 {
		t.Errorf("only %d words belong to several themes", shared)
	}
	for i, w := range commonWords {
		if homes[w] > 0 || slices.Contains(commonWords[:i], w) {
			t.Errorf("common word %q belongs to a theme or is listed twice", w)
		}
	}
}

func TestCorpus(t *testing.T) {
	docs, _ := Corpus(1)
	if len(docs) != 2000 {
		t.Fatalf("%d documents", len(docs))
	}
	known := map[string]bool{}
	for _, list := range append([][]string{commonWords}, themeWords()...) {
		for _, w := range list {
			known[w] = true
		}
	}
	used := map[string]int{}
	for d, doc := range docs {
		if len(doc) < 60 || len(doc) > 100 {
			t.Errorf("document %d has %d tokens", d, len(doc))
		}
		for _, w := range doc {
			used[w]++
			if !known[w] {
				t.Fatalf("document %d: word %q is in no theme", d, w)
			}
		}
	}
	if len(used) != len(known) {
		t.Errorf("%d of %d words are used", len(used), len(known))
	}
}

func themeWords() (lists [][]string) {
	for _, theme := range Themes() {
		lists = append(lists, theme.Words)
	}
	return lists
}

// The corpus of a seed never changes: people compare what the demonstration
// prints.
func TestCorpusIsFixed(t *testing.T) {
	hash := func(seed uint64) string {
		docs, _ := Corpus(seed)
		h := sha256.New()
		for _, doc := range docs {
			h.Write([]byte(strings.Join(doc, " ") + "\n"))
		}
		return hex.EncodeToString(h.Sum(nil))[:16]
	}
	const want = "c87d32262ebbd23e"
	if got := hash(1); got != want {
		t.Errorf("the corpus of seed 1 has hash %s, want %s", got, want)
	}
	if hash(1) == hash(2) {
		t.Error("two seeds give one corpus")
	}
}

func TestMatch(t *testing.T) {
	themes := []Theme{{"sea", strings.Fields("boat wave sail")}, {"sky", strings.Fields("star wave moon")}, {"law", strings.Fields("court judge")}}
	topics := [][]string{strings.Fields("star moon wave"), strings.Fields("zebra"), strings.Fields("wave boat star"), strings.Fields("moon star")}
	want := []Pair{{1, 3, false}, {-1, 0, false}, {0, 2, false}, {1, 2, true}}
	if got := Match(topics, themes); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Match(nil, themes); len(got) != 0 {
		t.Errorf("no topics: %v", got)
	}
	for k, p := range Match(themeWords(), Themes()) {
		if p.Theme != k || p.Shared != len(Themes()[k].Words) {
			t.Errorf("theme %d is matched with %v", k, p)
		}
	}
}

// A sampler must find every theme again: ten top words of which at least
// eight are the theme's. Random topics would share one or two.
func TestThemesAreRecovered(t *testing.T) {
	docs, themes := Corpus(1)
	problem, words := problemOf(docs, Topics)
	problem.Seed = 1
	top := train(t, problem, words, 40)
	found := 0
	for k, p := range Match(top, themes) {
		if !p.Again && p.Shared >= 8 {
			found++
		} else {
			t.Logf("topic %d: %+v: %s", k, p, top[k])
		}
	}
	if found != len(themes) {
		t.Errorf("%d of %d themes are found", found, len(themes))
	}
}

// problemOf gives words ids in the order of their bytes.
func problemOf(docs [][]string, k int) (*sampler.Problem, []string) {
	words := slices.Concat(docs...)
	slices.Sort(words)
	words = slices.Compact(words)
	p := &sampler.Problem{Offsets: []uint64{0}, V: len(words), K: k, Threads: 1}
	for _, doc := range docs {
		ids := make([]uint32, len(doc))
		for i, w := range doc {
			id, _ := slices.BinarySearch(words, w)
			ids[i] = uint32(id)
		}
		slices.Sort(ids)
		p.Words = append(p.Words, ids...)
		p.Offsets = append(p.Offsets, uint64(len(p.Words)))
	}
	return p, words
}

// train runs Gibbs sampling and returns the ten top words of each topic.
func train(t *testing.T, p *sampler.Problem, words []string, sweeps int) [][]string {
	t.Helper()
	s, err := registry.New("gibbs", p)
	if err != nil {
		t.Fatal(err)
	}
	priors := &sampler.Priors{Alpha: make([]float64, p.K), Beta: 0.01}
	for k := range priors.Alpha {
		priors.Alpha[k] = 0.1
	}
	if err := s.Start(nil, priors); err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= sweeps; i++ {
		if err := s.Sweep(context.Background(), i, priors); err != nil {
			t.Fatal(err)
		}
	}
	z := make([]uint32, p.N())
	s.Topics(z)
	counts := make([][]int, p.K)
	top := make([][]string, p.K)
	for k := range counts {
		counts[k] = make([]int, p.V)
	}
	for i, w := range p.Words {
		counts[z[i]][w]++
	}
	for k, row := range counts {
		byCount := slices.Clone(words)
		sort.SliceStable(byCount, func(i, j int) bool {
			a, _ := slices.BinarySearch(words, byCount[i])
			b, _ := slices.BinarySearch(words, byCount[j])
			return row[a] > row[b]
		})
		top[k] = byCount[:10]
	}
	return top
}

// The main theme of a document has more of its words than any other.
func TestMainThemes(t *testing.T) {
	docs, themes := Corpus(3)
	wrong := 0
	for d, main := range MainThemes(3) {
		most, of := 0, make([]int, len(themes))
		for i, theme := range themes {
			for _, w := range docs[d] {
				if slices.Contains(theme.Words, w) {
					of[i]++
				}
			}
			most = max(most, of[i])
		}
		if of[main] < most {
			wrong++
		}
	}
	// Shares are 1, 3/5 or 1/2 of 60 to 100 tokens and the next one 2/5 or 1/3 of them: chance
	// turns the order of few documents.
	if wrong > len(docs)/5 {
		t.Errorf("%d of %d documents have more words of another theme", wrong, len(docs))
	}
}
