package eval

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
)

// listModel is a model of very many topics with few counts.
type listModel struct {
	k      int
	rows   [][]counts.Entry
	totals []uint64
	alpha  []float64
}

func (m *listModel) NumTopics() int        { return m.k }
func (m *listModel) NumWords() int         { return len(m.rows) }
func (m *listModel) Alpha() []float64      { return m.alpha }
func (m *listModel) Beta() float64         { return 0.01 }
func (m *listModel) TopicTotals() []uint64 { return m.totals }
func (m *listModel) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return append(dst, m.rows[w]...)
}

func newListModel(seed uint64, v, k int) *listModel {
	r := rand.New(rand.NewPCG(seed, 5))
	m := &listModel{k: k, rows: make([][]counts.Entry, v), totals: make([]uint64, k), alpha: make([]float64, k)}
	for w := range m.rows {
		for topic := r.IntN(k / 10); topic < k; topic += 1 + r.IntN(k/10) {
			n := 1 + r.Uint32N(50)
			m.rows[w] = append(m.rows[w], counts.Entry{Topic: uint32(topic), Count: n})
			m.totals[topic] += uint64(n)
		}
	}
	for topic := range m.alpha {
		m.alpha[topic] = 10 * r.Float64() / float64(k)
		if r.IntN(100) == 0 { // some topics are silent but far from even
			m.totals[topic] += uint64(r.IntN(500))
		}
	}
	return m
}

// Following silent topics by their moments is EM: it gives what folder, which looks
// at every topic, gives but for the rounding of float32 there.
func TestMomentsAreEM(t *testing.T) {
	for _, k := range []int{50, 1000, 70_000} {
		m := newListModel(uint64(k), 40, k)
		r := rand.New(rand.NewPCG(6, 6))
		docs := randomDocs(r, 8, 40, 60)
		dense, sparse := newFolder(newRows(m, docs, 2)), newSparseFolder(newMoments(m, docs, 2))
		for d := range docs.NumDocs() {
			if len(docs.Doc(d)) < 2 {
				continue
			}
			got, want := sparse.complete(docs.Doc(d), foldSteps), dense.complete(docs.Doc(d), foldSteps)
			if n := float64(max(1, len(docs.Doc(d))/2)); math.Abs(got-want)/n > 5e-5 {
				t.Errorf("K = %d, document %d: %.7f, want %.7f nats per token", k, d, got/n, want/n)
			}
		}
	}
}

// In float64 the two agree to many more digits: small models against the definition.
func TestMomentsFollowTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, share := range []float64{0, 0.02, 0.3, 1} {
		m := randomModel(r, 30, 60, share)
		docs := randomDocs(r, 6, 30, 40)
		f := newSparseFolder(newMoments(m, docs, 2))
		sum := 0.0
		for d := range docs.NumDocs() {
			if len(docs.Doc(d)) >= 2 {
				sum += f.complete(docs.Doc(d), foldSteps)
			}
		}
		want, scored := completionByDefinition(m, docs)
		if got := sum / float64(scored); math.Abs(got-want) > 1e-9 {
			t.Errorf("share %v: %.12f, want %.12f", share, got, want)
		}
	}
}

// With so many topics every estimator takes its sparse form; no table of documents
// or words by topics would fit the memory allowed.
func TestManyTopics(t *testing.T) {
	const k, v = 1_000_000, 200
	m := newListModel(1, v, k)
	docs := randomDocs(rand.New(rand.NewPCG(7, 7)), 40, v, 30)
	o := Options{Sweeps: 20, Particles: 3, Threads: 1}
	run := func(threads int) [3]float64 {
		o.Threads = threads
		completion, err := Completion(t.Context(), m, docs, Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		test, err := TestLikelihood(t.Context(), m, docs, o)
		if err != nil {
			t.Fatal(err)
		}
		left, err := LeftToRight(t.Context(), m, docs, o)
		if err != nil {
			t.Fatal(err)
		}
		return [3]float64{completion.PerToken, test.PerToken, left.PerToken}
	}
	one := run(1)
	if three := run(3); one != three {
		t.Errorf("one thread gives %v, three %v", one, three)
	}
	// 200 words leave between log 1/200 = -5.3 and, for the worst, a few nats less.
	for i, x := range one {
		if !(x < -1 && x > -9) {
			t.Errorf("estimator %d gives %v", i, x)
		}
	}
	if !(one[1] > one[2]) {
		t.Errorf("the test-set likelihood %v is not above the left-to-right %v", one[1], one[2])
	}
	if _, err := Completion(t.Context(), m, corpus.FromIDs([]string{"a"}, nil), Options{Threads: 1}); err == nil {
		t.Error("another vocabulary was taken")
	}
}
