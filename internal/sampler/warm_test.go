package sampler

import (
	"context"
	"slices"
	"testing"
)

// A warm start must not depend on threads, must leave counts that follow from
// the topics, and must already know the topics of a corpus made from few.
func TestWarmStart(t *testing.T) {
	p := &Problem{Offsets: []uint64{0}, V: 40, K: 8, Seed: 5}
	for d := range 4000 { // every document has words of one of four themes
		for i := range 10 {
			p.Words = append(p.Words, uint32(d%4*10+i*(d%3+1)%10))
		}
		slices.Sort(p.Words[p.Offsets[d]:])
		p.Offsets = append(p.Offsets, uint64(len(p.Words)))
	}
	priors := &Priors{Alpha: slices.Repeat([]float64{0.1}, p.K), Beta: 0.01}
	var first []uint32
	for _, threads := range []int{1, 3} {
		p.Threads = threads
		made, err := newBatch(p)
		if err != nil {
			t.Fatal(err)
		}
		s := made.(*batch)
		if err := s.warmStart(priors); err != nil {
			t.Fatal(err)
		}
		z := make([]uint32, p.N())
		s.Topics(z)
		if first == nil {
			first = z
		} else if !slices.Equal(first, z) {
			t.Fatal("the topics depend on the number of threads")
		}
		if purity := themePurity(p, z); purity < 0.95 {
			t.Errorf("after the warm start %.2f of the tokens have a topic that is one theme's; random topics have about 0.3", purity)
		}
		before := slices.Clone(s.nwk)
		s.recount()
		if !slices.Equal(before, s.nwk) {
			t.Fatal("the counts do not follow from the topics")
		}
		if err := s.Sweep(context.Background(), 1, priors); err != nil {
			t.Fatal(err)
		}
	}
}

// themePurity returns the share of tokens that belong to their topic's most
// frequent theme, ten words being a theme.
func themePurity(p *Problem, z []uint32) float64 {
	n := make([][4]int, p.K)
	for i, k := range z {
		n[k][p.Words[i]/10]++
	}
	pure := 0
	for _, c := range n {
		pure += slices.Max(c[:])
	}
	return float64(pure) / float64(len(z))
}
