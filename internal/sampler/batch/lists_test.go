package batch

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
	"github.com/topoi-lda/topoi/internal/simd"
)

// topicsAfter returns the topics after some sweeps with unequal priors.
func topicsAfter(t *testing.T, p *sampler.Problem, sweeps int) []uint32 {
	t.Helper()
	priors := unequal(p.K)
	s := samplertest.Start(t, "lists", p, nil, priors)
	samplertest.Sweep(t, s, 1, sweeps, priors)
	return samplertest.TopicsOf(s, p)
}

// Every set of instructions gives the topics of portable Go.
func TestListPathsAgree(t *testing.T) {
	avx2, avx512 := simd.AVX2, simd.AVX512
	defer func() { simd.AVX2, simd.AVX512 = avx2, avx512 }()
	for _, k := range []int{1, 2, 17, 32, 33, 100, 1000, 1025} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			p := samplertest.TopicalProblem(uint64(k), 40, 40, k, 4, 250) // rows of one byte and of two
			simd.AVX2, simd.AVX512 = false, false
			want := topicsAfter(t, p, 3)
			simd.AVX2 = avx2
			if got := topicsAfter(t, p, 3); !slices.Equal(got, want) {
				t.Error("AVX2 gives other topics")
			}
			simd.AVX512 = avx512
			if got := topicsAfter(t, p, 3); !slices.Equal(got, want) {
				t.Error("AVX-512 gives other topics")
			}
		})
	}
}

// unequal returns priors that differ between topics.
func unequal(k int) *sampler.Priors {
	priors := &sampler.Priors{Alpha: make([]float64, k), Beta: 0.02}
	for i := range priors.Alpha {
		priors.Alpha[i] = 10 / float64(k) / float64(1+i%7)
	}
	return priors
}

// conditional is p(k) for a token of word w in document d with topic z, whose own share of n_dk and n_wk is own.
func conditional(p *sampler.Problem, priors *sampler.Priors, z []uint32, d, token int, own float64) []float64 {
	c := samplertest.RecountOf(p, z)
	q, sum := make([]float64, p.K), 0.0
	for k := range q {
		nd, nw := float64(c.Ndk[d][k]), float64(c.Nwk[p.Words[token]][k])
		if uint32(k) == z[token] {
			nd, nw = nd-own, nw-own
		}
		q[k] = (nd + priors.Alpha[k]) * (nw + priors.Beta) / (float64(c.Nk[k]) + float64(p.V)*priors.Beta)
		sum += q[k]
	}
	for k := range q {
		q[k] /= sum
	}
	return q
}

// The share of random numbers that draw a topic is its probability, whatever the counts, and not what it
// would be with the token's own counts left in.
func TestListsDrawExactly(t *testing.T) {
	const tries = 1 << 13
	for _, k := range []int{1, 2, 40, 1100} {
		p := samplertest.TopicalProblem(uint64(k), 12, 30, k, 3, 25)
		priors := unequal(k)
		s := samplertest.Start(t, "lists", p, nil, priors).(*lists)
		samplertest.Sweep(t, s, 1, 3, priors)
		z := samplertest.TopicsOf(s, p)
		far, wrong := 0.0, 0.0
		for _, token := range []int{0, 40, 41, 170, 299} {
			d := token / 25
			got := drawnShares(s, priors, z, d, token, tries)
			far = max(far, apart(got, conditional(p, priors, z, d, token, 1)))
			wrong = max(wrong, apart(got, conditional(p, priors, z, d, token, 0)))
		}
		if far > 4.0/tries {
			t.Errorf("K = %d: a topic's share differs by %.2g from its probability", k, far)
		}
		if k > 1 && wrong < 1e-2 {
			t.Errorf("K = %d: own counts left in would differ by %.2g only", k, wrong)
		}
	}
}

// drawnShares draws a token with all of so many evenly spaced random numbers and returns the share of each topic.
func drawnShares(s *lists, priors *sampler.Priors, z []uint32, d, token, tries int) []float64 {
	p, shares := s.p, make([]float64, s.p.K)
	s.Start(z, priors)
	s.round.begin(s.nk, p.V, priors)
	if err := s.prepare(context.Background(), s.grid.Blocks); err != nil {
		panic(err)
	}
	w, docs, topics := s.workers[0], docsOf(p), narrow(z)
	for i := range tries {
		w.docs.fill(grid.Block{End: p.N()}, p.Offsets, docs, topics, s.round.whole)
		a := listArgs{
			topics: p.K, docs: &w.docs, round: s.round, words: []listWord{s.round.word(p.Words[token], 1)}, of: []uint16{0}, doc: []uint16{uint16(d)},
			z: []uint16{uint16(z[token])}, random: []uint32{uint32((2*i + 1) * (1 << 31 / tries))}, order: []uint16{0}, scratch: w.scratch,
		}
		drawLists(&a)
		shares[a.z[0]] += 1 / float64(tries)
	}
	return shares
}

// docsOf lists the documents of all tokens.
func docsOf(p *sampler.Problem) (docs []uint16) {
	for d := range p.D() {
		for range p.Offsets[d+1] - p.Offsets[d] {
			docs = append(docs, uint16(d))
		}
	}
	return docs
}

func narrow(z []uint32) (topics []uint16) {
	for _, k := range z {
		topics = append(topics, uint16(k))
	}
	return topics
}

// apart is the largest difference between two distributions.
func apart(a, b []float64) float64 {
	most := 0.0
	for k := range a {
		most = max(most, math.Abs(a[k]-b[k]))
	}
	return most
}

// Documents of more tokens than 16 bits count have lists of wide entries, and their draws are counted right.
func TestListsOfLongDocuments(t *testing.T) {
	long := make([]uint32, 70_000)
	for i := range long {
		long[i] = uint32(i / 7000)
	}
	p := samplertest.ProblemOf(10, 3, long, []uint32{1, 2, 3}, []uint32{9})
	priors := unequal(p.K)
	s := samplertest.Start(t, "lists", p, nil, priors).(*lists)
	samplertest.Sweep(t, s, 1, 2, priors)
	samplertest.CheckCounts(t, p, s)
	if s.workers[0].fill(s.grid.Blocks[0]); s.workers[0].docs.wide == nil {
		t.Error("entries of a document of 70,000 tokens have 16 bits")
	}
}

// A document whose sums would not fit is refused.
func TestListsRefuseTooLongDocuments(t *testing.T) {
	p := &sampler.Problem{Offsets: []uint64{0, 3, tokensMost + 4}, V: 1, K: 2, Threads: 1}
	if _, err := newLists(p); err == nil || !strings.Contains(err.Error(), "document 2 has 8388609") {
		t.Errorf("got %v", err)
	}
}

// Documents begin with few topics, the same ones in a part of the corpus.
func TestListsStartWithFewTopics(t *testing.T) {
	p := samplertest.TopicalProblem(1, 5, 40, 5000, 4, 400)
	s := samplertest.Start(t, "lists", p, nil, unequal(p.K))
	z := samplertest.TopicsOf(s, p)
	for d := range p.D() {
		has := map[uint32]bool{}
		for _, k := range z[p.Offsets[d]:p.Offsets[d+1]] {
			has[k] = true
		}
		if len(has) < startTopics-4 || len(has) > startTopics {
			t.Errorf("document %d begins with %d topics", d+1, len(has))
		}
	}
}
