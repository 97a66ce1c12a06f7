package fold

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// listRows is n_wk as lists.
type listRows [][]counts.Entry

func (r listRows) AppendRow(dst []counts.Entry, w int) []counts.Entry { return append(dst, r[w]...) }

// randomFold has a model of v words, each in some of k topics, and documents made of two
// topics each.
func randomFold(v, k, docs int) (*Fold, []uint64, []uint32) {
	r := rand.New(rand.NewPCG(1, uint64(k)))
	f := &Fold{V: v, Totals: make([]uint64, k), Threads: 2, Priors: sampler.Priors{Beta: 0.01}}
	rows, words := make(listRows, v), make([][]uint32, k)
	for w := range rows {
		for topic := range k {
			if r.IntN(k) < 1+k/20 {
				n := 1 + r.Uint32N(40)
				rows[w] = append(rows[w], counts.Entry{Topic: uint32(topic), Count: n})
				words[topic] = append(words[topic], uint32(w))
				f.Totals[topic] += uint64(n)
			}
		}
	}
	f.Rows = rows
	for range k {
		f.Priors.Alpha = append(f.Priors.Alpha, 0.02+0.1*r.Float64())
	}
	offsets, tokens := []uint64{0}, []uint32(nil)
	for d := range docs {
		for range d % 40 { // the first one has none
			list := words[(d*7+r.IntN(2)*3)%k]
			tokens = append(tokens, list[r.IntN(len(list))])
		}
		slices.Sort(tokens[offsets[d]:])
		offsets = append(offsets, uint64(len(tokens)))
	}
	return f, offsets, tokens
}

// of returns the fold of documents with the model of f.
func (f *Fold) of(offsets []uint64, words []uint32) *Fold {
	with := *f
	with.Offsets, with.Words, with.ahead = offsets, words, nil
	return &with
}

// all runs f and returns n_dk of every document, in tokens.
func (f *Fold) all(t *testing.T, offsets []uint64, words []uint32) [][]float64 {
	t.Helper()
	parts := float64(f.Parts())
	var all [][]float64
	err := f.of(offsets, words).Run(context.Background(), func(_ int, sums []counts.Entry) error {
		n := make([]float64, len(f.Totals))
		for _, e := range sums {
			n[e.Topic] = float64(e.Count) / parts
		}
		all = append(all, n)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// What is expected must be near to the mean of a long chain of draws, and add up to the
// document.
func TestMeanIsNearDraws(t *testing.T) {
	for _, k := range []int{3, 40, 200} {
		f, offsets, words := randomFold(300, k, 120)
		expected := f.all(t, offsets, words)
		f.Sweeps, f.Skip = 2000, 100
		drawn := f.all(t, offsets, words)
		distance, tokens := 0.0, 0.0
		for d := range expected {
			sum := 0.0
			for topic, n := range expected[d] {
				sum += n
				distance += math.Abs(n - drawn[d][topic])
			}
			length := float64(offsets[d+1] - offsets[d])
			if tokens += length; sum != length {
				t.Errorf("K = %d: document %d of %v tokens has %v in topics", k, d, length, sum)
			}
		}
		// Measured: 0.02, 0.05 and 0.10. Two documents of different topics have 2.
		if distance/tokens > 0.15 {
			t.Errorf("K = %d: of each token %.3f lies elsewhere than in a long chain", k, distance/tokens)
		}
	}
}

// A document gets the same topics whatever company it comes in, with any number of threads.
func TestMeanDependsOnTheDocumentAlone(t *testing.T) {
	f, offsets, words := randomFold(300, 200, 60)
	together := f.all(t, offsets, words)
	f.Threads = 1
	for d := range together {
		doc := words[offsets[d]:offsets[d+1]]
		if alone := f.all(t, []uint64{0, uint64(len(doc))}, doc)[0]; !slices.Equal(alone, together[d]) {
			t.Fatalf("document %d alone has other topics", d)
		}
	}
}

// The topics of a document of one token are known: p(z = k | w) ∝ α_k φ_wk, of which small
// ones are left out.
func TestMeanOfOneToken(t *testing.T) {
	f, _, _ := randomFold(300, 40, 1)
	for w := range 300 {
		want, sum, kept := make([]float64, 40), 0.0, 0.0
		for k := range want {
			want[k] = f.Priors.Alpha[k] * f.phi(w, k)
			sum += want[k]
		}
		got := f.all(t, []uint64{0, 1}, []uint32{uint32(w)})[0]
		for k := range want {
			if want[k] /= sum; got[k] > 0 {
				kept += want[k]
			}
		}
		for k, p := range want {
			if got[k] > 0 && (got[k] < p-1.5/unit || got[k] > p/kept+1.5/unit) || got[k] == 0 && p > meanPart/40+1.0/unit {
				t.Errorf("word %d, topic %d: %v, want %v", w, k, got[k], p/kept)
			}
		}
	}
}

// phi returns φ_wk by its definition.
func (f *Fold) phi(w, k int) float64 {
	n := 0.0
	for _, e := range f.Rows.AppendRow(nil, w) {
		if int(e.Topic) == k {
			n = float64(e.Count)
		}
	}
	return (n + f.Priors.Beta) / (float64(f.Totals[k]) + float64(f.V)*f.Priors.Beta)
}

// A count has as many parts as sweeps count, or as expectations have; too many topics are
// drawn in any case.
func TestParts(t *testing.T) {
	for _, c := range []struct{ topics, sweeps, skip, want int }{{3, 0, 0, unit}, {3, 50, 10, 40}, {MostExpected, 0, 0, unit}, {MostExpected + 1, 0, 0, 80}} {
		f := &Fold{Totals: make([]uint64, c.topics), Sweeps: c.sweeps, Skip: c.skip}
		if got := f.Parts(); got != c.want {
			t.Errorf("%+v: got %d parts", c, got)
		}
	}
}
