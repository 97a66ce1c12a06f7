package guide

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// All forms of a file mean the same.
func TestForms(t *testing.T) {
	for name, text := range map[string]string{
		"a.yaml": "# topics\nspace:\n  - orbit\n  - {word: moon*, weight: 2}\n  - space shuttle\ncars: [engine]\n",
		"b.yml":  "topics:\n- name: space\n  words: [orbit, {word: 'moon*', weight: 2}, space shuttle]\n- {name: cars, words: engine}\n",
		"c.csv":  "topic,word,weight\nspace,orbit,\nspace,moon*,2\nspace,space shuttle\ncars,engine,\n",
		"d.tsv":  "word\ttopic\tweight\norbit\tspace\t\nmoon*\tspace\t2\nspace shuttle\tspace\nengine\tcars\n",
		"e.txt":  "\ufeff# topics\n\nspace: orbit, moon*^2, space shuttle\ncars: engine\n",
	} {
		got, err := ReadSeeds(write(t, name, text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(got) != 2 || got[0].Name != "space" || got[1].Name != "cars" ||
			!slices.Equal(got[0].Words, []SeedWord{{"orbit", 0}, {"moon*", 2}, {"space shuttle", 0}}) || !slices.Equal(got[1].Words, []SeedWord{{"engine", 0}}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Pseudo-counts follow how often a word occurs, but a rare word counts as a fortieth of an average topic.
func TestRareSeeds(t *testing.T) {
	docs := make([][]string, 100)
	for d := range docs {
		docs[d] = strings.Fields(strings.Repeat("often ", 8) + strings.Repeat("filler ", 4))
	}
	docs[0] = append(docs[0], "rare")
	c := corpus.FromTokens(docs) // 1,201 tokens
	s, err := FindSeeds(c, []SeedTopic{{Name: "a", Words: []SeedWord{{"rare", 0}, {"often", 0}}}}, 2, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]uint64{"rare": 8, "often": 400} { // 0.5 · 1201/(40 · 2), 0.5 · 800
		if got := s.Pseudo.WordTokens(slices.Index(c.Words().List(), word)); got != want {
			t.Errorf("%s has %d pseudo-counts, want %d", word, got, want)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, c := range [][3]string{
		{"a.txt", "space orbit\n", `line 1: expected "name: word, word, …", and there is no colon`},
		{"a.txt", "space: a\n\nspace: b\n", `line 3: there are two topics "space": join their words or rename one`},
		{"a.txt", "space: a^-1\n", `line 1: the weight "-1" must be a number above 0, such as 0.5 or 2`},
		{"a.txt", "space:\n", `line 1: topic "space" has no words`},
		{"a.txt", ": a\n", `line 1: a topic needs a name`},
		{"a.txt", "# nothing\n", `there is no topic in it: write lines such as "space: orbit, nasa, moon"`},
		{"a.yaml", "- name: space\n  wrods: [a]\n", `line 2: unknown key "wrods": did you mean "words"?`},
		{"a.yaml", "- name: space\n  words: [a]\n  weight: 0\n", `line 3: the weight "0" must be a number above 0, such as 0.5 or 2`},
		{"a.yaml", "space: [a\n", "did not find expected ',' or ']'"},
		{"a.yaml", "space\n", "line 1: expected a list of topics, or names with lists of words"},
		{"a.csv", "topic,term\n", `line 1: unknown column "term": the columns are topic, word and weight`},
		{"a.csv", "topic,word\nspace\n", "line 2: the word is missing"},
		{"a.csv", "", "line 1: expected a header with the columns topic and word, and optionally weight"},
	} {
		path := write(t, c[0], c[1])
		_, err := ReadSeeds(path)
		if err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%q: %v, want %s", c[1], err, c[2])
		}
	}
}

// Time is linear in the number of topics, of words that do not occur, and of patterns.
func TestManySeeds(t *testing.T) {
	var lines, table, words, patterns strings.Builder
	table.WriteString("topic,word\n")
	words.WriteString("space: planet")
	patterns.WriteString("space: planet")
	for i := range 80_000 {
		fmt.Fprintf(&lines, "t%d: a\n", i)
		fmt.Fprintf(&table, "t%d,a\n", i)
		fmt.Fprintf(&words, ", w%d", i)
		fmt.Fprintf(&patterns, ", w%d*", i)
	}
	c := themes()
	for name, text := range map[string]string{
		"lines.txt": lines.String(), "table.csv": table.String(), "words.txt": words.String(), "patterns.txt": patterns.String(),
	} {
		begun := time.Now()
		topics, err := ReadSeeds(write(t, name, text))
		if err != nil {
			t.Fatal(name, err)
		}
		_, _ = FindSeeds(c, topics, 10, 1)
		if took := time.Since(begun); took > 5*time.Second { // a quadratic one takes some 20
			t.Errorf("%s took %v", name, took)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"a: b", "- name: a\n  words: [b]", "topic,word\na,b"} {
		for form := range 4 {
			f.Add(text, form)
		}
	}
	f.Fuzz(func(t *testing.T, text string, form int) {
		name := []string{"a.txt", "a.yaml", "a.csv", "a.tsv"}[uint(form)%4]
		topics, err := ReadSeeds(write(t, name, text))
		if err != nil {
			return
		}
		for _, topic := range topics {
			if topic.Name == "" || len(topic.Words) == 0 {
				t.Errorf("%q gives %+v", text, topics)
			}
		}
	})
}

// themes has two themes with words of their own, and words that both have.
func themes() *corpus.Corpus {
	var docs [][]string
	for i := range 60 {
		doc := []string{"the", "and"}
		for j := range 12 {
			if i%2 == 0 {
				doc = append(doc, []string{"orbit", "moon", "moons", "rocket"}[(i+j)%4])
			} else {
				doc = append(doc, []string{"engine", "tyre", "road", "space_shuttle"}[(i+j)%4])
			}
		}
		docs = append(docs, doc)
	}
	return corpus.FromTokens(docs)
}

func TestIn(t *testing.T) {
	c := themes()
	topics := []SeedTopic{
		{Name: "cars", Words: []SeedWord{{"engine", 0}, {"Tyre", 3}, {"space shuttle", 0}, {"rod", 0}}},
		{Name: "space", Words: []SeedWord{{"moon*", 0}, {"orbit", 0}}, Weight: 0.5},
	}
	s, err := FindSeeds(c, topics, 4, 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Missing) != 1 || s.Missing[0].String() != `"rod" of topic "cars" (did you mean "road"?)` {
		t.Errorf("missing: %v", s.Missing)
	}
	got := map[string]uint32{}
	for w := range c.NumWords() {
		for _, e := range s.Pseudo.Row(w) {
			got[c.Words().At(w)+string('0'+rune(e.Topic))] = e.Count
		}
	}
	const each = 90 // tokens of every word of a theme
	for word, n := range map[string]uint32{"engine0": 2 * each, "tyre0": 3 * each, "space_shuttle0": 2 * each, "moon1": each / 2, "moons1": each / 2, "orbit1": each / 2} {
		if got[word] != n {
			t.Errorf("%s has %d pseudo-counts, want %d", word, got[word], n)
		}
	}
	if len(got) != 6 {
		t.Errorf("pseudo-counts %v", got)
	}
	for want, bad := range map[string][]SeedTopic{
		"there are 2 seeded topics and only 1 topic": topics,
		`no seed word of topic "x" occurs`:           {{Name: "x", Words: []SeedWord{{"nosuch", 0}}}},
	} {
		if _, err := FindSeeds(c, bad, 1, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Seeds decide which topic is which, with any seed and sampler.
func TestSeedsHold(t *testing.T) {
	c := themes()
	topics := []SeedTopic{{Name: "cars", Words: []SeedWord{{"engine", 0}}}, {Name: "space", Words: []SeedWord{{"moon", 0}}}}
	s, err := FindSeeds(c, topics, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, sampler := range []string{"auto", "batch", "warp", "sparse"} {
		for seed := range uint64(4) {
			m, err := train.Run(context.Background(), c, topoi.Options{Topics: 2, Sampler: sampler, Seed: seed, Iterations: 60, Pseudo: s.Pseudo})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range s.Outcomes(m) {
				// The seed has a quarter of the theme's tokens, and the themes 12 of 14 tokens of a document.
				if o.RanAway() || o.Share < 0.15 || o.Share > 0.35 {
					t.Errorf("%s, seed %d: %+v", sampler, seed, o)
				}
			}
		}
	}
	if _, err := train.Run(context.Background(), c, topoi.Options{Topics: 2, Sampler: "light", Pseudo: s.Pseudo}); err == nil {
		t.Error("light does not know pseudo-counts and must say so")
	}
}

func TestSuggest(t *testing.T) {
	var b corpus.Builder
	for i := range 20 {
		label, word := "b", "beta"
		if i%2 == 0 {
			label, word = "a", "alpha"
		}
		b.Add(corpus.Document{Label: label, Tokens: []string{word, "common"}})
	}
	got, err := SuggestSeeds(t.Context(), b.Corpus(), 3)
	if err != nil || len(got) != 2 || got[0].Name != "a" || !slices.Equal(got[0].Words, []SeedWord{{"alpha", 0}}) || !slices.Equal(got[1].Words, []SeedWord{{"beta", 0}}) {
		t.Errorf("%+v, %v", got, err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := SuggestSeeds(over, b.Corpus(), 3); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context has ended: %v", err)
	}
}
