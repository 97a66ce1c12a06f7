package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
)

// fold20 folds in θ by the tokens 0, 2, 4, … in float64; phi is that of each token.
func fold20(alpha []float64, phi [][]float64) []float64 {
	theta := slices.Repeat([]float64{1 / float64(len(alpha))}, len(alpha))
	for range 20 {
		next := slices.Clone(alpha)
		for i := 0; i < len(phi); i += 2 {
			sum := dot64(theta, phi[i])
			for k := range theta {
				next[k] += theta[k] * phi[i][k] / sum
			}
		}
		norm := 0.0
		for _, x := range next {
			norm += x
		}
		for k := range theta {
			theta[k] = next[k] / norm
		}
	}
	return theta
}

func dot64(a, b []float64) float64 {
	sum := 0.0
	for k := range a {
		sum += a[k] * b[k]
	}
	return sum
}

// leaveOutByDefinition follows the definition token by token.
func leaveOutByDefinition(m *tableModel, docs *corpus.Corpus) float64 {
	table, totals := m.phi(), m.TopicTotals()
	vbeta := float64(m.NumWords()) * m.beta
	score, scored := 0.0, 0
	for d := range docs.NumDocs() {
		doc := docs.Doc(d)
		phi, own := make([][]float64, len(doc)), map[uint32]float64{}
		for i, w := range doc {
			phi[i] = table[w]
			own[w]++
		}
		theta := fold20(m.alpha, phi)
		for i, w := range doc {
			reduced, sum := make([]float64, len(theta)), dot64(theta, table[w])
			for k := range theta {
				n := float64(m.counts[w][k])
				n -= min(n, own[w]*theta[k]*table[w][k]/sum)
				reduced[k] = (n + m.beta) / (float64(totals[k]) + vbeta)
			}
			phi[i] = reduced
		}
		theta = fold20(m.alpha, phi)
		for i := 1; i < len(doc); i += 2 {
			score += math.Log(dot64(theta, phi[i]))
			scored++
		}
	}
	return score / float64(scored)
}

// Dense and sparse rows, K on both sides of the number of lanes; the bound is that
// of TestCompletionFollowsTheDefinition.
func TestLeaveOutFollowsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, k := range []int{1, 2, 15, 17, 100, 700} {
		for _, share := range []float64{0.002, 0.05, 0.9} {
			m, docs := randomModel(r, 50, k, share), randomDocs(r, 20, 50, 60)
			want := leaveOutByDefinition(m, docs)
			got, err := Completion(t.Context(), m, docs, Options{Variant: "leave-out", Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.PerToken-want) > 2e-5 {
				t.Errorf("K = %d, share %v: %v, want %v", k, share, got, want)
			}
		}
	}
}

// The form for very many topics gives what the other one does, but for the rounding
// of float32 there.
func TestLeaveOutOfManyTopics(t *testing.T) {
	for _, k := range []int{50, 1000, 70_000} {
		m := newListModel(uint64(k), 40, k)
		docs := randomDocs(rand.New(rand.NewPCG(8, 8)), 8, 40, 60)
		dense, sparse := newFolder(newRows(m, docs, 2)), newSparseFolder(newMoments(m, docs, 2))
		for d := range docs.NumDocs() {
			doc := docs.Doc(d)
			if len(doc) < 2 {
				continue
			}
			want, got := dense.leaveOut(doc), sparse.leaveOut(doc)
			if n := float64(len(doc)/2 + 1); math.Abs(got-want)/n > 1e-4 {
				t.Errorf("K = %d, document %d: %v, want %v", k, d, got, want)
			}
		}
	}
}

// A word that only this document has, all of whose tokens have one topic, must
// look as unlikely as one that nobody has.
func TestLeaveOutTakesOwnWordsOut(t *testing.T) {
	docs := corpus.FromIDs([]string{"own", "common"}, [][]uint32{{0, 0, 0, 0}})
	m := &tableModel{counts: [][]uint32{{4, 0}, {50, 50}}, alpha: []float64{0.1, 0.1}, beta: 0.01}
	with, err := Completion(t.Context(), m, docs, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	without, err := Completion(t.Context(), m, docs, Options{Variant: "leave-out", Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	// φ is 4.01/54.02 with the counts, and about 0.01/54.02 without them.
	if with.PerToken < math.Log(0.05) || without.PerToken > math.Log(0.002) {
		t.Errorf("%v with its own counts, %v without", with.PerToken, without.PerToken)
	}
}

func BenchmarkLeaveOut(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 5))
	m, docs := randomModel(r, 5000, 1000, 0.03), randomDocs(r, 65, 5000, 600)
	for b.Loop() {
		if _, err := Completion(b.Context(), m, docs, Options{Variant: "leave-out", Threads: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
