package eval

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/topoi-lda/topoi/analysis/compare"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/metrics"
	"github.com/topoi-lda/topoi/internal/tablemodel"
	"github.com/topoi-lda/topoi/topic"
)

// reference is a model and what testdata/reference.py computed of it.
type reference struct {
	Words     int
	Alpha     []float64
	Beta      float64
	Docs      [][]uint32
	Topics    [][]uint32
	Others    [][][]uint32 // topics of the same documents with other seeds
	Heldout   [][]uint32
	Values    map[string]float64
	PerTopic  map[string][]float64 `json:"per_topic"`
	States    []float64            // log p(w | z, β) of this model and of the others
	Agreement [][]float64          // of this model and the others with each other
}

// sampled is a model given by the topics of its tokens.
type sampled struct {
	*tablemodel.Model
	docs  *corpus.Corpus
	alpha []float64
	z     []uint32
}

func (s *sampled) Alpha() []float64              { return s.alpha }
func (s *sampled) Docs() (*corpus.Corpus, error) { return s.docs, nil }
func (s *sampled) AppendTopics(dst []uint32, lo, hi int) []uint32 {
	return append(dst, s.z[lo:hi]...)
}

func (r *reference) vocabulary() []string {
	words := make([]string, r.Words)
	for w := range words {
		words[w] = "w" + strconv.Itoa(w)
	}
	return words
}

func (r *reference) model(topics [][]uint32) *sampled {
	s := &sampled{docs: corpus.FromIDs(r.vocabulary(), r.Docs), alpha: r.Alpha}
	s.Model = &tablemodel.Model{Prior: r.Beta}
	for range r.Words {
		s.Counts = append(s.Counts, make([]uint32, len(r.Alpha)))
	}
	for d, words := range r.Docs {
		for i, w := range words {
			s.Counts[w][topics[d][i]]++
		}
		s.z = append(s.z, topics[d]...)
	}
	return s
}

func references(t *testing.T) []*reference {
	t.Helper()
	b, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []*reference
	if err := json.Unmarshal(b, &list); err != nil || len(list) != 2 {
		t.Fatalf("%d models, %v", len(list), err)
	}
	return list
}

func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*max(1, math.Abs(want))
}

