package hyper

import (
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/rng"
)

// threeDocs are documents of 3, 4 and 4 tokens over two topics: (3 0), (1 3) and (2 2).
func threeDocs() *counts.Histograms {
	return &counts.Histograms{Topic: [][]uint32{{0, 1, 1, 1}, {1, 0, 1, 1}}, DocLengths: []uint64{0, 0, 0, 1, 2}}
}

// The asymmetric α takes five steps of its formula.
func TestAlphaByItsFormula(t *testing.T) {
	h := threeDocs()
	want := []float64{0.75, 0.5}
	for range 5 {
		denominator := 1 + rise(want[0]+want[1], h.DocLengths)
		for k := range want {
			want[k] = (0.001 + want[k]*rise(want[k], h.Topic[k])) / denominator
		}
	}
	got := Alpha([]float64{0.75, 0.5}, h, 1)
	for k := range want {
		if !(math.Abs(got[k]-want[k]) <= 1e-12) {
			t.Errorf("α of topic %d is %v, want %v", k, got[k], want[k])
		}
	}
}

// β takes five steps of its formula, by the digamma function, which counts of any size need.
func TestBetaByItsFormula(t *testing.T) {
	h := &counts.Histograms{WordTopic: []uint64{0, 3, 1, 0, 2}, TopicTotals: []uint64{6, 7}} // 1 1 1 2 4 4 in three words
	want := 0.3
	for range 5 {
		denominator := 0.0
		for _, n := range h.TopicTotals {
			denominator += 3 * (digamma(3*want+float64(n)) - digamma(3*want))
		}
		want = (0.001 + want*rise(want, h.WordTopic)) / (1 + denominator)
	}
	if got := Beta(0.3, h, 3); !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("β is %v, want %v", got, want)
	}
}

// Bin 0 adds nothing, whatever is in it, and no bins add nothing.
func TestDigammaRise(t *testing.T) {
	for _, c := range []struct {
		x    float64
		h    []uint64
		want float64
	}{
		{0.5, nil, 0},
		{0.5, []uint64{9}, 0},
		{0.5, []uint64{9, 1}, 2},                      // 1 / 0.5
		{0.5, []uint64{0, 0, 3}, 3 * (2 + 1/1.5)},     // and 1 / 1.5
		{2, []uint64{0, 1, 1, 2}, 4*0.5 + 3./3 + 0.5}, // 1/2, 1/3 and 1/4, of the 4, 3 and 2 that get that far
	} {
		if got := digammaRise(c.x, c.h); !(math.Abs(got-c.want) <= 1e-14) {
			t.Errorf("x = %v, %v: %v, want %v", c.x, c.h, got, c.want)
		}
	}
}

// The least Σα is half of √K or of the mean length, whichever is less. A smaller sum is raised in proportion.
func TestLeastSum(t *testing.T) {
	for _, c := range []struct {
		topics       int
		length, want float64
	}{{100, 1000, 5}, {100, 10, 5}, {100, 7, 3.5}, {1, 100, 0.5}, {0, 100, 0}} {
		if got := LeastSum(c.topics, c.length); got != c.want {
			t.Errorf("%d topics, length %v: %v, want %v", c.topics, c.length, got, c.want)
		}
	}
	for least, want := range map[float64][]float64{6: {2, 4}, 3: {1, 2}, 1: {1, 2}} {
		alpha := []float64{1, 2}
		if atLeast(alpha, least); !slices.Equal(alpha, want) {
			t.Errorf("at least %v: %v, want %v", least, alpha, want)
		}
	}
}

// The symmetric α that is learnt begins at the mean, and is K-th of the least sum where it would be less.
func TestLearnSymmetric(t *testing.T) {
	h := threeDocs()
	one := SymmetricAlpha(1, h)
	if got := LearnSymmetric([]float64{0.5, 1.5}, h, 0); !slices.Equal(got, []float64{one, one}) {
		t.Errorf("α %v, want %v", got, one)
	}
	none := &counts.Histograms{Topic: make([][]uint32, 4)}
	got := LearnSymmetric([]float64{1e-6, 1e-6, 1e-6, 1e-6}, none, 100)
	if !slices.Equal(got, slices.Repeat([]float64{0.25}, 4)) {
		t.Errorf("α %v, want a fourth of √4/2 each", got)
	}
}

// Every number is taken once, by any number of goroutines.
func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 64, 100} {
		for _, threads := range []int{0, 1, 2, 5} {
			for _, run := range []int{1, 8} {
				seen := make([]atomic.Int32, n)
				each(n, run, threads, func(k int) { seen[k].Add(1) })
				for k := range seen {
					if times := seen[k].Load(); times != 1 {
						t.Fatalf("%d of %d by %d threads: %d is taken %d times", run, n, threads, k, times)
					}
				}
			}
		}
	}
}

