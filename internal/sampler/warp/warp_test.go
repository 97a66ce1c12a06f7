package warp

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// warpByDefinition does what warp's comment says, one token after the other with
// all counts in tables, and returns z in corpus order after each iteration.
func warpByDefinition(p *sampler.Problem, iterations int, priors *sampler.Priors) [][]uint32 {
	d := newWarpDefinition(p, priors)
	d.propose(0)
	var states [][]uint32
	for i := range iterations {
		d.iterate(uint32(i + 1))
		z := make([]uint32, p.N())
		for token, at := range d.at {
			z[token] = d.z[at]
		}
		states = append(states, z)
	}
	return states
}

// warpDefinition is a slow warp. Tokens are in grid order.
type warpDefinition struct {
	p        *sampler.Problem
	m        int
	priors   *sampler.Priors
	alias    warpAlias
	at       []int // corpus order: the token's place in grid order
	z        []uint32
	proposal [][]uint32 // token × M
	word     []uint32   // word of each token
	doc      []int      // document
	counter  [][2]uint32
}

func newWarpDefinition(p *sampler.Problem, priors *sampler.Priors) *warpDefinition {
	d := &warpDefinition{
		p: p, m: cmp.Or(p.Tuning.MHSteps, 2), priors: priors, at: make([]int, p.N()),
		z: make([]uint32, p.N()), word: make([]uint32, p.N()),
	}
	sum := 0.0
	for _, a := range priors.Alpha {
		sum += a
	}
	if slices.Min(priors.Alpha) != slices.Max(priors.Alpha) {
		d.alias = newWarpAlias(priors.Alpha, sum)
	}
	g := grid.New(p.Offsets, p.Words, p.V, grid.Limits{Tokens: 1 << 16, Docs: 1 << 16})
	next := slices.Clone(p.Offsets)
	for b, block := range g.Blocks {
		for _, seg := range g.Segments[block.FirstSeg:block.LastSeg] {
			for i := seg.Begin; i < seg.End; i++ {
				token := block.Begin + int(i)
				doc := block.FirstDoc + int(g.Docs[token])
				d.word[token] = seg.Word
				d.doc = append(d.doc, doc)
				d.counter = append(d.counter, [2]uint32{i, uint32(b)})
				d.at[next[doc]] = token
				next[doc]++
			}
		}
	}
	z := make([]uint32, p.N())
	sampler.RandomTopics(p, z)
	for token, at := range d.at {
		d.z[at] = z[token]
		d.proposal = append(d.proposal, make([]uint32, d.m))
	}
	return d
}

// random returns x and y of a proposal.
func (d *warpDefinition) random(token, j int, iteration uint32, purpose rng.Purpose) (x, y uint32) {
	c := d.counter[token]
	words := rng.NewKey(d.p.Seed).Block(c[0], iteration, uint32(purpose)+256*uint32(j/2), c[1])
	return words[2*(j%2)], words[2*(j%2)+1]
}

func (d *warpDefinition) iterate(iteration uint32) {
	nk := make([]int, d.p.K)
	for _, k := range d.z {
		nk[k]++
	}
	inv := func(k uint32) float32 {
		return float32(1 / (float64(nk[k]) + float64(float64(d.p.V)*d.priors.Beta)))
	}
	rows := d.rows(func(token int) int { return int(d.word[token]) }, d.p.V)
	d.walk(rows, func(token int) int { return int(d.word[token]) }, func(uint32) float32 { return float32(d.priors.Beta) }, inv, iteration, sampler.ForWarpWord)
	sorted := make([][]uint32, d.p.V)
	for w, row := range rows {
		sorted[w] = placesOf(row)
	}
	for token, proposals := range d.proposal {
		for j := range proposals {
			x, y := d.random(token, j, iteration, sampler.ForWarpWord)
			proposals[j] = d.Draw(x, y, sorted[d.word[token]], float64(d.p.K)*d.priors.Beta, warpAlias{})
		}
	}
	rows = d.rows(func(token int) int { return d.doc[token] }, d.p.D())
	d.walk(rows, func(token int) int { return d.doc[token] }, func(k uint32) float32 { return float32(d.priors.Alpha[k]) }, inv, iteration, sampler.ForWarpDoc)
	d.propose(iteration)
}

