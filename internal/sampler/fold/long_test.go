package fold

import (
	"context"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/batch"
)

// longDocument is a problem with a document whose count of a topic needs more
// than 16 bits, between two short ones.
func longDocument(k int) *sampler.Problem {
	p := &sampler.Problem{Offsets: []uint64{0, 3}, V: 3, K: k, Threads: 2}
	p.Words = []uint32{0, 1, 2}
	p.Words = append(p.Words, slices.Repeat([]uint32{1}, 70000)...)
	p.Offsets = append(p.Offsets, uint64(len(p.Words)))
	p.Words = append(p.Words, 0, 2)
	p.Offsets = append(p.Offsets, uint64(len(p.Words)))
	return p
}

func TestBatchCountsLongDocuments(t *testing.T) {
	for _, k := range []int{1, 2} {
		p := longDocument(k)
		priors := &sampler.Priors{Alpha: slices.Repeat([]float64{0.01}, k), Beta: 0.01}
		s, err := batch.New(p)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Start(make([]uint32, p.N()), priors); err != nil { // all in topic 0
			t.Fatal(err)
		}
		if h := s.Histograms(); len(h.Topic[0]) != 70001 || h.Topic[0][70000] != 1 {
			t.Fatalf("K = %d: the long document's count goes to %d", k, len(h.Topic[0])-1)
		}
		if err := s.Sweep(context.Background(), 1, priors); err != nil {
			t.Fatal(err)
		}
		z := make([]uint32, p.N())
		s.Topics(z)
		moved := 0
		for _, x := range z[3:70003] {
			moved += int(x)
		}
		// A topic that has no token of the document or the word draws fewer than
		// one of 70,000 tokens in a million; wrapped counts would scatter them.
		if moved > 5 {
			t.Errorf("K = %d: %d of 70,000 tokens left the topic that holds them all", k, moved)
		}
	}
}

func TestFoldCountsLongDocuments(t *testing.T) {
	p := longDocument(2)
	f := &Fold{
		Rows: fixedRows{{Topic: 1, Count: 1000}}, Totals: []uint64{0, 3000}, V: 3, Threads: 1, Sweeps: 3, Skip: 1,
		Priors: sampler.Priors{Alpha: []float64{0.1, 0.1}, Beta: 0.01},
	}
	err := f.of(p.Offsets, p.Words).Run(context.Background(), func(doc int, sums []counts.Entry) error {
		n := uint32(0)
		for _, e := range sums {
			n += e.Count
		}
		if want := 2 * uint32(p.Offsets[doc+1]-p.Offsets[doc]); n != want {
			t.Errorf("document %d: counts add up to %d, want %d", doc, n, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// fixedRows gives every word the same row.
type fixedRows []counts.Entry

func (r fixedRows) AppendRow(dst []counts.Entry, _ int) []counts.Entry { return append(dst, r...) }
