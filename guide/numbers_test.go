package guide

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

// told returns a model whose tokens have the topics z: nothing is sampled.
func told(t *testing.T, c *corpus.Corpus, alpha []float64, z []uint32, pseudo *topic.PseudoCounts) *topoi.Model {
	t.Helper()
	m, err := train.Run(t.Context(), c, topoi.Options{
		Topics: len(alpha), Sampler: "batch", Iterations: 1, Tolerance: -1, Pseudo: pseudo, Threads: 1,
		Start: &topoi.Start{Topics: z, Alpha: alpha, Beta: 0.5, Iteration: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// topicsOf returns z of a model.
func topicsOf(t *testing.T, m *topoi.Model) []uint32 {
	t.Helper()
	_, z, err := m.Trained()
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// small has three documents of the words a, b, c, and topics for their tokens.
func small() (c *corpus.Corpus, z []uint32) {
	c = corpus.FromIDs([]string{"a", "b", "c"}, [][]uint32{{0, 0, 1}, {0, 1, 2, 2}, {1, 2}})
	return c, []uint32{0, 1, 1, 2, 2, 3, 0, 3, 1}
}

// row returns a row of pseudo-counts in which topic 2i has the i-th number and topic 2i+1 the next.
func row(pairs ...uint32) (list []topic.Count) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, topic.Count{Topic: pairs[i], Count: pairs[i+1]})
	}
	return list
}

func nearly(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(x, y float64) bool { return math.Abs(x-y) <= 1e-12 }) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// A merge adds up α, tokens and pseudo-counts, and takes α of an empty topic for those that are gone: Σα stays.
func TestMergedNumbers(t *testing.T) {
	c, z := small()
	pseudo := topic.NewPseudoCounts(3, 4, func(w int) []topic.Count { return row(0, 5, 1, 7, 3, uint32(w)) })
	m := told(t, c, []float64{0.1, 0.2, 0.4, 0.8}, z, pseudo)
	got := edited(t, m, Edits{Merge: [][]int{{2, 0, 3}}})
	nearly(t, "α", got.Alpha(), []float64{empty, 0.2, 0.4 + 0.1 + 0.8 - 2*empty, empty})
	if z := topicsOf(t, got); !slices.Equal(z, []uint32{2, 1, 1, 2, 2, 2, 2, 2, 1}) {
		t.Errorf("topics %v", z)
	}
	for w := range 3 {
		if r := got.PseudoCounts().Row(w); !slices.Equal(r, row(1, 7, 2, 5+uint32(w))) {
			t.Errorf("pseudo-counts of word %d are %v", w, r)
		}
	}
}

// Closing the gaps keeps α, names and counts of the topics that stay, in their order.
func TestRenumberedNumbers(t *testing.T) {
	c, z := small()
	m := told(t, c, []float64{0.1, 0.2, 0.4, 0.8}, z, nil)
	if err := m.SetLabels(topic.Labels{Names: map[int]string{0: "zero", 1: "one", 3: "three"}}); err != nil {
		t.Fatal(err)
	}
	got := edited(t, m, Edits{Merge: [][]int{{2, 0}}, Renumber: true})
	nearly(t, "α", got.Alpha(), []float64{0.2, 0.5 - empty, 0.8})
	if z := topicsOf(t, got); !slices.Equal(z, []uint32{1, 0, 0, 1, 1, 2, 1, 2, 0}) {
		t.Errorf("topics %v", z)
	}
	if got.Label(0) != "one" || got.Label(1) != "" || got.Label(2) != "three" {
		t.Errorf("labels %q, %q, %q", got.Label(0), got.Label(1), got.Label(2))
	}
}

// A word's tokens and pseudo-counts move from one topic to another, and no others.
func TestMovedNumbers(t *testing.T) {
	c, z := small()
	pseudo := topic.NewPseudoCounts(3, 4, func(w int) []topic.Count { return row(0, 5, 1, 7, 3, 1+uint32(w)) })
	m := told(t, c, []float64{0.1, 0.2, 0.4, 0.8}, z, pseudo)
	got := edited(t, m, Edits{Move: []Move{{"c", 3, 1}}})
	if z := topicsOf(t, got); !slices.Equal(z, []uint32{0, 1, 1, 2, 2, 1, 0, 3, 1}) {
		t.Errorf("topics %v", z)
	}
	for w, want := range [][]topic.Count{row(0, 5, 1, 7, 3, 1), row(0, 5, 1, 7, 3, 2), row(0, 5, 1, 10)} {
		if r := got.PseudoCounts().Row(w); !slices.Equal(r, want) {
			t.Errorf("pseudo-counts of word %d are %v, want %v", w, r, want)
		}
	}
	nearly(t, "α", got.Alpha(), m.Alpha())
}

// All moves of an edit are done, in their order.
func TestMovesInARow(t *testing.T) {
	c, z := small()
	m := told(t, c, []float64{0.1, 0.2, 0.4, 0.8}, z, nil)
	first, second := Move{"c", 3, 1}, Move{"c", 1, 0}
	want := topicsOf(t, edited(t, edited(t, m, Edits{Move: []Move{first}}), Edits{Move: []Move{second}}))
	got := topicsOf(t, edited(t, m, Edits{Move: []Move{first, second}}))
	if !slices.Equal(got, want) || slices.Equal(got, topicsOf(t, edited(t, m, Edits{Move: []Move{first}}))) {
		t.Errorf("topics %v, want %v", got, want)
	}
}

// Tokens of dropped topics draw from (n_dk + α_k) (n_wk + β) / (n_k + Vβ) over the topics that stay, by the random
// number of their place, where n_wk has pseudo-counts; all other tokens keep their topics, and pseudo-counts of dropped
// topics go.
func TestDroppedNumbers(t *testing.T) {
	c := generated(t, 60, 8)
	pseudo := topic.NewPseudoCounts(c.NumWords(), 4, func(w int) []topic.Count { return row(0, 1, 2, 2) })
	z, alpha := make([]uint32, c.NumTokens()), []float64{0.3, 0.7, 0.2, 1.1}
	for i, w := range c.Tokens() {
		z[i] = (w + uint32(i)/3) % 4
	}
	m := told(t, c, alpha, z, pseudo)
	after := topicsOf(t, edited(t, m, Edits{Drop: []int{2}, Seed: 11}))
	v := float64(c.NumWords())
	nwk, nk, vbeta := make([][4]float64, c.NumWords()), [4]float64{v, 0, 2 * v, 0}, 0.5*v
	for w := range nwk {
		nwk[w] = [4]float64{1, 0, 2, 0}
	}
	for i, w := range c.Tokens() {
		nwk[w][z[i]]++
		nk[z[i]]++
	}
	random, at, drawn := draws(11), 0, [4]int{}
	for d := range c.NumDocs() {
		ndk := slices.Clone(alpha)
		for _, k := range z[at : at+len(c.Doc(d))] {
			ndk[k]++
		}
		for _, w := range c.Doc(d) {
			want := z[at]
			if want == 2 {
				var p [4]float64
				for _, k := range []int{0, 1, 3} {
					p[k] = ndk[k] * (nwk[w][k] + 0.5) / (nk[k] + vbeta)
				}
				u := rng.Float64(random.Pair(uint64(at))) * (p[0] + p[1] + p[3])
				switch {
				case u < p[0]:
					want = 0
				case u < p[0]+p[1]:
					want = 1
				default:
					want = 3
				}
				drawn[want]++
			}
			if after[at] != want {
				t.Fatalf("token %d of document %d has topic %d, had %d, want %d", at, d, after[at], z[at], want)
			}
			at++
		}
	}
	if min(drawn[0], drawn[1], drawn[3]) == 0 {
		t.Errorf("topics drawn: %v", drawn)
	}
	if r := edited(t, m, Edits{Drop: []int{2}}).PseudoCounts().Row(1); !slices.Equal(r, row(0, 1)) {
		t.Errorf("pseudo-counts %v", r)
	}
}

// Each part of a topic has its share of α by its tokens, and of each word's pseudo-counts by the word's tokens, rounded
// down; what rounding leaves goes to the part with most.
func TestSplitNumbers(t *testing.T) {
	c := generated(t, 80, 9)
	parts := trained(t, c, topoi.Options{Topics: 3})
	s := &state{pseudo: make([][]topic.Count, c.NumWords())}
	for w := range s.pseudo {
		s.pseudo[w] = row(0, 2, 1, 100+uint32(w), 4, 9)
	}
	s.pseudo[3] = row(0, 7)
	s.splitPseudo(1, parts, []uint32{5, 1, 6})
	shared := 0
	for w, got := range s.pseudo {
		n := [3]uint32{}
		for _, e := range parts.Row(w) {
			n[e.Topic] = e.Count
		}
		sum, all := n[0]+n[1]+n[2], 100+uint32(w)
		if w == 3 || sum == 0 {
			continue
		}
		most := slices.Index(n[:], max(n[0], n[1], n[2]))
		share, left := [3]uint32{}, all
		for part := range n {
			if part != most {
				share[part] = all * n[part] / sum
				left -= share[part]
			}
		}
		share[most] = left
		slices.Sort(n[:])
		if n[1] == n[2] {
			continue // which of two equal parts is the largest does not matter
		}
		if n[1] > 0 {
			shared++
		}
		for part, id := range []uint32{5, 1, 6} {
			if countOf(got, id) != share[part] {
				t.Fatalf("word %d: topic %d has %d of %d pseudo-counts, want %d: %v", w, id, countOf(got, id), all, share[part], parts.Row(w))
			}
		}
		if countOf(got, 0) != 2 || countOf(got, 4) != 9 {
			t.Fatalf("word %d: other topics have %v", w, got)
		}
	}
	if !slices.Equal(s.pseudo[3], row(0, 7)) || shared == 0 {
		t.Errorf("a word without pseudo-counts of the topic has %v; %d words were shared", s.pseudo[3], shared)
	}

	m := trained(t, c, topoi.Options{Topics: 4}).LastDraw()
	got := edited(t, m, Edits{Split: []Split{{2, 3}}, Seed: 3})
	n, whole := got.TopicTokens(), float64(m.TopicTokens()[2])
	for i, k := range []int{2, 4, 5} {
		if want := m.Alpha()[2] * float64(n[k]) / whole; math.Abs(got.Alpha()[k]-want) > 1e-12 {
			t.Errorf("α of part %d is %v, want %v", i, got.Alpha()[k], want)
		}
	}
	if got.NumTopics() != 6 || n[2] < n[4] || n[4] < n[5] || n[2]+n[4]+n[5] != m.TopicTokens()[2] {
		t.Errorf("topics have %v tokens, had %v", n, m.TopicTokens())
	}
}

// An edit goes on from the old model: its iterations and options, and the sweeps that were asked for.
func TestEditedOptions(t *testing.T) {
	c, z := small()
	m := told(t, c, []float64{0.1, 0.2, 0.4, 0.8}, z, nil)
	got := edited(t, m, Edits{Merge: [][]int{{1, 2}}, Sweeps: 3, Seed: 5})
	after := got.Manifest()
	if after.Iterations != 4 || after.Beta != 0.5 || len(after.Lineage) != 1 || after.Lineage[0].Docs != 3 {
		t.Errorf("%+v", after)
	}
	if got := drawing(300) + drawing(301); got != "batchwarp" {
		t.Errorf("samplers are %s", got)
	}
}

// All kinds of edits can be asked for together. The lineage has them in the order in which they were made, and a split uses
// the ids of empty topics first, each once.
func TestLineageOfEdits(t *testing.T) {
	c := generated(t, 80, 9)
	m := trained(t, c, topoi.Options{}).LastDraw()
	word := 0
	for countOf(m.Row(word), 0) == 0 {
		word++
	}
	name := m.Words().At(word)
	got := edited(t, m, Edits{
		Merge: [][]int{{2, 5, 6}}, Drop: []int{1}, Split: []Split{{2, 3}}, Move: []Move{{name, 0, 7}}, Renumber: true, Sweeps: 1,
	})
	detail := got.Manifest().Lineage[0].Detail
	var part [3]int
	format := `merged 5, 6 into 2; dropped 1; split 2 into [%d %d %d]; moved "` + name + `" from 0 to 7; renumbered; 1 sweep after it`
	if _, err := fmt.Sscanf(detail, format, &part[0], &part[1], &part[2]); err != nil {
		t.Fatalf("%s: %v", detail, err)
	}
	slices.Sort(part[:])
	if part != [3]int{1, 2, 5} || got.NumTopics() != 7 || got.Manifest().Iterations != m.Manifest().Iterations+1 {
		t.Errorf("%s: %d topics", detail, got.NumTopics())
	}
	for _, e := range []Edits{
		{Merge: [][]int{{2, 5}}, Move: []Move{{name, 0, 7}}},
		{Drop: []int{2}, Move: []Move{{name, 0, 7}}},
		{Split: []Split{{2, 2}}, Move: []Move{{name, 0, 7}}},
		{Merge: [][]int{{2, 5}}, Drop: []int{1}},
		{Merge: [][]int{{2, 5}}, Split: []Split{{1, 2}}},
		{Sweeps: 1},
		{Renumber: true},
	} {
		edited(t, m, e)
	}
}

// A topic can be split into as many parts as it has tokens, and no more; a word that the topic lacks cannot be moved.
func TestEditsAtTheirBounds(t *testing.T) {
	c, z := small() // topic 0 has 2 tokens
	m := told(t, c, []float64{1, 1, 1, 1}, z, nil)
	edited(t, m, Edits{Split: []Split{{0, 2}}})
	for want, e := range map[string]Edits{
		"topic 0 has only 2 tokens: it cannot be split into 3": {Split: []Split{{0, 3}}},
		"topic 0 cannot be split into 1":                       {Split: []Split{{0, 1}}},
		`topic 0 has no token of "b" to move`:                  {Move: []Move{{"b", 0, 1}}},
		"there is no topic -1":                                 {Drop: []int{-1}},
		"there is no topic 4":                                  {Split: []Split{{4, 2}}},
		"topic 2 is named twice":                               {Move: []Move{{"b", 2, 2}}},
	} {
		if _, err := Edit(t.Context(), m, e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Where rounding leaves a place undecided, it is the last.
func TestDrawnFromNothing(t *testing.T) {
	if got := drawn([]float64{0, 0, 0}, 0.5); got != 2 {
		t.Errorf("place %d", got)
	}
}