// log Γ(x + n) - log Γ(x) is the logarithm of a product, for small and large n alike.
func TestRiser(t *testing.T) {
	for _, x := range []float64{0.001, 0.5, 3, 400} {
		r := riser{x: x}
		sum := 0.0
		for n := range 30 {
			for range 2 { // log Γ(x) is kept
				if got := r.by(n); !(math.Abs(got-sum) <= 1e-12*max(1, math.Abs(sum))) {
					t.Errorf("x = %v, n = %d: %v, want %v", x, n, got, sum)
				}
			}
			sum += math.Log(x + float64(n))
		}
	}
}

// Terms are those of bins that are not empty, in a range of them, with their sign.
func TestTerms(t *testing.T) {
	h := []uint64{7, 2, 0, 1}
	one, three := 2*math.Log(0.5), math.Log(0.5*1.5*2.5)
	for _, c := range []struct {
		sign     float64
		from, to int
		want     []float64
	}{
		{1, 0, 4, []float64{one, three}},
		{-1, 0, 9, []float64{-one, -three}},
		{1, 0, 3, []float64{one}},
		{1, 2, 4, []float64{three}},
		{1, 4, 8, nil},
	} {
		got := binTerms(c.sign, 0.5, h, c.from, c.to)
		if len(got) != len(c.want) {
			t.Fatalf("%+v: %v", c, got)
		}
		for i := range got {
			if !(math.Abs(got[i]-c.want[i]) <= 1e-14) {
				t.Errorf("%+v: %v", c, got)
			}
		}
	}
	if got := totalTerms([]uint64{0, 2}, 1.5); got[0] != 0 || !(math.Abs(got[1]+math.Log(1.5*2.5)) <= 1e-14) {
		t.Errorf("terms of topics %v", got)
	}
}

// What rounding loses is kept, whichever number is larger.
func TestCompensatedSum(t *testing.T) {
	for _, list := range [][]float64{{1e16, 1, -1e16}, {1, 1e16, -1e16}, {-1e16, 1, 1e16}, {1, -1e16, 1e16}} {
		var s compensatedSum
		for _, x := range list {
			s.add(x)
		}
		if s.value() != 1 {
			t.Errorf("%v add up to %v", list, s.value())
		}
	}
}

// α of a group is the exponential of its row times λ, within bounds.
func TestRegressionAlpha(t *testing.T) {
	r := Regression{Rows: [][]float64{{1, 0}, {1, 2}, {1, -30}, {1, 30}}, Threads: 1}
	got := r.Alpha([][]float64{{0.5, 1}, {-1, 0.25}})
	for g, want := range [][]float64{
		{math.Exp(0.5), math.Exp(-1)},
		{math.Exp(2.5), math.Exp(-0.5)},
		{math.Exp(-20), math.Exp(-8.5)},
		{math.Exp(6), math.Exp(6)},
	} {
		for k := range want {
			if !(math.Abs(got[g][k]-want[k]) <= 1e-12*want[k]) {
				t.Errorf("α of group %d, topic %d is %v, want %v", g, k, got[g][k], want[k])
			}
		}
	}
}

// The bound of a group has the digamma rises of its topics and lengths.
func TestBound(t *testing.T) {
	alpha := []float64{0.5, 1, 2}
	k := len(alpha)
	bins := []counts.Bin{
		{Cell: counts.Cell(4, 0, k), N: 1, Times: 2},
		{Cell: counts.Cell(4, 0, k), N: 3, Times: 1},
		{Cell: counts.Cell(4, 2, k), N: 2, Times: 3},
		{Cell: counts.Cell(4, k, k), N: 1, Times: 1},
		{Cell: counts.Cell(4, k, k), N: 4, Times: 2},
	}
	rises := []float64{10, 20, 30}
	b := bound(rises, alpha, bins)
	want := []float64{10 + rise(0.5, []uint64{0, 2, 0, 1}), 20, 30 + rise(2, []uint64{0, 0, 3})}
	for k := range want {
		if !(math.Abs(rises[k]-want[k]) <= 1e-13) {
			t.Errorf("topic %d rises by %v, want %v", k, rises[k], want[k])
		}
	}
	if want := rise(3.5, []uint64{0, 1, 0, 0, 2}); !(math.Abs(b-want) <= 1e-13) {
		t.Errorf("lengths rise by %v, want %v", b, want)
	}
}