// rows counts n_x for every x.
func (d *warpDefinition) rows(of func(token int) int, n int) [][]int {
	rows := samplertest.Table(n, d.p.K)
	for token, k := range d.z {
		rows[of(token)][k]++
	}
	return rows
}

func (d *warpDefinition) walk(rows [][]int, of func(token int) int, prior, inv func(k uint32) float32, iteration uint32, purpose rng.Purpose) {
	for token, own := range d.z {
		f := func(k uint32) float32 {
			n := rows[of(token)][k]
			if k == own {
				n--
			}
			sum := float32(n) + prior(k)
			return sum * inv(k)
		}
		s := own
		for j, t := range d.proposal[token] {
			x, _ := d.random(token, j, iteration, purpose)
			left := rng.Float32(x) * f(s)
			if left < f(t) {
				s = t
			}
		}
		d.z[token] = s
	}
}

// propose draws all doc-proposals.
func (d *warpDefinition) propose(iteration uint32) {
	sum := 0.0
	for _, a := range d.priors.Alpha {
		sum += a
	}
	for doc := range d.p.D() {
		var topics []uint32
		tokens := d.at[d.p.Offsets[doc]:d.p.Offsets[doc+1]]
		for _, at := range tokens {
			topics = append(topics, d.z[at])
		}
		for _, at := range tokens {
			for j := range d.proposal[at] {
				x, y := d.random(at, j, iteration, sampler.ForWarpDoc)
				d.proposal[at][j] = d.Draw(x, y, topics, sum, d.alias)
			}
		}
	}
}

func (d *warpDefinition) Draw(x, y uint32, places []uint32, smooth float64, alias warpAlias) uint32 {
	n := float64(len(places))
	total := n + smooth
	if y < uint32(min(math.MaxUint32, math.Floor(n/total*(1<<32)))) {
		e := 0
		for math.Ldexp(1, e) <= total {
			e++
		}
		mul := uint64(math.Floor(math.Ldexp(total, 32-e)))
		return places[uint64(y)*mul>>(64-e)]
	}
	v := (y<<8 | x%256) * 0x9E3779B1
	k := uint64(v) * uint64(d.p.K) >> 32
	if alias.other != nil && uint32(uint64(v)*uint64(d.p.K)) >= alias.threshold[k] {
		return alias.other[k]
	}
	return uint32(k)
}

// warp must do what its comment says, on every shape, for any number of
// topics and proposals.
func TestWarpFollowsItsDefinition(t *testing.T) {
	shapes := samplertest.Problems()
	for _, k := range []int{1, 2, 31, 32, 33, 1000, 65535, 65536, 65537} {
		shapes[fmt.Sprintf("K=%d", k)] = samplertest.RandomProblem(uint64(k), 25, 12, k, 60)
	}
	for name, p := range shapes {
		for _, m := range []int{1, 2, 3} {
			for _, symmetric := range []bool{true, false} {
				p.Tuning.MHSteps = m
				priors := samplertest.PriorsFor(p.K)
				if symmetric {
					priors.Alpha = slices.Repeat([]float64{0.7}, p.K)
				}
				s := samplertest.Start(t, "warp", p, nil, priors)
				for i, want := range warpByDefinition(p, 3, priors) {
					samplertest.Sweep(t, s, i+1, i+1, priors)
					if !slices.Equal(samplertest.TopicsOf(s, p), want) {
						t.Fatalf("%s, M = %d, symmetric α %v: iteration %d differs", name, m, symmetric, i+1)
					}
				}
			}
		}
	}
}

// Documents longer than a block, words longer than a chunk, several blocks.
func TestWarpAcrossBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	var docs [][]uint32
	for _, length := range []int{10, 70_000, 0, 30_000, 30_000, 30_000, 1} {
		doc := make([]uint32, length)
		for i := range doc {
			doc[i] = uint32(r.IntN(40) * r.IntN(2))
		}
		docs = append(docs, doc)
	}
	p := samplertest.ProblemOf(40, 50, docs...)
	p.Threads = 3
	priors := samplertest.PriorsFor(p.K)
	s := samplertest.Start(t, "warp", p, nil, priors)
	samplertest.CheckCounts(t, p, s)
	for i, want := range warpByDefinition(p, 2, priors) {
		samplertest.Sweep(t, s, i+1, i+1, priors)
		if !slices.Equal(samplertest.TopicsOf(s, p), want) {
			t.Fatalf("iteration %d differs", i+1)
		}
	}
	samplertest.CheckCounts(t, p, s)
}