func TestMetricsAreThoseOfNumPyAndGensim(t *testing.T) {
	for i, ref := range references(t) {
		for _, threads := range []int{1, 3} {
			r, err := Measure(t.Context(), ref.model(ref.Topics), MeasureOptions{
				Heldout: corpus.FromIDs(ref.vocabulary(), ref.Heldout), States: ref.States, Threads: threads,
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range Metrics() {
				if m.Name == metrics.Seconds || m.Name == metrics.Stability {
					continue
				}
				tolerance := 1e-9
				if m.Name == metrics.HeldOut || m.Name == metrics.CV { // EM, and gensim, work with float32
					tolerance = 2e-6
				}
				want, known := ref.Values[m.Name]
				if !known || !near(r.Value(m.Name), want, tolerance) {
					t.Errorf("model %d: %s is %v, want %v", i, m.Name, r.Value(m.Name), want)
				}
				if !m.PerTopic {
					continue
				}
				for k, want := range ref.PerTopic[m.Name] {
					if !near(r.ByTopic[m.Name][k], want, tolerance) {
						t.Errorf("model %d: %s of topic %d is %v, want %v", i, m.Name, k, r.ByTopic[m.Name][k], want)
					}
				}
				if len(ref.PerTopic[m.Name]) != len(ref.Alpha) {
					t.Errorf("%s has no reference by topic", m.Name)
				}
			}
		}
	}
}

func TestStabilityIsThatOfSciPy(t *testing.T) {
	for i, ref := range references(t) {
		models := []topic.Model{ref.model(ref.Topics), ref.model(ref.Others[0]), ref.model(ref.Others[1])}
		var lists []topic.Model
		for _, m := range models {
			r, err := Measure(t.Context(), m.(*sampled), MeasureOptions{WithoutCoherence: true})
			if err != nil {
				t.Fatal(err)
			}
			var topics [][]string
			for _, list := range r.Top {
				var words []string
				for _, w := range list {
					words = append(words, "w"+strconv.Itoa(w))
				}
				topics = append(topics, words)
			}
			lists = append(lists, compare.FromWords(topics))
		}
		for _, form := range [][]topic.Model{models, lists} {
			r, err := compare.Runs(t.Context(), form, compare.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !near(r.Runs[0], ref.Values[metrics.Stability], 1e-12) {
				t.Errorf("model %d: stability is %v, want %v", i, r.Runs[0], ref.Values[metrics.Stability])
			}
			for a := range ref.Agreement {
				for b, want := range ref.Agreement[a] {
					if !near(r.Agreement[a][b], want, 1e-12) {
						t.Errorf("model %d: runs %d and %d agree by %v, want %v", i, a, b, r.Agreement[a][b], want)
					}
				}
			}
		}
	}
}

// What training keeps for griffiths2004 is log p(w | z, β).
func TestWordsGivenTopics(t *testing.T) {
	for i, ref := range references(t) {
		for j, topics := range append([][][]uint32{ref.Topics}, ref.Others...) {
			m := ref.model(topics)
			h := counts.Histograms{TopicTotals: m.TopicTotals()}
			for _, row := range m.Counts {
				for _, n := range row {
					for len(h.WordTopic) <= int(n) {
						h.WordTopic = append(h.WordTopic, 0)
					}
					h.WordTopic[n]++
				}
			}
			if _, got := hyper.LogLikelihoods(&h, nil, ref.Beta, ref.Words, 1); !near(got, ref.States[j], 1e-11) {
				t.Errorf("model %d, state %d: %v, want %v", i, j, got, ref.States[j])
			}
		}
	}
}

func TestRBO(t *testing.T) {
	for _, c := range []struct {
		a, b []int
		want float64
	}{
		{[]int{1, 2, 3}, []int{1, 2, 3}, 1},
		{[]int{1, 2, 3}, []int{4, 5, 6}, 0},
		{nil, []int{1}, 0},
		{[]int{1}, []int{1, 2, 3, 4}, 1},     // what is known agrees: so will the rest
		{[]int{2, 1}, []int{1, 2}, 0.9},      // (0.1/0.9)(0 + 0.81) + 0.81
		{[]int{1, 2}, []int{1, 3}, 1 - 0.45}, // (0.1/0.9)(0.9 + 0.405) + 0.405
	} {
		if got := rbo(c.a, c.b, 0.9); !near(got, c.want, 1e-12) {
			t.Errorf("rbo of %v and %v is %v, want %v", c.a, c.b, got, c.want)
		}
		if got := rbo(c.b, c.a, 0.9); !near(got, c.want, 1e-12) {
			t.Errorf("rbo of %v and %v is %v, want %v", c.b, c.a, got, c.want)
		}
	}
}

// The sums over all pairs without looking at pairs are those with.
func TestDistancesOfManyShapes(t *testing.T) {
	for seed := range uint64(20) {
		m := tablemodel.Random(seed, 5+int(seed)*4, 2+int(seed)%6, 0.4)
		phi := m.Phi()
		cosine, divergence, pairs := 0.0, 0.0, 0.0
		for i := range phi {
			for j := range i {
				var dot, a, b float64
				for w := range phi[i] {
					p, q := phi[i][w], phi[j][w]
					dot, a, b = dot+p*q, a+p*p, b+q*q
					divergence += (p*math.Log(p/q) + q*math.Log(q/p)) / 2
				}
				cosine += dot / math.Sqrt(a*b)
				pairs++
			}
		}
		if got := caoJuan2009(m); !near(got, cosine/pairs, 1e-12) {
			t.Errorf("seed %d: caoJuan2009 %v, want %v", seed, got, cosine/pairs)
		}
		if got := deveaud2014(m); !near(got, divergence/(2*pairs), 1e-11) {
			t.Errorf("seed %d: deveaud2014 %v, want %v", seed, got, divergence/(2*pairs))
		}
	}
}

// Coherence of many models at once is that of each, whatever fits in memory.
func TestCoherenceOfManyModels(t *testing.T) {
	defer func(n int) { mostSets = n }(mostSets)
	ref := references(t)[0]
	var alone, together []*Measured
	for _, topics := range append([][][]uint32{ref.Topics}, ref.Others...) {
		m := ref.model(topics)
		r, err := Measure(t.Context(), m, MeasureOptions{})
		if err != nil {
			t.Fatal(err)
		}
		alone = append(alone, r)
		if r, err = Measure(t.Context(), m, MeasureOptions{WithoutCoherence: true}); err != nil {
			t.Fatal(err)
		}
		together = append(together, r)
	}
	for _, most := range []int{1, 3000, 1 << 20} {
		mostSets = most
		if err := AddCoherence(t.Context(), ref.model(ref.Topics).docs, together); err != nil {
			t.Fatal(err)
		}
		for i := range alone {
			for _, name := range []string{metrics.NPMI, metrics.CV, metrics.UMass} {
				if !slices.Equal(alone[i].ByTopic[name], together[i].ByTopic[name]) || alone[i].Value(name) != together[i].Value(name) {
					t.Errorf("with %d bytes %s of model %d is %v, alone %v", most, name, i, together[i].ByTopic[name], alone[i].ByTopic[name])
				}
			}
		}
	}
}

func TestGriffithsTakesAnyNumbers(t *testing.T) {
	// A harmonic mean of equal numbers is that number; of 1 and 1/3 it is 1/2.
	for want, states := range map[float64][]float64{-5e6: {-5e6, -5e6, -5e6}, math.Log(0.5): {0, math.Log(1.0 / 3)}} {
		if got := griffiths2004(states); !near(got, want, 1e-12) {
			t.Errorf("of %v it is %v, want %v", states, got, want)
		}
	}
	if got := griffiths2004([]float64{-1e7, -2e7}); !near(got, -2e7+math.Log(2), 1e-12) {
		t.Errorf("far apart: %v", got)
	}
}

// One topic has no distance to another.
func TestDistancesOfOneTopic(t *testing.T) {
	for seed := range uint64(20) {
		m := tablemodel.Random(seed, 30, 1, 0.7)
		if got := caoJuan2009(m); !math.IsNaN(got) {
			t.Errorf("seed %d: caoJuan2009 is %v", seed, got)
		}
		if got := deveaud2014(m); !math.IsNaN(got) {
			t.Errorf("seed %d: deveaud2014 is %v", seed, got)
		}
	}
}
