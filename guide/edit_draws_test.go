package guide

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi"
	columns "github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/topic"
)

// averaged returns a model that adds up eight draws.
func averaged(t *testing.T) *topoi.Model {
	t.Helper()
	m := trained(t, generated(t, 300, 5), topoi.Options{Topics: 8, Sampler: "batch", Draws: 8})
	if m.Manifest().Draws != 8 {
		t.Fatalf("%d draws", m.Manifest().Draws)
	}
	return m
}

// likeliest returns the most frequent word of a topic.
func likeliest(m *topoi.Model, k int) string { return m.TopWords(k, 1)[0].Term }

// An edit without sweeps keeps the average over draws. Topics that it does not name have the same φ and θ, bit by bit; a
// merged topic has the counts of both in all draws.
func TestEditsLeaveOtherTopicsAlone(t *testing.T) {
	m := averaged(t)
	for name, c := range map[string]struct {
		edits   Edits
		touched []int
	}{
		"move":  {Edits{Move: []Move{{likeliest(m, 3), 3, 5}}}, []int{3, 5}},
		"merge": {Edits{Merge: [][]int{{2, 6, 7}}}, []int{2, 6, 7}},
		"split": {Edits{Merge: [][]int{{2, 6}}, Split: []Split{{4, 2}}}, []int{2, 4, 6}},
	} {
		got := edited(t, m, c.edits)
		if got.Manifest().Draws != 8 || got.Beta() != m.Beta() || sum(got.TopicTotals()) != sum(m.TopicTotals()) {
			t.Errorf("%s: %d draws, β %v, was %v", name, got.Manifest().Draws, got.Beta(), m.Beta())
		}
		before, after := phi(m), phi(got)
		for k := range 8 {
			if same := slices.Equal(before[k], after[k]); same == slices.Contains(c.touched, k) {
				t.Errorf("%s: φ of topic %d is the same: %v", name, k, same)
			}
		}
		for d := range m.Manifest().Docs {
			was, _ := m.Theta(nil, d)
			is, _ := got.Theta(nil, d)
			for k := range 8 {
				if !slices.Contains(c.touched, k) && was[k] != is[k] {
					t.Fatalf("%s: θ of document %d and topic %d is %v, was %v", name, d, k, is[k], was[k])
				}
			}
		}
		dir := filepath.Join(t.TempDir(), name)
		if err := got.Save(dir, topoi.SaveOptions{}); err != nil {
			t.Fatal(err)
		}
		opened, err := topoi.Open(dir)
		if err != nil || opened.Fingerprint() != got.Fingerprint() || opened.Manifest().Draws != 8 {
			t.Errorf("%s: the saved model is another one: %v", name, err)
		}
		opened.Close()
	}
	one := edited(t, m, Edits{Merge: [][]int{{2, 6}}})
	for w := range m.NumWords() {
		if got, want := at(one.Row(w), 2), at(m.Row(w), 2)+at(m.Row(w), 6); got != want {
			t.Fatalf("word %d has %d tokens in the merged topic, want %d", w, got, want)
		}
	}
}

// A dropped topic's counts go to the others in every draw, and none is lost.
func TestDroppedInAllDraws(t *testing.T) {
	m := averaged(t)
	got := edited(t, m, Edits{Drop: []int{1, 4}})
	if n := got.TopicTotals(); n[1] != 0 || n[4] != 0 || sum(n) != sum(m.TopicTotals()) || got.Manifest().Draws != 8 {
		t.Errorf("totals %v of %d draws, were %v", n, got.Manifest().Draws, m.TopicTotals())
	}
	for w := range m.NumWords() {
		for _, e := range m.Row(w) {
			if k := int(e.Topic); k != 1 && k != 4 && at(got.Row(w), k) < e.Count {
				t.Fatalf("word %d has lost tokens in topic %d", w, k)
			}
		}
	}
	if got := edited(t, m, Edits{Drop: []int{1, 4}, Renumber: true}); got.NumTopics() != 6 || got.Manifest().Draws != 8 {
		t.Errorf("%d topics of %d draws", got.NumTopics(), got.Manifest().Draws)
	}
}

// With sweeps the average is made anew.
func TestSweepsRenewTheAverage(t *testing.T) {
	m := averaged(t)
	got := edited(t, m, Edits{Merge: [][]int{{2, 6}}, Sweeps: 3})
	if got.Manifest().Draws != 8 || sum(got.TopicTotals()) != sum(m.TopicTotals()) {
		t.Errorf("%d draws with %d tokens, want 8 with %d", got.Manifest().Draws, sum(got.TopicTotals()), sum(m.TopicTotals()))
	}
}

// An edited model knows that columns had a say in its topics, so that nobody tests effects of these columns on them.
func TestEditsRememberColumns(t *testing.T) {
	c := generated(t, 100, 6)
	values := make(list, c.NumDocs())
	for d := range values {
		values[d] = string("ab"[d%2])
	}
	c, err := c.WithColumns([]columns.Column{{Name: "group", Kind: columns.Category, Values: values}})
	if err != nil {
		t.Fatal(err)
	}
	m := trained(t, c, topoi.Options{Prior: "covariates", Formula: "~ group"})
	for sweeps := range 2 {
		once := edited(t, m, Edits{Merge: [][]int{{1, 2}}, Sweeps: sweeps})
		twice := edited(t, once, Edits{Merge: [][]int{{3, 4}}})
		for _, m := range []*topoi.Model{once, twice} {
			if name, formula := m.Prior(); name != "covariates" || formula != "~ group" {
				t.Errorf("prior %q of %q", name, formula)
			}
			if without, sweeps, err := m.WithoutColumns(t.Context(), 0); err != nil || sweeps == 0 || without.NumTopics() != 8 {
				t.Error(sweeps, err)
			}
		}
	}
	if name, formula := averaged(t).Prior(); name != "" || formula != "" {
		t.Errorf("a plain model has prior %q of %q", name, formula)
	}
}

// list is a column in memory.
type list []string

func (l list) Len() int        { return len(l) }
func (l list) At(d int) string { return l[d] }

func sum(list []uint64) (s uint64) {
	for _, n := range list {
		s += n
	}
	return s
}

// at returns the count of a topic in a row.
func at(row []topic.Count, k int) uint32 {
	for _, e := range row {
		if int(e.Topic) == k {
			return e.Count
		}
	}
	return 0
}

// phi returns φ of all topics.
func phi(m *topoi.Model) (all [][]float64) {
	for _, row := range m.Phi(nil) {
		all = append(all, slices.Clone(row))
	}
	return all
}
