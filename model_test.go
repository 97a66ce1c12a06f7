package topoi

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/doctopics"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/topic"
)

// handModel returns a model of k topics whose assignments follow a rule instead
// of a sampler, so that golden files outlive changes to samplers.
func handModel(k int) *Model {
	var b corpus.Builder
	themes := [][]string{
		{"star", "planet", "orbit", "comet", "star", "moon"},
		{"bread", "flour", "oven", "yeast", "bread"},
		{},
		{"tide", "moon", "sea", "wave", "sea", "salt", "wave", "sea"},
		{"naïve", "été", "海", "海"},
	}
	for i, tokens := range themes {
		b.Add(corpus.Document{ID: fmt.Sprintf("doc-%d", i), Label: fmt.Sprintf("label %d", i%2), Time: fmt.Sprintf("%d", 2000+i), Tokens: tokens})
	}
	return assign(b.Corpus(), k, func(i int) uint32 { return uint32(i * 7 % 5 % k) })
}

// assign returns the model in which token i of docs has topic z(i).
func assign(docs *corpus.Corpus, k int, z func(i int) uint32) *Model {
	heldout := -7.25
	manifest := Manifest{
		FormatVersion: 1, Topics: k, Words: docs.NumWords(), Docs: docs.NumDocs(), Tokens: docs.NumTokens(), Beta: 0.0125,
		Options:    Options{Sampler: "gibbs", AlphaSum: 5, Beta: 0.01, OptimizeInterval: 10, BurnIn: 20, Iterations: 30, Seed: 1<<64 - 1, EvaluateEvery: 10, Tolerance: 0.0005},
		Iterations: 30,
		Stopped:    StopIterations,
		History:    []Score{{Iteration: 10, LogLikelihood: -8.5, AlphaSum: 5, Beta: 0.01}, {Iteration: 20, LogLikelihood: -8.25, Heldout: &heldout, AlphaSum: 4.75, Beta: 0.0125}},
		Corpus:     docs.Fingerprint(),
		Pipeline:   []byte(`{"lower":true}`),
	}
	has := &modelfile.Content{Words: docs.Words(), Totals: make([]uint64, k), Pipeline: manifest.Pipeline}
	m := newModel(manifest, has, training.Documents{Train: docs}, nil)
	for i := range k {
		m.has.Alpha = append(m.has.Alpha, 1/float64(i+3))
	}
	rows := make([]map[uint32]uint32, docs.NumWords())
	for w := range rows {
		rows[w] = map[uint32]uint32{}
	}
	for i, w := range docs.Tokens() {
		m.has.Topics.Wide = append(m.has.Topics.Wide, z(i))
		rows[w][z(i)]++
		m.has.Totals[z(i)]++
	}
	for _, row := range rows {
		begin := len(m.has.Entries)
		for k, count := range row {
			m.has.Entries = append(m.has.Entries, topic.Count{Topic: k, Count: count})
		}
		slices.SortFunc(m.has.Entries[begin:], func(a, b topic.Count) int { return int(a.Topic) - int(b.Topic) })
		m.has.Ends = append(m.has.Ends, uint64(len(m.has.Entries)))
	}
	return m
}

func TestTopWordsAgreeWithSorting(t *testing.T) {
	for _, k := range []int{1, 2, 3, 5} {
		m := handModel(k)
		all := slices.Collect(m.Summary(nil, 4))
		for of := range k {
			var want []topic.WordCount
			for w := range m.NumWords() {
				for _, e := range m.Row(w) {
					if int(e.Topic) == of {
						want = append(want, topic.WordCount{Word: uint32(w), Count: e.Count})
					}
				}
			}
			slices.SortStableFunc(want, func(a, b topic.WordCount) int { return int(b.Count) - int(a.Count) })
			want = want[:min(4, len(want))]
			got := m.TopWords(of, 4)
			if !slices.Equal(got, all[of].Words) {
				t.Errorf("K = %d, of %d: one by one %v, all at once %v", k, of, got, all[of].Words)
			}
			for i, r := range want {
				if got[i].Word != int(r.Word) || got[i].Count != r.Count || got[i].Term != m.Words().At(int(r.Word)) {
					t.Errorf("K = %d, of %d, rank %d: %+v, want %+v", k, of, i, got[i], r)
				}
			}
			if len(got) != len(want) {
				t.Errorf("K = %d, of %d: %d words, want %d", k, of, len(got), len(want))
			}
		}
		if got := m.TopWords(0, 0); len(got) != 0 {
			t.Errorf("no words asked for, got %v", got)
		}
	}
}

