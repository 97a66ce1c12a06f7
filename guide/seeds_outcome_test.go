package guide

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// Shares are of a topic's tokens without pseudo-counts; seeds are looked for among its 20 most frequent words, which
// pseudo-counts help to get among.
func TestOutcomes(t *testing.T) {
	var b strings.Builder
	for i := range 21 { // w00 occurs 23 times, w20 3 times
		b.WriteString(strings.Repeat(fmt.Sprintf("w%02d ", i), 23-i))
	}
	c := words(b.String(), "rare moon moon moon other other", "other")
	s := seeded(t, c, 3, 2, "long: rare w00 w19 w20", "space: moon none", "empty: w01")
	start := s.Start(c, topoi.Options{Topics: 3})
	for i, w := range c.Tokens() {
		start.Topics[i] = 0
		if word := c.Word(int(w)); word == "moon" || word == "other" {
			start.Topics[i] = 1
		}
	}
	m, err := train.Run(t.Context(), c, topoi.Options{
		Topics: 3, Sampler: "batch", Device: "cpu", Iterations: 1, Tolerance: -1, Start: start, Pseudo: s.Pseudo,
	})
	if err != nil {
		t.Fatal(err)
	}
	all := 0
	for i := range 21 {
		all += 23 - i
	}
	got := s.Outcomes(m)
	want := []SeedOutcome{
		// With twice their tokens added, w19 and w20 come before w18; rare, which has 2 (twice the least of 284/120), does
		// not.
		{Topic: 0, Name: "long", Share: float64(23+4+3+1) / float64(all+1), Seeds: 4, Top: 3},
		{Topic: 1, Name: "space", Share: 0.5, Seeds: 1, Top: 1},
		{Topic: 2, Name: "empty", Share: 0, Seeds: 1, Top: 1},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if names := s.Labels().Names; len(names) != 3 || names[0] != "long" || names[2] != "empty" {
		t.Errorf("labels %v", names)
	}
	a := s.Ancestor()
	if a.Kind != "seeds" || a.Detail != "seeded topics: long (4 words), space (1 word), empty (1 word)" {
		t.Errorf("%+v", a)
	}
}

// Half of the seeds, or of the 20 first words, must be among these.
func TestRanAway(t *testing.T) {
	for o, want := range map[SeedOutcome]bool{
		{Seeds: 4, Top: 2}: false, {Seeds: 4, Top: 1}: true, {Seeds: 5, Top: 2}: true, {Seeds: 5, Top: 3}: false,
		{Seeds: 20, Top: 10}: false, {Seeds: 100, Top: 10}: false, {Seeds: 100, Top: 9}: true, {Seeds: 1, Top: 0}: true,
	} {
		if o.RanAway() != want {
			t.Errorf("%+v: %v", o, !want)
		}
	}
}

// Words are sorted by log(1 + n_lw) · log(L / l_w), then by their ids; those of all labels are left out.
func TestSuggestedWords(t *testing.T) {
	var b corpus.Builder
	for _, d := range [][2]string{
		{"b", "all two two two two two two two two one"},
		{"a", "all two only only first second"},
		{"c", "all third third third"},
		{"", "nobody nobody"},
		{"d", "all"},
	} {
		b.Add(corpus.Document{Label: d[0], Tokens: strings.Fields(d[1])})
	}
	c := b.Corpus()
	// log 2 · log 4 = 0.96 for words of one document and label, log 3 · log 4 = 1.52 for only, log 4 · log 4 = 1.92 for
	// third; two has log 9 · log 2 = 1.52 in b, just more than half as much as a word of that label alone would have, and
	// log 2 · log 2 = 0.48 in a.
	for n, want := range map[int]string{
		0: "",
		1: "a: only; b: two; c: third",
		2: "a: only first; b: two one; c: third",
		9: "a: only first second two; b: two one; c: third",
	} {
		var got []string
		topics, err := SuggestSeeds(t.Context(), c, n)
		if err != nil {
			t.Fatal(err)
		}
		for _, topic := range topics {
			line := topic.Name + ":"
			for _, w := range topic.Words {
				line += " " + w.Pattern
			}
			got = append(got, line)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%d words: %q, want %q", n, got, want)
		}
	}
}

// The nearest word is told of the first missing words alone.
func TestMissing(t *testing.T) {
	c := words("planet moon")
	list := []SeedWord{{"planet", 0}}
	for range mostHints + 1 {
		list = append(list, SeedWord{"planit", 0})
	}
	s, err := FindSeeds(c, []SeedTopic{{Name: "space", Words: list}}, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Missing) != mostHints+1 || s.Missing[mostHints-1].Nearest != "planet" || s.Missing[mostHints].Nearest != "" {
		t.Errorf("%d: %v, %v", len(s.Missing), s.Missing[mostHints-1], s.Missing[mostHints])
	}
	if got := s.Missing[mostHints].String(); got != `"planit" of topic "space"` {
		t.Error(got)
	}
	_, err = FindSeeds(c, []SeedTopic{{Name: "space", Words: []SeedWord{{"xyz", 0}, {"plaxet", 0}}}}, 1, 0)
	const want = `no seed word of topic "space" occurs in the corpus: ` +
		`"plaxet" of topic "space" (did you mean "planet"?)`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