// A change of α between two sweeps must reach the doc-proposals, whether the run
// was stopped there or not.
func TestWarpResumesAfterNewAlpha(t *testing.T) {
	p := samplertest.RandomProblem(1, 40, 30, 7, 25)
	before, after := samplertest.PriorsFor(p.K), samplertest.PriorsFor(p.K)
	slices.Reverse(after.Alpha)
	after.Alpha[0] = 3
	whole := samplertest.Start(t, "warp", p, nil, before)
	samplertest.Sweep(t, whole, 1, 3, before)
	resumed := samplertest.Start(t, "warp", p, samplertest.TopicsOf(whole, p), after)
	stale := samplertest.Start(t, "warp", p, samplertest.TopicsOf(whole, p), before)
	samplertest.Sweep(t, whole, 4, 5, after)
	samplertest.Sweep(t, resumed, 4, 5, after)
	samplertest.Sweep(t, stale, 4, 5, before)
	if !slices.Equal(samplertest.TopicsOf(whole, p), samplertest.TopicsOf(resumed, p)) {
		t.Error("stopping where α changes changes the result")
	}
	if slices.Equal(samplertest.TopicsOf(whole, p), samplertest.TopicsOf(stale, p)) {
		t.Error("α does not matter")
	}
}

// Every place of a row can be drawn and none beyond its end.
func TestWarpMixStaysInsideTheRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1<<31-1).Draw(t, "n")
		smooth := math.Exp(rapid.Float64Range(-20, 20).Draw(t, "log smooth"))
		mix := newWarpMix(n, smooth)
		if mix.cut == 0 {
			return // the prior outweighs the row by 2^32
		}
		last := mix.place(mix.cut - 1)
		if int(last) >= n {
			t.Fatalf("place %d of %d", last, n)
		}
		if share := float64(last+1) / float64(n); share < 1-float64(n+1)/(1<<32)-1e-6 && mix.cut > 1000 {
			t.Fatalf("last place is %d of %d", last, n)
		}
	})
}

// frozenWarpRow is a row with counts, and priors that are all different.
func frozenWarpRow(priors []float32, counts ...int32) *warpRow {
	cells := make([]topicCell, len(counts))
	for k := range cells {
		cells[k] = topicCell{n: counts[k], inv: 1 / float32(20+7*k), prior: priors[k]}
	}
	return &warpRow{cells: cells, each: true}
}

// drawsOf fills the columns of n tokens with random words.
func drawsOf(n int, iteration uint32) *rng.Words {
	at, block := make([]uint32, n), make([]uint32, n)
	out := &rng.Words{make([]uint32, n), make([]uint32, n), make([]uint32, n), make([]uint32, n)}
	for i := range at {
		at[i] = uint32(i)
	}
	rng.NewKey(11).Blocks(out, at, iteration, 0, block)
	return out
}

// placesOf lists every topic as often as it is counted.
func placesOf[N int | int32](counts []N) []uint32 {
	var places []uint32
	for k, n := range counts {
		for range int(n) {
			places = append(places, uint32(k))
		}
	}
	return places
}