func TestPhiSumsToOne(t *testing.T) {
	m := handModel(3)
	for k := range 3 {
		sum := 0.0
		for w := range m.NumWords() {
			sum += m.phi(counts.CountIn(m.Row(w), uint32(k)), k)
		}
		if sum < 1-1e-12 || sum > 1+1e-12 {
			t.Errorf("topic %d: Σφ = %v", k, sum)
		}
	}
}

func TestSummary(t *testing.T) {
	m := handModel(3)
	share := 0.0
	for k, s := range slices.Collect(m.Summary(nil, 2)) {
		if s.Topic != k || s.Tokens != m.TopicTotals()[k] || s.Alpha != m.Alpha()[k] || len(s.Words) != 2 {
			t.Errorf("topic %d: %+v", k, s)
		}
		share += s.Share
	}
	if share < 1-1e-12 || share > 1+1e-12 {
		t.Errorf("shares add up to %v", share)
	}
}

func TestDominantDocsAgreeWithTheta(t *testing.T) {
	m := handModel(4)
	m.has.Alpha = []float64{0.1, 0.1, 6.5, 0.2} // large enough to win where topic 2 is absent
	got := doctopics.Dominant(m, m.docs.Train, m.Alpha())
	want := make([]int, 4)
	docs, _ := m.Docs()
	for d := range docs.NumDocs() {
		theta := slices.Clone(m.has.Alpha)
		z := m.AppendTopics(nil, int(docs.Offsets()[d]), int(docs.Offsets()[d+1]))
		for _, k := range z {
			theta[k]++
		}
		if len(z) > 0 {
			want[slices.Index(theta, slices.Max(theta))]++
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("dominant documents %v, want %v", got, want)
	}
}

func TestLargestTopics(t *testing.T) {
	m := handModel(5)
	all := m.LargestTopics(0)
	if !slices.IsSortedFunc(all, func(a, b int) int { return int(m.has.Totals[b]) - int(m.has.Totals[a]) }) || len(maps.Collect(slices.All(all))) != 5 {
		t.Errorf("%v with %v tokens", all, m.has.Totals)
	}
	if two := m.LargestTopics(2); !slices.Equal(two, all[:2]) {
		t.Errorf("%v, want %v", two, all[:2])
	}
}

// A model that does not add up is never returned: the checkpoint that it was made from is still there to go on from.
func TestModelsThatDoNotAddUp(t *testing.T) {
	docs := make([][]string, 20)
	for d := range docs {
		for i := range 30 {
			docs[d] = append(docs[d], fmt.Sprint("w", (d*d+i*i)%17))
		}
	}
	m := assign(corpus.FromTokens(docs), 4, func(i int) uint32 { return uint32(i * 7 % 5 % 4) })
	spoiled := func() Made {
		has := *m.has
		has.Entries, has.Totals, has.Topics.Wide = slices.Clone(has.Entries), slices.Clone(has.Totals), slices.Clone(has.Topics.Wide)
		return Made{Manifest: m.manifest, Content: &has, Docs: m.docs}
	}
	if _, err := NewModel(spoiled()); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(made Made){
		"a total":          func(made Made) { made.Content.Totals[1]++ },
		"a row":            func(made Made) { made.Content.Entries[0].Count++ },
		"a topic":          func(made Made) { made.Content.Topics.Wide[5] = (made.Content.Topics.Wide[5] + 1) % 4 },
		"a topic beyond K": func(made Made) { made.Content.Topics.Wide[5] = 4 },
	} {
		bad := spoiled()
		spoil(bad)
		if m, err := NewModel(bad); m != nil || !errors.Is(err, ErrInconsistent) {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	// Rows that add up by topic, but not by word, are found with the documents.
	bad := spoiled().Content
	other := 1 + slices.IndexFunc(bad.Entries[1:], func(e topic.Count) bool {
		return e.Topic == bad.Entries[0].Topic && e.Count > 1
	})
	bad.Entries[0].Count++
	bad.Entries[other].Count--
	if err := bad.Check(); err != nil {
		t.Error(err)
	}
	if err := bad.CheckWords(m.docs.Train); err == nil || m.has.CheckWords(m.docs.Train) != nil {
		t.Error("rows that do not fit the documents were not noticed")
	}
}
