package hyper

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/rng"
)

func hdp(iteration int) HDP {
	return HDP{Key: rng.NewKey(5), Iteration: uint32(iteration), Gamma: 1.5, Tables: 1, Weights: 2, Threads: 2}
}

// Draws of both kinds, by halves and by adding up probabilities, follow the distribution function of
// the binomial. Its distance to that of m draws is below 1.95/√m with probability 0.999.
func TestBinomial(t *testing.T) {
	const m = 20_000
	for _, c := range []struct {
		n uint64
		p float64
	}{{1, 0.3}, {64, 0.5}, {64, 0.9}, {65, 0.5}, {1000, 0.01}, {1000, 0.03}, {1000, 0.6}, {1000, 0.999}, {100_000, 0.2}, {3_000_000, 0.7}} {
		draws := make([]float64, m)
		for i := range draws {
			b := binomial{HDP: hdp(1), index: uint64(i) << 8}
			draws[i] = float64(b.draw(c.n, c.p))
		}
		slices.Sort(draws)
		want, worst := distuv.Binomial{N: float64(c.n), P: c.p}, 0.0
		for i, x := range draws {
			if i == m-1 || draws[i+1] != x {
				worst = max(worst, math.Abs(float64(i+1)/m-want.CDF(x)))
			}
		}
		if worst > 1.95/math.Sqrt(m) {
			t.Errorf("Binomial(%d, %g) is off by %g", c.n, c.p, worst)
		}
	}
	for _, p := range []float64{0, 1} {
		b := binomial{HDP: hdp(1)}
		if got := b.draw(1000, p); got != uint64(1000*p) {
			t.Errorf("Binomial(1000, %g) is %d", p, got)
		}
	}
}

// restaurants returns the distribution of the number of tables in a Chinese restaurant with n guests
// and concentration a: |s(n, l)| a^l Γ(a)/Γ(a+n), by the recurrence of Stirling numbers.
func restaurants(n int, a float64) []float64 {
	p := []float64{1}
	for i := range n {
		next := make([]float64, len(p)+1)
		for l, x := range p {
			next[l+1] += x * a / (a + float64(i))
			next[l] += x * float64(i) / (a + float64(i))
		}
		p = next
	}
	return p
}

// l is drawn from its posterior: documents with 4, 2 and 2 tokens of the topic are three restaurants.
func TestTablesAreThoseOfRestaurants(t *testing.T) {
	const m, a = 40_000, 0.7
	h := &counts.Histograms{Topic: [][]uint32{{0, 0, 2, 0, 1}, nil}}
	want := []float64{1}
	for _, n := range []int{4, 2, 2} {
		sum := make([]float64, len(want)+n)
		for i, x := range want {
			for j, y := range restaurants(n, a) {
				sum[i+j] += x * y
			}
		}
		want = sum
	}
	seen := make([]float64, len(want))
	for i := range m {
		l := hdp(i).tables([]float64{a, 0.1}, h)
		if seen[l[0]]++; l[1] != 0 {
			t.Fatalf("a topic without tokens has %d tables", l[1])
		}
	}
	for l, p := range want {
		if d := math.Abs(seen[l]/m - p); d > 4*math.Sqrt(p*(1-p)/m)+1e-9 {
			t.Errorf("l = %d has probability %.4f, drawn %.4f", l, p, seen[l]/m)
		}
	}
}

// Geweke's test: ψ drawn from its prior, and ψ of a chain that draws counts given ψ, then l and ψ given
// counts, have the same moments.
func TestWeightsPassGeweke(t *testing.T) {
	const m, topics, a = 60_000, 3, 2.0
	r := rand.New(rand.NewPCG(7, 7))
	psi := slices.Repeat([]float64{1.0 / topics}, topics)
	var got, want [2]float64
	for i := range m {
		alpha := make([]float64, topics)
		for k := range alpha {
			alpha[k] = max(a*psi[k], leastAlpha)
		}
		var s state
		for range 3 {
			s.docs = append(s.docs, multinomial(r, dirichlet(r, alpha), 4))
		}
		p := hdp(i)
		psi = p.weights(p.tables(alpha, s.histograms(topics)))
		prior := dirichlet(r, slices.Repeat([]float64{p.Gamma / topics}, topics))
		for j, x := range [][]float64{psi, prior} {
			moments := [2]float64{x[0] * x[0], x[0] * x[1]}
			for f := range moments {
				if j == 0 {
					got[f] += moments[f] / m
				} else {
					want[f] += moments[f] / m
				}
			}
		}
	}
	// Eight steps of the chain are worth about one independent draw, so four standard deviations are
	// 0.015 and 0.004; drawing l without i, or ψ without γ/K, is off by 0.05 and more.
	for f, most := range []float64{0.015, 0.004} {
		if math.Abs(got[f]-want[f]) > most {
			t.Errorf("moment %d of ψ: chain %.4f, prior %.4f", f, got[f], want[f])
		}
	}
}

// Threads change no bit. Topics without tokens get next to nothing, and a is found: documents have
// α = 2 ψ with ψ of ten topics among 40.
func TestHDPAlpha(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const used, topics = 10, 40
	true1 := append(slices.Repeat([]float64{0.2}, used), make([]float64, topics-used)...)
	var s state
	for range 2000 {
		s.docs = append(s.docs, append(multinomial(r, dirichlet(r, true1[:used]), 60), make([]int, topics-used)...))
	}
	h := s.histograms(topics)
	alpha := slices.Repeat([]float64{0.125}, topics)
	for i := range 30 {
		p := hdp(i)
		next := p.Alpha(alpha, h, 60)
		p.Threads = 7
		if !slices.Equal(next, p.Alpha(alpha, h, 60)) {
			t.Fatal("the number of threads changes α")
		}
		alpha = next
	}
	sum, dead := 0.0, 0.0
	for k, a := range alpha {
		if sum += a; k >= used {
			dead += a
		}
	}
	near(t, "a", sum, 2, 0.1)
	if dead > 0.01 {
		t.Errorf("topics without tokens have Σα = %g", dead)
	}
	for _, a := range alpha[:used] {
		near(t, "α", a, 0.2, 0.25)
	}
}