// With the row and the proposals' distribution frozen, the chain of proposals
// drawn from q(k) ∝ n_qk + prior_k and accepted by f leaves q(k) f(k) unchanged,
// f without the token's own count. Tokens are independent, so after enough steps
// the frequencies of their topics have chi-square distances as in
// TestStateFrequencies. The chains forget their start at a rate of 0.75 a step or
// faster (the smallest acceptance is 1/4), so 60 steps leave nothing of it.
func TestWarpChainIsStationary(t *testing.T) {
	const tokens, steps = 100_000, 60
	alpha := []float64{0.5, 0.1, 1.5, 0.3}
	alphas := []float32{0.5, 0.1, 1.5, 0.3}
	betas := []float32{0.2, 0.2, 0.2, 0.2}
	doc, word := []int32{3, 0, 2, 6}, []int32{5, 2, 0, 9}
	cases := map[string]struct {
		row     *warpRow // accepts
		q       []int32  // proposes
		qPriors []float32
		smooth  float64
		alias   warpAlias
		own     uint32
	}{
		"doc-proposals":  {row: frozenWarpRow(betas, word...), q: doc, qPriors: alphas, smooth: 2.4, alias: newWarpAlias(alpha, 2.4), own: 1},
		"word-proposals": {row: frozenWarpRow(alphas, doc...), q: word, qPriors: betas, smooth: 0.8, own: 3},
	}
	for name, c := range cases {
		z, own, proposal := make([]uint32, tokens), make([]uint32, tokens), make([]uint32, tokens)
		for i := range z {
			z[i], own[i] = c.own, c.own
		}
		places := placesOf(c.q)
		for step := range steps {
			random := drawsOf(tokens, uint32(step))
			warpDrawGo(proposal, random[2], random[1], places, newWarpMix(len(places), c.smooth), 4, c.alias)
			warpStepGo(z, own, proposal, random[0], c.row)
		}
		want, sum := make([]float64, 4), 0.0
		for k := range want {
			f := float64(c.row.cells[k].n) + float64(c.row.cells[k].prior)
			if uint32(k) == c.own {
				f--
			}
			want[k] = (float64(c.q[k]) + float64(c.qPriors[k])) * f * float64(c.row.cells[k].inv)
			sum += want[k]
		}
		observed := make([]int, 4)
		for k := range want {
			want[k] /= sum
		}
		for _, k := range z {
			observed[k]++
		}
		if x := samplertest.ChiSquare(observed, want); x > 4 {
			t.Errorf("%s: chi-square lies %.1f standard deviations above its mean: %v, want %v", name, x, observed, want)
		}
	}
}

// Proposals follow n_xk + prior_k. Bound as for TestStateFrequencies.
func TestWarpProposals(t *testing.T) {
	const tokens = 1_000_000
	counts := []int32{3, 0, 2, 6, 0, 1}
	for name, alpha := range map[string][]float64{
		"symmetric":  {0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
		"asymmetric": {0.1, 2, 0.3, 0.004, 5, 1},
	} {
		var a warpAlpha
		a.Set(alpha)
		places, proposal, random := placesOf(counts), make([]uint32, tokens), drawsOf(tokens, 1)
		warpDrawGo(proposal, random[0], random[1], places, newWarpMix(len(places), a.sum), 6, a.alias)
		observed, want := make([]int, 6), make([]float64, 6)
		for _, k := range proposal {
			observed[k]++
		}
		for k := range want {
			want[k] = (float64(counts[k]) + alpha[k]) / (12 + a.sum)
		}
		if x := samplertest.ChiSquare(observed, want); x > 4 {
			t.Errorf("%s α: chi-square lies %.1f standard deviations above its mean: %v", name, x, observed)
		}
	}
}

// Where a word has so many tokens that few y are left for the prior, these must
// still reach all topics: 2^32 β/(n+Kβ) = 4.3 of them for each topic here, which
// one random byte makes 1,100.
func TestWarpSmoothingReachesAllTopics(t *testing.T) {
	const topics = 1000
	mix := newWarpMix(10_000_000, topics*0.01)
	seen := make([]int, topics)
	for y := uint64(mix.cut); y < 1<<32; y++ {
		for x := range uint32(256) {
			seen[warpSmooth(x, uint32(y), topics, warpAlias{})]++
		}
	}
	if lo, hi := slices.Min(seen), slices.Max(seen); lo < 1050 || hi > 1150 {
		t.Errorf("a topic stands for %d to %d of the random numbers left", lo, hi)
	}
}

// A worker's totals have 32 bits, and must be added to n_k before they overflow.
func TestWarpFlushes(t *testing.T) {
	p := samplertest.RandomProblem(6, 5000, 50, 20, 60)
	priors := samplertest.PriorsFor(p.K)
	run := func() []uint64 {
		s := samplertest.Start(t, "warp", p, nil, priors)
		samplertest.Sweep(t, s, 1, 2, priors)
		return s.TopicTotals()
	}
	want := run()
	defer func(n int) { warpFlush = n }(warpFlush)
	warpFlush = 70_000 // a block and a little
	if got := run(); !slices.Equal(got, want) {
		t.Errorf("totals %v, want %v", got, want)
	}
}
