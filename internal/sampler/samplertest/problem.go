// Package samplertest has problems, counts and comparisons for tests of samplers.
package samplertest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// ProblemOf makes a problem from documents given as word ids.
func ProblemOf(v, k int, docs ...[]uint32) *sampler.Problem {
	p := &sampler.Problem{Offsets: []uint64{0}, V: v, K: k, Seed: 1, Threads: 1}
	for _, doc := range docs {
		doc = slices.Clone(doc)
		slices.Sort(doc)
		p.Words = append(p.Words, doc...)
		p.Offsets = append(p.Offsets, uint64(len(p.Words)))
	}
	return p
}

// RandomProblem makes d documents of up to maxLength tokens, some of them
// empty, over v words of which word 0 has about half of all tokens.
func RandomProblem(seed uint64, d, v, k, maxLength int) *sampler.Problem {
	r := rand.New(rand.NewPCG(seed, 0))
	docs := make([][]uint32, d)
	for i := range docs {
		docs[i] = make([]uint32, r.IntN(maxLength+1))
		for j := range docs[i] {
			if r.IntN(2) == 1 {
				docs[i][j] = uint32(r.IntN(v))
			}
		}
	}
	return ProblemOf(v, k, docs...)
}

// Guide gives a problem pseudo-counts: some topics of some words, among them one that does not occur if there is such
// a word.
func Guide(p *sampler.Problem, seed uint64) *sampler.Problem {
	r := rand.New(rand.NewPCG(seed, 5))
	guided := *p
	guided.Pseudo = counts.NewPseudo(p.V, p.K, func(int) (row []counts.Entry) {
		for k := range p.K {
			if r.IntN(3*p.K) < 4 {
				row = append(row, counts.Entry{Topic: uint32(k), Count: uint32(r.IntN(4) * (1 + r.IntN(40)))})
			}
		}
		return row
	})
	return &guided
}

// TopicalProblem draws documents from a model with true topics: topic k has
// the words with w mod k0 = k, and every document mixes two topics.
func TopicalProblem(seed uint64, d, v, k, k0, length int) *sampler.Problem {
	r := rand.New(rand.NewPCG(seed, 1))
	docs := make([][]uint32, d)
	for i := range docs {
		topics := [2]int{r.IntN(k0), r.IntN(k0)}
		docs[i] = make([]uint32, length)
		for j := range docs[i] {
			docs[i][j] = uint32(topics[r.IntN(2)] + k0*r.IntN(v/k0))
		}
	}
	return ProblemOf(v, k, docs...)
}

// PriorsFor returns an asymmetric α and a symmetric β.
func PriorsFor(k int) *sampler.Priors {
	priors := &sampler.Priors{Beta: 0.3, Alpha: make([]float64, k)}
	for i := range priors.Alpha {
		priors.Alpha[i] = 0.3 + float64(0.4*float64(i%3))
	}
	return priors
}

// infos are the samplers that tests make by name.
var infos []sampler.Info

// Use returns which samplers tests can make by name.
func Use(list ...sampler.Info) { infos = list }

// InfoOf finds one of them.
func InfoOf(name string) sampler.Info {
	for _, info := range infos {
		if info.Name == name {
			return info
		}
	}
	panic("no sampler " + name + " in use")
}

// NewCalled makes the sampler called name.
func NewCalled(name string, p *sampler.Problem) (sampler.Sampler, error) {
	if p.Tuning.Staleness > 0 {
		return sampler.NewStale(InfoOf(name), p)
	}
	return InfoOf(name).New(p)
}

