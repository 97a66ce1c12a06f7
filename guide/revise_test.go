package guide

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

// generated returns documents with known topics.
func generated(t *testing.T, docs int, seed uint64) *corpus.Corpus {
	t.Helper()
	path := filepath.Join(t.TempDir(), "generated.topoi")
	_, err := corpus.Generate(context.Background(), path, corpus.GenerateOptions{Docs: docs, Words: 300, Topics: 6, MeanLength: 40, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func trained(t *testing.T, c *corpus.Corpus, o topoi.Options) *topoi.Model {
	t.Helper()
	if o.Topics == 0 {
		o.Topics = 8
	}
	o.Iterations = 60
	m, err := train.Run(context.Background(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func edited(t *testing.T, m *topoi.Model, e Edits) *topoi.Model {
	t.Helper()
	got, err := Edit(context.Background(), m, e)
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Verify(); err != nil {
		t.Fatal(err)
	}
	return got
}

// column returns n_wk of a topic by word, that of the last draw.
func column(m *topoi.Model, k int) []uint64 {
	m = m.LastDraw()
	list := make([]uint64, m.NumWords())
	for w := range list {
		for _, e := range m.Row(w) {
			if int(e.Topic) == k {
				list[w] = uint64(e.Count)
			}
		}
	}
	return list
}

func sumOf(a, b []uint64) []uint64 {
	list := slices.Clone(a)
	for i, n := range b {
		list[i] += n
	}
	return list
}

// Merging adds up counts and shares and moves nothing else; splitting gives them back.
func TestMergeAndSplit(t *testing.T) {
	c := generated(t, 300, 1)
	pseudo := topic.NewPseudoCounts(c.NumWords(), 8, func(w int) []topic.Count {
		return []topic.Count{{Topic: 2, Count: uint32(w % 5)}, {Topic: 5, Count: uint32(w % 3)}}
	})
	for _, o := range []topoi.Options{{}, {Pseudo: pseudo, Sampler: "warp"}} {
		m := trained(t, c, o)
		if err := m.SetLabels(topic.Labels{Names: map[int]string{2: "two", 5: "five", 7: "seven"}}); err != nil {
			t.Fatal(err)
		}
		one := edited(t, m, Edits{Merge: [][]int{{2, 5}}})
		if !slices.Equal(column(one, 2), sumOf(column(m, 2), column(m, 5))) {
			t.Error("the merged topic is not the sum of the two")
		}
		for k := range 8 {
			if k != 2 && k != 5 && !slices.Equal(column(one, k), column(m, k)) {
				t.Errorf("topic %d changed", k)
			}
		}
		if one.TopicTotals()[5] != 0 || one.Label(2) != "two" || one.Label(5) != "" || one.Label(7) != "seven" {
			t.Errorf("totals %v, labels %q %q %q", one.TopicTotals(), one.Label(2), one.Label(5), one.Label(7))
		}
		for d := range c.NumDocs() {
			before, _ := m.Theta(nil, d)
			after, _ := one.Theta(nil, d)
			if math.Abs(after[2]-before[2]-before[5]) > 1e-9 || math.Abs(after[7]-before[7]) > 1e-9 {
				t.Fatalf("θ of document %d is %v, was %v", d, after, before)
			}
		}
		two := edited(t, one, Edits{Split: []Split{{2, 2}}})
		if two.NumTopics() != 8 || !slices.Equal(sumOf(column(two, 2), column(two, 5)), column(one, 2)) {
			t.Error("the parts do not add up to the topic that was split")
		}
		if n := two.TopicTokens(); n[2] < n[5] || n[5] == 0 {
			t.Errorf("the parts have %d and %d tokens", n[2], n[5])
		}
		lineage := two.Manifest().Lineage
		if len(lineage) != 2 || lineage[1].From != one.Fingerprint() || !strings.Contains(lineage[1].Detail, "split 2") {
			t.Errorf("lineage %+v", lineage)
		}
		if again := edited(t, one, Edits{Split: []Split{{2, 2}}, Threads: 1}); again.Fingerprint() != two.Fingerprint() {
			t.Error("one thread gives another model")
		}
	}
}

func TestDropMoveRenumberSweeps(t *testing.T) {
	m := trained(t, generated(t, 200, 2), topoi.Options{})
	got := edited(t, m, Edits{Drop: []int{1, 3}})
	if n := got.TopicTokens(); n[1] != 0 || n[3] != 0 || got.NumTopics() != 8 {
		t.Errorf("dropped topics have %v tokens", n)
	}
	closed := edited(t, m, Edits{Drop: []int{1, 3}, Renumber: true})
	if closed.NumTopics() != 6 || !slices.Equal(column(closed, 1), column(got, 2)) {
		t.Errorf("%d topics, and topic 1 is not what topic 2 was", closed.NumTopics())
	}
	word, most := 0, uint64(0)
	for w, n := range column(m, 4) {
		if n > most {
			word, most = w, n
		}
	}
	moved := edited(t, m, Edits{Move: []Move{{m.Words().At(word), 4, 6}}})
	if column(moved, 4)[word] != 0 || column(moved, 6)[word] != most+column(m, 6)[word] {
		t.Error("the word was not moved")
	}
	if swept := edited(t, m, Edits{Merge: [][]int{{0, 1}}, Sweeps: 5}); swept.Manifest().Iterations != m.Manifest().Iterations+5 {
		t.Errorf("%d iterations", swept.Manifest().Iterations)
	}
}

func TestEditFaults(t *testing.T) {
	m := trained(t, generated(t, 50, 3), topoi.Options{})
	for want, e := range map[string]Edits{
		"there is no topic 8: the model has the topics 0 to 7": {Merge: [][]int{{1, 8}}},
		"topic 2 is named twice":                               {Merge: [][]int{{2, 2}}},
		"a merge needs two topics or more":                     {Merge: [][]int{{2}}},
		"topic 3 is empty":                                     {Merge: [][]int{{2, 3}}, Drop: []int{3}},
		"all topics would be dropped":                          {Drop: []int{0, 1, 2, 3, 4, 5, 6, 7}},
		"topic 1 cannot be split into 1":                       {Split: []Split{{1, 1}}},
		`the model does not know the word "nosuch"`:            {Move: []Move{{"nosuch", 1, 2}}},
		"there is nothing to change":                           {},
	} {
		if _, err := Edit(context.Background(), m, e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A model that takes its documents bit by bit knows as much as one that has all of them, and its topics stay.
func TestUpdate(t *testing.T) {
	all := generated(t, 1200, 4)
	m := trained(t, all.Docs(0, 300), topoi.Options{})
	first := m
	for i := 3; i < 10; i++ {
		u, err := Update(context.Background(), m, all.Docs(100*i, 100*(i+1)), UpdateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		m = u.Model
		if err := m.Verify(); err != nil {
			t.Fatal(err)
		}
	}
	if got := m.Manifest(); len(got.Lineage) != 7 || got.Docs != 100 || int(got.PseudoTokens) != all.Docs(0, 900).NumTokens() {
		t.Errorf("%d steps, %d documents, %d pseudo-counts", len(got.Lineage), got.Docs, got.PseudoTokens)
	}
	for k := range 8 { // topics of a generated corpus are far apart: the nearest is the topic itself
		best, at := -1.0, 0
		for j := range 8 {
			if x := cosine(column(first, k), column(m, j)); x > best {
				best, at = x, j
			}
		}
		if at != k {
			t.Errorf("topic %d is nearest to topic %d", k, at)
		}
	}
}

func cosine(a, b []uint64) float64 {
	ab, aa, bb := 0.0, 0.0, 0.0
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb+1e-9)
}

// Old documents that are kept count once, as documents; new words and topics are added.
func TestUpdateKeepsAndGrows(t *testing.T) {
	old := generated(t, 200, 5)
	m := trained(t, old, topoi.Options{})
	var b corpus.Builder
	for i := range 40 {
		doc := []string{fmt.Sprint("rare", i)}
		if i%4 == 0 { // words of more than half of the documents are not learned
			doc = append(doc, "comet", "comet", "comet", "telescope", "telescope")
		}
		for _, w := range old.Doc(i)[:min(5, len(old.Doc(i)))] {
			doc = append(doc, old.Words().At(int(w)))
		}
		b.Add(corpus.Document{ID: fmt.Sprint(i), Tokens: doc})
	}
	news := b.Corpus()
	for _, keep := range []int{0, 50, -1} {
		u, err := Update(context.Background(), m, news, UpdateOptions{Keep: keep, NewTopics: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := u.Model
		docs := map[int]int{0: 40, 50: 90, -1: 240}[keep]
		if got.NumTopics() != 9 || got.Manifest().Docs != docs || u.NewWords != 2 {
			t.Errorf("keep %d: %d topics, %d documents, %d new words", keep, got.NumTopics(), got.Manifest().Docs, u.NewWords)
		}
		kept := u.Docs.Docs(0, docs-40).NumTokens()
		if int(got.Manifest().PseudoTokens) != old.NumTokens()-kept {
			t.Errorf("keep %d: %d pseudo-counts, and %d of %d tokens are kept", keep, got.Manifest().PseudoTokens, kept, old.NumTokens())
		}
		comet := slices.Index(got.Words().List(), "comet")
		if row := got.Row(comet); keep >= 0 && countOf(row, 8) < 25 { // of 30; where all documents are kept, old topics are as free as the new one
			t.Errorf("keep %d: the new word has topics %v, and the new topic is 8", keep, row)
		}
	}
	if _, err := Update(context.Background(), m, news, UpdateOptions{Weight: -1}); err == nil {
		t.Error("a weight below 0 must be refused")
	}
}

// countOf returns the count of a topic in a row.
func countOf(row []topic.Count, k uint32) uint32 {
	for _, e := range row {
		if e.Topic == k {
			return e.Count
		}
	}
	return 0
}

// Topics follow their words through time.
func TestByTime(t *testing.T) {
	var b corpus.Builder
	for year := 2000; year < 2006; year++ {
		for i := range 40 {
			doc := []string{}
			for j := range 20 {
				if i%2 == 0 { // a theme whose words are replaced one by one
					doc = append(doc, fmt.Sprint("drifting", (i+j)%5+year-2000))
				} else {
					doc = append(doc, fmt.Sprint("steady", (i+j)%5))
				}
			}
			b.Add(corpus.Document{Time: fmt.Sprint(year), Tokens: doc})
		}
	}
	b.Add(corpus.Document{Tokens: []string{"steady1", "steady2"}})
	c := b.Corpus()
	m, err := ByTime(context.Background(), c, ByTimeOptions{Bins: "year", Carry: 0.5, Options: topoi.Options{Topics: 2, Iterations: 60}})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(); err != nil {
		t.Fatal(err)
	}
	list, err := Drift(m, "year", 0.5, nil, 5)
	if err != nil {
		t.Fatal(err)
	}
	drifting := 0
	if strings.HasPrefix(list[1].Top[0].Term, "drifting") {
		drifting = 1
	}
	for _, w := range list {
		for _, top := range w.Top {
			if strings.HasPrefix(top.Term, "drifting") != (w.Topic == drifting) {
				t.Errorf("%s, topic %d: %v", w.Period, w.Topic, w.Top)
			}
		}
		newest := "drifting" + fmt.Sprint(int(w.Period[3]-'0')+4)
		if w.Topic == drifting && !slices.ContainsFunc(w.Top, func(x topoi.WordWeight) bool { return x.Term == newest }) && w.Period > "2002" {
			t.Errorf("%s: the newest word is not among %v", w.Period, w.Top)
		}
	}
	if len(list) != 12 {
		t.Errorf("%d entries", len(list))
	}
	for _, bad := range []ByTimeOptions{{Carry: 2}, {Options: topoi.Options{Topics: 2, Holdout: 0.5}}} {
		if _, err := ByTime(context.Background(), c, bad); err == nil {
			t.Errorf("%+v must be refused", bad)
		}
	}
	if _, err := Drift(m, "year", 0, []int{5}, 3); err == nil {
		t.Error("there is no topic 5")
	}
}

// The defaults update a model whose frequent words have more tokens than some samplers take as pseudo-counts.
func TestUpdateOfFrequentWords(t *testing.T) {
	texts := slices.Repeat([]string{strings.Repeat("cat ", 1000) + "purrs", strings.Repeat("dog ", 50) + "barks"}, 300)
	c, err := corpus.FromTexts(texts, corpus.ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	old := trained(t, c, topoi.Options{Topics: 2, Sampler: "batch", Iterations: 2, Draws: 1})
	news, err := corpus.FromTexts(slices.Repeat([]string{"cat purrs", "dog barks"}, 3), corpus.ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	updated, err := Update(t.Context(), old, news, UpdateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer updated.Model.Close()
	if updated.Model.Manifest().PseudoTokens < 300_000 {
		t.Errorf("%d pseudo-counts", updated.Model.Manifest().PseudoTokens)
	}
}
