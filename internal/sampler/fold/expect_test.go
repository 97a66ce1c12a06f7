package fold

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// tableRows is n_wk as lists.
type tableRows [][]counts.Entry

func (r tableRows) AppendRow(dst []counts.Entry, w int) []counts.Entry { return append(dst, r[w]...) }

// themes is a model of k topics over 20 words each, which overlap, and documents of a few
// topics each, the last two empty and of a word that no topic has.
func themes(k int) (f *Fold, offsets []uint64, words []uint32) {
	r := rand.New(rand.NewPCG(1, 2))
	v := 12*k + 9
	rows := make(tableRows, v)
	f = &Fold{
		Rows: rows, Totals: make([]uint64, k), V: v, Threads: 2, Seed: 1,
		Priors: sampler.Priors{Alpha: slices.Repeat([]float64{0.1}, k), Beta: 0.01},
	}
	for topic := range k {
		for i := range 20 {
			n := 5 + r.Uint32N(60)
			rows[12*topic+i] = append(rows[12*topic+i], counts.Entry{Topic: uint32(topic), Count: n})
			f.Totals[topic] += uint64(n)
		}
	}
	offsets = []uint64{0}
	for d := range 60 {
		var doc []uint32
		for range 10 + d {
			topic := (d + 3*r.IntN(2)) % k
			doc = append(doc, uint32(12*topic+r.IntN(20)))
		}
		slices.Sort(doc)
		words = append(words, doc...)
		offsets = append(offsets, uint64(len(words)))
	}
	offsets = append(offsets, uint64(len(words)))
	words = append(words, uint32(v-1))
	return f, append(offsets, uint64(len(words))), words
}

// expected returns n_dk of all documents.
func expected(t *testing.T, f *Fold, offsets []uint64, words []uint32) [][]float64 {
	t.Helper()
	var all [][]float64
	err := f.Expect(t.Context(), offsets, words, func(doc int, sums []counts.Entry) error {
		tokens := int(offsets[doc+1] - offsets[doc])
		row, sum := make([]float64, len(f.Totals)), uint64(0)
		for _, e := range sums {
			row[e.Topic] = float64(e.Count) / ExpectScale(tokens)
			sum += uint64(e.Count)
		}
		if want := uint64(float64(tokens) * ExpectScale(tokens)); doc != len(all) || sum != want {
			return fmt.Errorf("document %d came as number %d with a sum of %d, want %d", doc, len(all), sum, want)
		}
		all = append(all, row)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Expected topics do not depend on threads or on other documents.
func TestExpectIsAFunctionOfTheDocument(t *testing.T) {
	f, offsets, words := themes(8)
	all := expected(t, f, offsets, words)
	f.Threads = 7
	if fmt.Sprint(expected(t, f, offsets, words)) != fmt.Sprint(all) {
		t.Error("seven threads find other topics than two")
	}
	for d := range all {
		doc := words[offsets[d]:offsets[d+1]]
		if alone := expected(t, f, []uint64{0, uint64(len(doc))}, doc); fmt.Sprint(alone[0]) != fmt.Sprint(all[d]) {
			t.Errorf("document %d has other topics alone", d)
		}
	}
}

// Expected topics are near to a long chain's average. The approximation takes responsibilities
// of a document's words for independent, so it is not exact: shares differ by 0.06 in sum
// over a document's topics here, of at most 2; 0.08 leaves room for rounding. A document
// whose topics are all wrong would have 1 or more.
func TestExpectIsNearTheTruth(t *testing.T) {
	f, offsets, words := themes(8)
	drawn := func(sweeps, skip int) [][]float64 {
		f.Sweeps, f.Skip = sweeps, skip
		var all [][]float64
		if err := f.Run(t.Context(), offsets, words, func(_ int, sums []counts.Entry) error {
			row := make([]float64, len(f.Totals))
			for _, e := range sums {
				row[e.Topic] = float64(e.Count) / float64(sweeps-skip)
			}
			all = append(all, row)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	distance := func(a, b [][]float64) float64 {
		sum := 0.0
		for d := range a[:60] {
			for k := range a[d] {
				sum += math.Abs(a[d][k]-b[d][k]) / float64(offsets[d+1]-offsets[d])
			}
		}
		return sum
	}
	if d := distance(expected(t, f, offsets, words), drawn(4000, 500)) / 60; d > 0.08 {
		t.Errorf("expected shares are %.3f from a long chain's on average", d)
	}
}

// A very long document fits the whole numbers that sums are made of.
func TestExpectOfALongDocument(t *testing.T) {
	f, _, _ := themes(3)
	doc := slices.Repeat([]uint32{1}, 1<<20)
	if all := expected(t, f, []uint64{0, uint64(len(doc))}, doc); all[0][0] < 0.99*float64(len(doc)) {
		t.Errorf("%v of %d tokens are of the only topic that has the word", all[0], len(doc))
	}
}