// A Newton step solves its system; one that would change a log α by more than 1/2 is shortened to that.
func TestNewtonStep(t *testing.T) {
	r := Regression{Rows: [][]float64{{1, 2}, {1, -1}}, Threads: 1}
	lambda, alpha := []float64{0.3, -0.2}, [][]float64{{9, 0.5}, {9, 1.5}}
	rises, b := [][]float64{{7, 2}, {7, 0.5}}, []float64{1.2, 0.8}
	// With w_g = b_g α_g = 0.6, 1.2 and a_g = rise_g α_g = 1, 0.75, for topic 1:
	//
	//	gradient = Σ x (a - w) - λ/σ² = (0.4 - 0.45 - 0.003, 0.8 + 0.45 + 0.2)
	//	matrix   = Σ w x xᵀ + 1/σ²    = (1.8 + 0.01, 1.2 - 1.2; ., 2.4 + 1.2 + 1)
	want := []float64{-0.053 / 1.81, 1.45 / 4.6}
	got := r.newton(lambda, 1, alpha, rises, b)
	for f := range want {
		if !(math.Abs(got[f]-want[f]) <= 1e-14) {
			t.Errorf("step %v, want %v", got, want)
		}
	}
	// Log α of group 0 would change by -0.0293 + 2 · 0.3152 = 0.6011.
	next, length := r.poisson(lambda, 1, alpha, rises, b), 0.5/(want[0]+2*want[1])
	for f := range want {
		if !(math.Abs(next[f]-lambda[f]-length*want[f]) <= 1e-14) {
			t.Errorf("λ becomes %v, a part of %v of %v", next, length, want)
		}
	}
	if !slices.Equal(lambda, []float64{0.3, -0.2}) {
		t.Errorf("the old λ is now %v", lambda)
	}
	short := Regression{Rows: [][]float64{{1, 1}, {1, -1}}}
	step := short.newton(lambda, 1, alpha, rises, b)
	if next := short.poisson(lambda, 1, alpha, rises, b); !(math.Abs(next[1]-lambda[1]-step[1]) <= 1e-15) {
		t.Errorf("a short step %v leads from %v to %v", step, lambda, next)
	}
}

// solve replaces the right side of a system by its solution.
func TestSolve(t *testing.T) {
	// (4 2 1; 2 5 3; 1 3 6) (1 -2 3)ᵀ = (3, 1, 13)ᵀ
	m, y := [][]float64{{4, 2, 1}, {0, 5, 3}, {0, 0, 6}}, []float64{3, 1, 13}
	solve(m, y)
	for i, want := range []float64{1, -2, 3} {
		if !(math.Abs(y[i]-want) <= 1e-14) {
			t.Errorf("the solution is %v", y)
		}
	}
}

// A group's documents have the Dirichlet-multinomial probability of the topics that they may have.
func TestDocTerms(t *testing.T) {
	const k = 4
	alpha, topics := []float64{0.5, 2}, []uint32{1, 3}
	// Documents (2 1), (2 12) and (0 3) in topics 1 and 3.
	bins := []counts.Bin{
		{Cell: counts.Cell(2, 1, k), N: 2, Times: 2},
		{Cell: counts.Cell(2, 3, k), N: 1, Times: 1},
		{Cell: counts.Cell(2, 3, k), N: 3, Times: 1},
		{Cell: counts.Cell(2, 3, k), N: 12, Times: 1},
		{Cell: counts.Cell(2, k, k), N: 3, Times: 2},
		{Cell: counts.Cell(2, k, k), N: 14, Times: 1},
	}
	lgamma := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	want := 0.0
	for _, n := range [][]float64{{2, 1}, {2, 12}, {0, 3}} {
		want += lgamma(2.5) - lgamma(2.5+n[0]+n[1])
		for i, a := range alpha {
			want += lgamma(a+n[i]) - lgamma(a)
		}
	}
	if got := DocTerms(bins, k, topics, alpha); !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := DocTerms(nil, k, topics, alpha); got != 0 {
		t.Errorf("no documents: %v", got)
	}
}

// Each draw has random numbers of its own: of a topic, a count and an iteration.
func TestTablesAreIndependent(t *testing.T) {
	h := &counts.Histograms{Topic: [][]uint32{{0, 0, 0, 400}, {0, 0, 0, 400}}}
	p := HDP{Key: rng.NewKey(5), Gamma: 1.5, Tables: 1, Weights: 2, Threads: 1}
	// Each topic has 400 first customers, and as many second and third ones, who find a table with chance 0.5 / (0.5 + i).
	sums := map[uint64]bool{}
	for i := range 20 {
		p.Iteration = uint32(i)
		l := p.tables([]float64{0.5, 0.5}, h)
		for _, n := range l {
			mean, deviation := 400*(1+0.5/1.5+0.5/2.5), math.Sqrt(400*(2./9+4./25))
			if !(math.Abs(float64(n)-mean) <= 5*deviation) {
				t.Errorf("%d tables, %.0f expected", n, mean)
			}
		}
		if l[0] == l[1] {
			sums[l[0]] = true
		}
	}
	if len(sums) > 4 { // two equal numbers have a chance of 1 in 45
		t.Errorf("two topics have the same tables %d times of 20", len(sums))
	}
}

