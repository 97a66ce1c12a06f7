package guide

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// words makes documents of words with blanks between them.
func words(docs ...string) *corpus.Corpus {
	var list [][]string
	for _, d := range docs {
		list = append(list, strings.Fields(d))
	}
	return corpus.FromTokens(list)
}

// seeded finds topics "name: word word" in a corpus.
func seeded(t *testing.T, c *corpus.Corpus, k int, weight float64, topics ...string) *Seeded {
	t.Helper()
	list, err := ReadSeeds(write(t, "seeds.txt", strings.Join(topics, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	s, err := FindSeeds(c, list, k, weight)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The weights of a document's topics are s_dk + S_d/K; with no seed words they are equal.
func TestWeigh(t *testing.T) {
	c := words("a x", "a a b x", "x", "a b both", "both")
	s := seeded(t, c, 4, 1, "one: a both", "two: b both")
	for d, want := range [][]float64{
		{1.25, 0.25, 0.25, 0.25},
		{2.75, 1.75, 0.75, 0.75},
		{0.25, 0.25, 0.25, 0.25},
		{3, 3, 1, 1}, // both counts for each of its topics
		{1.5, 1.5, 0.5, 0.5},
	} {
		got := []float64{9, 9, 9, 9}
		sum := s.weigh(got, c.Doc(d))
		all := 0.0
		for _, x := range want {
			all += x
		}
		if !slices.Equal(got, want) || sum != all {
			t.Errorf("document %d: weights %v, sum %v; want %v", d, got, sum, want)
		}
	}
}

// Seed words get their topics. Each other token gets the topic at which the sum of weights passes its random number.
func TestStart(t *testing.T) {
	var docs []string
	for i := range 300 {
		docs = append(docs, strings.Repeat("x ", 5)+[]string{"", "a", "a a b", "b both"}[i%4])
	}
	c := words(docs...)
	s := seeded(t, c, 4, 1, "one: a both", "two: b both")
	o := topoi.Options{Topics: 4, Seed: 6, AlphaSum: 2, Beta: 0.5}
	start := s.Start(c, o)
	if !slices.Equal(start.Alpha, []float64{0.5, 0.5, 0.5, 0.5}) || start.Beta != 0.5 || start.Iteration != 1 {
		t.Errorf("α %v, β %v after %d sweeps", start.Alpha, start.Beta, start.Iteration)
	}
	random := sampler.Draws{Key: rng.NewKey(6), Purpose: sampler.ForStart}
	at := 0
	counts := map[string]int{}
	for d := range c.NumDocs() {
		weights := [][]float64{{1, 1, 1, 1}, {5, 1, 1, 1}, {11, 7, 3, 3}, {7, 11, 3, 3}}[d%4] // 4 s_dk + S_d, or equal
		for _, w := range c.Doc(d) {
			word, got := c.Word(int(w)), start.Topics[at]
			u := float64(random.Word(uint64(at))) / (1 << 32)
			want := uint32(0)
			switch word {
			case "a":
			case "b":
				want = 1
			case "both":
				want = uint32(2 * u)
			default:
				sum := 0.0
				for _, x := range weights {
					sum += x
				}
				for part := weights[0]; part <= u*sum && want < 3; part += weights[want] {
					want++
				}
			}
			if got != want {
				t.Fatalf("document %d: %s has topic %d, want %d", d, word, got, want)
			}
			counts[fmt.Sprint(word, d%4, " ", got)]++
			at++
		}
	}
	if at != len(start.Topics) {
		t.Errorf("%d topics of %d tokens", len(start.Topics), at)
	}
	// Of 375 tokens with weights 5, 1, 1, 1 and with 11, 7, 3, 3; four standard deviations are at most 39.
	for key, want := range map[string]float64{
		"x1 0": 234, "x1 3": 47, "x2 0": 172, "x2 1": 109, "x2 3": 47, "x0 0": 94,
		"x0 3": 94,
	} {
		if math.Abs(float64(counts[key])-want) > 39 {
			t.Errorf("%s: %d tokens, want some %v", key, counts[key], want)
		}
	}
	if one, two := counts["both3 0"], counts["both3 1"]; one+two != 75 || min(one, two) < 20 {
		t.Errorf("a word of two topics is %d and %d times in each", one, two)
	}
	defaults := topoi.Options{Topics: 5}.WithDefaults()
	bare := s.Start(c, topoi.Options{Topics: 5})
	if bare.Beta != defaults.Beta || len(bare.Alpha) != 5 || bare.Alpha[4] != defaults.AlphaSum/5 {
		t.Errorf("without options: α %v, β %v", bare.Alpha, bare.Beta)
	}
}

// The pseudo-counts of a word are bounded, so that sums of them are.
func TestHeavySeeds(t *testing.T) {
	c := words("a x", "x")
	const most = math.MaxInt32 / 4
	for weight, ok := range map[float64]bool{most: true, most + 1: false, 1e300: false, math.NaN(): false} {
		s, err := FindSeeds(c, []SeedTopic{{Name: "one", Words: []SeedWord{{"a", weight}}}}, 2, 0)
		if ok && (err != nil || s.Pseudo.WordTokens(int(s.Found[0][0])) != most) {
			t.Errorf("%v: %v", weight, err)
		}
		if !ok && (err == nil || !strings.Contains(err.Error(), `of "a" in topic "one" is too large`)) {
			t.Errorf("%v: %v", weight, err)
		}
	}
}

// The weight is that of the word, else of its topic, else of the run, else the default; of several for a word the
// largest. Every seed has a pseudo-count.
func TestWeights(t *testing.T) {
	c := words(strings.Repeat("a ", 40)+"x ab", strings.Repeat("x ", 38)) // 80 tokens
	for _, w := range []struct {
		topic SeedTopic
		run   float64
		want  uint64
	}{
		{SeedTopic{Words: []SeedWord{{"a", 3}}, Weight: 2}, 1, 120},
		{SeedTopic{Words: []SeedWord{{"a", 0}}, Weight: 2}, 1, 80},
		{SeedTopic{Words: []SeedWord{{"a", 0}}}, 1, 40},
		{SeedTopic{Words: []SeedWord{{"a", 0}}}, 0, 12},
		{SeedTopic{Words: []SeedWord{{"a", 0}}}, -1, 12},
		{SeedTopic{Words: []SeedWord{{"a", 0.5}, {"a*", 2}, {"A", 1}}}, 1, 80},
		{SeedTopic{Words: []SeedWord{{"a", 0.0375}}}, 1, 2}, // 1.5, rounded
		{SeedTopic{Words: []SeedWord{{"a", 0.001}}}, 1, 1},
	} {
		w.topic.Name = "one"
		s, err := FindSeeds(c, []SeedTopic{w.topic}, 1, w.run)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Pseudo.WordTokens(int(s.Found[0][0])); got != w.want {
			t.Errorf("%+v, %v: %d pseudo-counts, want %d", w.topic, w.run, got, w.want)
		}
	}
}

// A word is found as it stands, in small letters, with its parts joined, and as the corpus writes it.
func TestMatch(t *testing.T) {
	stemmed, err := corpus.FromTexts([]string{"Running runners climb; other climbing"}, corpus.ImportOptions{
		Text: text.Options{Languages: []string{"en"}, Stem: true}, MinDF: 1, MaxDF: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	plain := words("Go go US space_shuttle Space moon moons moo [x] zebra")
	for _, c := range []struct {
		docs          *corpus.Corpus
		pattern, want string
	}{
		{plain, "Go", "Go"},
		{plain, "GO", "go"},
		{plain, "US", "US"},
		{plain, "us", ""},
		{plain, "Space  Shuttle", "space_shuttle"},
		{plain, "space", ""},
		{plain, "moons", "moons"},
		{plain, "running", ""},
		{plain, "go*", "Go go"},
		{plain, "MOO*", "moo moon moons"},
		{plain, "moo?", "moon"},
		{plain, "moo[nx]*", "moon moons"},
		{plain, "*s", "US moons"},
		{plain, "moo\\n*", "moon moons"},
		{plain, "z*", "zebra"},
		{plain, "zz*", ""},
		{plain, "a*", ""},
		{plain, "moo[", ""},
		{stemmed, "climbs", "climb"},
		{stemmed, "CLIMBED", "climb"},
		{stemmed, "climbs running", ""}, // two words
		{stemmed, "walking", ""},
		{stemmed, "climbs unheard", ""},
	} {
		f, err := newFinder(c.docs)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range f.match(c.pattern) {
			got = append(got, c.docs.Word(int(w)))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.pattern, got, c.want)
		}
	}
}