// Start makes and starts the sampler called name.
func Start(t testing.TB, name string, p *sampler.Problem, z []uint32, priors *sampler.Priors) sampler.Sampler {
	t.Helper()
	s, err := NewCalled(name, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(z, priors); err != nil {
		t.Fatal(err)
	}
	return s
}

// Sweep runs iterations from … to.
func Sweep(t testing.TB, s sampler.Sampler, from, to int, priors *sampler.Priors) {
	t.Helper()
	for i := from; i <= to; i++ {
		if err := s.Sweep(t.Context(), i, priors); err != nil {
			t.Fatal(err)
		}
	}
}

// TopicsOf returns a copy of the sampler's z.
func TopicsOf(s sampler.Sampler, p *sampler.Problem) []uint32 {
	z := make([]uint32, p.N())
	s.Topics(z)
	return z
}

// recount is the state that follows from z, and from pseudo-counts.
type recount struct {
	Ndk, Nwk [][]int
	Nk       []int
}

func RecountOf(p *sampler.Problem, z []uint32) recount {
	c := recount{Ndk: Table(p.D(), p.K), Nwk: Table(p.V, p.K), Nk: make([]int, p.K)}
	for d := range p.D() {
		for i := p.Offsets[d]; i < p.Offsets[d+1]; i++ {
			c.Ndk[d][z[i]]++
			c.Nwk[p.Words[i]][z[i]]++
			c.Nk[z[i]]++
		}
	}
	p.Pseudo.Cells(func(w int, e counts.Entry) {
		c.Nwk[w][e.Topic] += int(e.Count)
		c.Nk[e.Topic] += int(e.Count)
	})
	return c
}

func Table(rows, columns int) [][]int {
	t := make([][]int, rows)
	for i := range t {
		t[i] = make([]int, columns)
	}
	return t
}

// CheckCounts fails the test unless the sampler's counts follow from its z.
func CheckCounts(t *testing.T, p *sampler.Problem, s sampler.Sampler) {
	t.Helper()
	c := RecountOf(p, TopicsOf(s, p))
	for w := range p.V {
		var want []counts.Entry
		for k, n := range c.Nwk[w] {
			if n > 0 {
				want = append(want, counts.Entry{Topic: uint32(k), Count: uint32(n)})
			}
		}
		if got := s.AppendRow(nil, w); !slices.Equal(got, want) {
			t.Fatalf("row of word %d is %v, z says %v", w, got, want)
		}
	}
	for k, n := range s.TopicTotals() {
		if int(n) != c.Nk[k] {
			t.Fatalf("total of topic %d is %d, z says %d", k, n, c.Nk[k])
		}
	}
	checkHistograms(t, p, c, s.Histograms())
}

func checkHistograms(t *testing.T, p *sampler.Problem, c recount, h *counts.Histograms) {
	t.Helper()
	lengths := make(map[int]int)
	topics := make(map[[2]int]int)
	words := make(map[int]int)
	for d := range p.D() {
		lengths[int(p.Offsets[d+1]-p.Offsets[d])]++
		for k, n := range c.Ndk[d] {
			topics[[2]int{k, n}]++
		}
	}
	for w := range p.V {
		for _, n := range c.Nwk[w] {
			words[n]++
		}
	}
	for n, got := range h.DocLengths {
		if int(got) != lengths[n] {
			t.Fatalf("%d documents of length %d, want %d", got, n, lengths[n])
		}
	}
	for k := range h.Topic {
		for n := 1; n < len(h.Topic[k]); n++ {
			if int(h.Topic[k][n]) != topics[[2]int{k, n}] {
				t.Fatalf("%d documents with n_dk = %d in topic %d, want %d", h.Topic[k][n], n, k, topics[[2]int{k, n}])
			}
		}
	}
	for n := 1; n < len(h.WordTopic); n++ {
		if int(h.WordTopic[n]) != words[n] {
			t.Fatalf("%d cells with n_wk = %d, want %d", h.WordTopic[n], n, words[n])
		}
	}
	for k, n := range h.TopicTotals {
		if int(n) != c.Nk[k] {
			t.Fatalf("histogram total of topic %d is %d, want %d", k, n, c.Nk[k])
		}
	}
	checkHistogramEnds(t, c, h)
}

// checkHistogramEnds makes sure that no histogram stops short of its largest count.
func checkHistogramEnds(t *testing.T, c recount, h *counts.Histograms) {
	t.Helper()
	for _, row := range c.Ndk {
		for k, n := range row {
			if n > 0 && n >= len(h.Topic[k]) {
				t.Fatalf("histogram of topic %d ends before %d", k, n)
			}
		}
	}
	for _, row := range c.Nwk {
		if n := slices.Max(row); n > 0 && n >= len(h.WordTopic) {
			t.Fatalf("histogram of n_wk ends before %d", n)
		}
	}
}

// Problems are the shapes that every sampler must survive.
func Problems() map[string]*sampler.Problem {
	return map[string]*sampler.Problem{
		"random":          RandomProblem(1, 40, 30, 7, 25),
		"more topics":     RandomProblem(2, 10, 5, 70, 9),
		"one topic":       RandomProblem(3, 10, 5, 1, 9),
		"one word":        RandomProblem(4, 10, 1, 4, 9),
		"one-token docs":  ProblemOf(3, 4, []uint32{0}, []uint32{1}, []uint32{2}, []uint32{0}),
		"empty documents": ProblemOf(3, 4, nil, []uint32{1, 2}, nil, nil, []uint32{0}, nil),
		"nothing at all":  ProblemOf(3, 4, nil, nil),
		"no documents":    ProblemOf(3, 4),
		"one document":    ProblemOf(9, 3, []uint32{8, 0, 1, 8, 8, 2, 8, 3, 8, 4, 8}),
	}
}