// One table for certain, where there is one customer; none where there is none.
func TestFewTables(t *testing.T) {
	h := &counts.Histograms{Topic: [][]uint32{{0, 7}, {}, {0}}}
	if l := hdp(3).tables([]float64{0.1, 0.1, 0.1}, h); !slices.Equal(l, []uint64{7, 0, 0}) {
		t.Errorf("tables %v, want 7, 0 and 0", l)
	}
}

// α of an HDP sums to what Minka's fixed point gives for the weights drawn, to the least sum of the live topics at
// least, and no topic has less than the α of a dead one.
func TestHDPAlphaByItsFormula(t *testing.T) {
	h := threeDocs()
	h.Topic = append(h.Topic, nil) // a dead topic
	for _, c := range []struct {
		alpha  []float64
		length float64
		raised bool
	}{{[]float64{0.75, 0.5, 1e-9}, 0.1, false}, {[]float64{0.05, 0.05, 1e-9}, 1000, true}} {
		alpha, length, p := c.alpha, c.length, hdp(4)
		psi := p.weights(p.tables(alpha, h))
		sum := alpha[0] + alpha[1] + alpha[2]
		for range 5 {
			numerator := 0.0
			for k := range 2 {
				numerator += psi[k] * rise(max(sum*psi[k], 1e-9), h.Topic[k])
			}
			sum = (0.001 + sum*numerator) / (1 + rise(sum, h.DocLengths))
		}
		least := LeastSum(2, length)
		if raised := sum < least; raised != c.raised {
			t.Fatalf("Σα is %v by itself, at least %v", sum, least)
		}
		sum = max(sum, least)
		for k, got := range p.Alpha(alpha, h, length) {
			if want := max(sum*psi[k], 1e-9); !(math.Abs(got-want) <= 1e-12) {
				t.Errorf("length %v: α of topic %d is %v, want %v", length, k, got, want)
			}
		}
	}
}

// Without tokens nothing is learnt of Σα.
func TestHDPWithoutTokens(t *testing.T) {
	h := &counts.Histograms{Topic: make([][]uint32, 3)}
	sum := 0.0
	for _, a := range hdp(1).Alpha([]float64{0.5, 1, 2}, h, 50) {
		sum += a
	}
	if !(math.Abs(sum-3.5) <= 1e-8) {
		t.Errorf("Σα is %v, want 3.5", sum)
	}
}

// The digamma function has these bits on every machine, on both sides of the place from where its series is used.
func TestDigammaBits(t *testing.T) {
	for x, want := range map[float64]float64{
		9.5: 0x1.194f79882a637p+01, 10: 0x1.20396dc85cc95p+01, 10.25: 0x1.238bd4a0f893ap+01, 10.5: 0x1.26c8bce67b3bp+01,
	} {
		if got := digamma(x); got != want {
			t.Errorf("ψ(%v) = %x, want %x", x, got, want)
		}
	}
}

// Draws use the random numbers that they always used: a model is made of them. Where few successes are expected, one
// number is enough; otherwise each halving takes two.
func TestDrawsStay(t *testing.T) {
	const index = 3<<40 | 7<<8
	for _, c := range []struct {
		n          uint64
		p          float64
		want, used uint64
	}{
		{1, 0.3, 1, 0},
		{5, 0.5, 5, 0},
		{64, 0.5, 42, 0},
		{64, 0.9, 51, 0},
		{65, 0.5, 40, 2},
		{100, 0.01, 4, 0},
		{1000, 0.03, 32, 8},
		{1000, 0.6, 619, 6},
		{100_000, 0.2, 20_116, 18},
		{3_000_000, 0.7, 2_100_924, 32},
	} {
		b := binomial{HDP: hdp(1), index: index}
		if got := b.draw(c.n, c.p); got != c.want || b.index-index != c.used {
			t.Errorf("Binomial(%d, %g) is %d by %d numbers, want %d by %d", c.n, c.p, got, b.index-index, c.want, c.used)
		}
	}
	h := &counts.Histograms{Topic: [][]uint32{{0, 300, 200, 100, 5}, {0, 0, 40}, {0, 9}}}
	l := hdp(2).tables([]float64{0.5, 0.2, 0.1}, h)
	if !slices.Equal(l, []uint64{722, 45, 9}) {
		t.Errorf("tables %v", l)
	}
	want := []float64{0.91778544058494271, 0.066641415261240011, 0.015573144153817333}
	if got := hdp(2).weights(l); !slices.Equal(got, want) {
		t.Errorf("weights %v, want %v", got, want)
	}
}
