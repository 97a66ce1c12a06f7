package warp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
	"github.com/topoi-lda/topoi/internal/sampler/warp/walk"
	"pgregory.net/rapid"
)

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
		mix := walk.NewMix(n, smooth)
		if mix.Cut == 0 {
			return // the prior outweighs the row by 2^32
		}
		last := mix.Place(mix.Cut - 1)
		if int(last) >= n {
			t.Fatalf("place %d of %d", last, n)
		}
		if share := float64(last+1) / float64(n); share < 1-float64(n+1)/(1<<32)-1e-6 && mix.Cut > 1000 {
			t.Fatalf("last place is %d of %d", last, n)
		}
	})
}

// frozenWarpRow is a row with counts, and priors that are all different.
func frozenWarpRow(priors []float32, counts ...int32) *walk.Row {
	cells := make([]walk.TopicCell, len(counts))
	for k := range cells {
		cells[k] = walk.TopicCell{N: counts[k], Inv: 1 / float32(20+7*k), Prior: priors[k]}
	}
	return &walk.Row{Cells: cells, Each: true}
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
		row     *walk.Row // accepts
		q       []int32   // proposes
		qPriors []float32
		smooth  float64
		alias   walk.Alias
		own     uint32
	}{
		"doc-proposals":  {row: frozenWarpRow(betas, word...), q: doc, qPriors: alphas, smooth: 2.4, alias: walk.NewAlias(alpha, 2.4), own: 1},
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
			walk.DrawGo(proposal, random[2], random[1], places, walk.NewMix(len(places), c.smooth), 4, c.alias)
			walk.StepGo(z, own, proposal, random[0], c.row)
		}
		want, sum := make([]float64, 4), 0.0
		for k := range want {
			f := float64(c.row.Cells[k].N) + float64(c.row.Cells[k].Prior)
			if uint32(k) == c.own {
				f--
			}
			want[k] = (float64(c.q[k]) + float64(c.qPriors[k])) * f * float64(c.row.Cells[k].Inv)
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
		var a walk.Alpha
		a.Set(alpha)
		places, proposal, random := placesOf(counts), make([]uint32, tokens), drawsOf(tokens, 1)
		walk.DrawGo(proposal, random[0], random[1], places, walk.NewMix(len(places), a.Sum), 6, a.Alias)
		observed, want := make([]int, 6), make([]float64, 6)
		for _, k := range proposal {
			observed[k]++
		}
		for k := range want {
			want[k] = (float64(counts[k]) + alpha[k]) / (12 + a.Sum)
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
	mix := walk.NewMix(10_000_000, topics*0.01)
	seen := make([]int, topics)
	for y := uint64(mix.Cut); y < 1<<32; y++ {
		for x := range uint32(256) {
			seen[walk.WarpSmooth(x, uint32(y), topics, walk.Alias{})]++
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
