package sampler

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
)

// problemOf makes a problem from documents given as word ids.
func problemOf(v, k int, docs ...[]uint32) *Problem {
	p := &Problem{Offsets: []uint64{0}, V: v, K: k, Seed: 1, Threads: 1}
	for _, doc := range docs {
		doc = slices.Clone(doc)
		slices.Sort(doc)
		p.Words = append(p.Words, doc...)
		p.Offsets = append(p.Offsets, uint64(len(p.Words)))
	}
	return p
}

// randomProblem makes d documents of up to maxLength tokens, some of them
// empty, over v words of which word 0 has about half of all tokens.
func randomProblem(seed uint64, d, v, k, maxLength int) *Problem {
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
	return problemOf(v, k, docs...)
}

// topicalProblem draws documents from a model with true topics: topic k has
// the words with w mod k0 = k, and every document mixes two topics.
func topicalProblem(seed uint64, d, v, k, k0, length int) *Problem {
	r := rand.New(rand.NewPCG(seed, 1))
	docs := make([][]uint32, d)
	for i := range docs {
		topics := [2]int{r.IntN(k0), r.IntN(k0)}
		docs[i] = make([]uint32, length)
		for j := range docs[i] {
			docs[i][j] = uint32(topics[r.IntN(2)] + k0*r.IntN(v/k0))
		}
	}
	return problemOf(v, k, docs...)
}

// priorsFor returns an asymmetric α and a symmetric β.
func priorsFor(k int) *Priors {
	priors := &Priors{Beta: 0.3, Alpha: make([]float64, k)}
	for i := range priors.Alpha {
		priors.Alpha[i] = 0.3 + 0.4*float64(i%3)
	}
	return priors
}

// infos are the samplers that tests make by name.
var infos []Info

// Use says which samplers tests can make by name.
func Use(list ...Info) { infos = list }

// infoOf finds one of them.
func infoOf(name string) Info {
	for _, info := range infos {
		if info.Name == name {
			return info
		}
	}
	panic("no sampler " + name + " in use")
}

// newCalled makes the sampler called name.
func newCalled(name string, p *Problem) (Sampler, error) {
	if p.Tuning.Staleness > 0 {
		return newStale(infoOf(name), p)
	}
	return infoOf(name).New(p)
}

// start makes and starts the sampler called name.
func start(t testing.TB, name string, p *Problem, z []uint32, priors *Priors) Sampler {
	t.Helper()
	s, err := newCalled(name, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(z, priors); err != nil {
		t.Fatal(err)
	}
	return s
}

// sweep runs iterations from … to.
func sweep(t testing.TB, s Sampler, from, to int, priors *Priors) {
	t.Helper()
	for i := from; i <= to; i++ {
		if err := s.Sweep(t.Context(), i, priors); err != nil {
			t.Fatal(err)
		}
	}
}

// topicsOf returns a copy of the sampler's z.
func topicsOf(s Sampler, p *Problem) []uint32 {
	z := make([]uint32, p.N())
	s.Topics(z)
	return z
}

// recount is the state that follows from z alone.
type recount struct {
	ndk, nwk [][]int
	nk       []int
}

func recountOf(p *Problem, z []uint32) recount {
	c := recount{ndk: table(p.D(), p.K), nwk: table(p.V, p.K), nk: make([]int, p.K)}
	for d := range p.D() {
		for i := p.Offsets[d]; i < p.Offsets[d+1]; i++ {
			c.ndk[d][z[i]]++
			c.nwk[p.Words[i]][z[i]]++
			c.nk[z[i]]++
		}
	}
	return c
}

func table(rows, columns int) [][]int {
	t := make([][]int, rows)
	for i := range t {
		t[i] = make([]int, columns)
	}
	return t
}

// checkCounts fails the test when what the sampler tells about its counts is
// not what its z says.
func checkCounts(t *testing.T, p *Problem, s Sampler) {
	t.Helper()
	c := recountOf(p, topicsOf(s, p))
	for w := range p.V {
		var want []counts.Entry
		for k, n := range c.nwk[w] {
			if n > 0 {
				want = append(want, counts.Entry{Topic: uint32(k), Count: uint32(n)})
			}
		}
		if got := s.AppendRow(nil, w); !slices.Equal(got, want) {
			t.Fatalf("row of word %d is %v, z says %v", w, got, want)
		}
	}
	for k, n := range s.TopicTotals() {
		if int(n) != c.nk[k] {
			t.Fatalf("total of topic %d is %d, z says %d", k, n, c.nk[k])
		}
	}
	checkHistograms(t, p, c, s.Histograms())
}

func checkHistograms(t *testing.T, p *Problem, c recount, h *counts.Histograms) {
	t.Helper()
	lengths := make(map[int]int)
	topics := make(map[[2]int]int)
	words := make(map[int]int)
	for d := range p.D() {
		lengths[int(p.Offsets[d+1]-p.Offsets[d])]++
		for k, n := range c.ndk[d] {
			topics[[2]int{k, n}]++
		}
	}
	for w := range p.V {
		for _, n := range c.nwk[w] {
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
		if int(n) != c.nk[k] {
			t.Fatalf("histogram total of topic %d is %d, want %d", k, n, c.nk[k])
		}
	}
	checkHistogramEnds(t, c, h)
}

// checkHistogramEnds makes sure that no histogram stops short of its largest count.
func checkHistogramEnds(t *testing.T, c recount, h *counts.Histograms) {
	t.Helper()
	for _, row := range c.ndk {
		for k, n := range row {
			if n > 0 && n >= len(h.Topic[k]) {
				t.Fatalf("histogram of topic %d ends before %d", k, n)
			}
		}
	}
	for _, row := range c.nwk {
		if n := slices.Max(row); n > 0 && n >= len(h.WordTopic) {
			t.Fatalf("histogram of n_wk ends before %d", n)
		}
	}
}

// problems are the shapes that every sampler must survive.
func problems() map[string]*Problem {
	return map[string]*Problem{
		"random":          randomProblem(1, 40, 30, 7, 25),
		"more topics":     randomProblem(2, 10, 5, 70, 9),
		"one topic":       randomProblem(3, 10, 5, 1, 9),
		"one word":        randomProblem(4, 10, 1, 4, 9),
		"one-token docs":  problemOf(3, 4, []uint32{0}, []uint32{1}, []uint32{2}, []uint32{0}),
		"empty documents": problemOf(3, 4, nil, []uint32{1, 2}, nil, nil, []uint32{0}, nil),
		"nothing at all":  problemOf(3, 4, nil, nil),
		"no documents":    problemOf(3, 4),
		"one document":    problemOf(9, 3, []uint32{8, 0, 1, 8, 8, 2, 8, 3, 8, 4, 8}),
	}
}
