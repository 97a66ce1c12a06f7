package hyper

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// state is a topic model's counts in full: n_dk and n_wk.
type state struct {
	docs  [][]int // [D][K]
	words [][]int // [V][K]
}

// histograms counts a state.
func (s state) histograms(topics int) *counts.Histograms {
	h := &counts.Histograms{Topic: make([][]uint32, topics), TopicTotals: make([]uint64, topics)}
	for _, row := range s.docs {
		length := 0
		for k, n := range row {
			length += n
			if n > 0 {
				h.Topic[k] = bump(h.Topic[k], n)
			}
		}
		h.DocLengths = bump(h.DocLengths, length)
	}
	for _, row := range s.words {
		for k, n := range row {
			h.TopicTotals[k] += uint64(n)
			if n > 0 {
				h.WordTopic = bump(h.WordTopic, n)
			}
		}
	}
	return h
}

func bump[T uint32 | uint64](h []T, n int) []T {
	for len(h) <= n {
		h = append(h, 0)
	}
	h[n]++
	return h
}

// drawState draws a state for property tests: documents and words need not
// agree, as no function here relates the two.
func drawState(t *rapid.T, topics int) state {
	row := rapid.SliceOfN(rapid.OneOf(rapid.Just(0), rapid.IntRange(0, 3), rapid.IntRange(0, 60)), topics, topics)
	return state{
		docs:  rapid.SliceOfN(row, 1, 8).Draw(t, "docs"),
		words: rapid.SliceOfN(row, 1, 8).Draw(t, "words"),
	}
}

// bruteForce is the definition, count by count.
func (s state) bruteForce(alpha []float64, beta float64) float64 {
	lgamma := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	sum := 0.0
	for _, a := range alpha {
		sum += a
	}
	total := 0.0
	for _, row := range s.docs {
		length := 0.0
		for k, n := range row {
			length += float64(n)
			total += lgamma(alpha[k]+float64(n)) - lgamma(alpha[k])
		}
		total += lgamma(sum) - lgamma(sum+length)
	}
	vBeta := float64(len(s.words)) * beta
	for k := range alpha {
		nk := 0.0
		for _, row := range s.words {
			nk += float64(row[k])
			total += lgamma(beta+float64(row[k])) - lgamma(beta)
		}
		total += lgamma(vBeta) - lgamma(vBeta+nk)
	}
	return total
}

func drawPriors(t *rapid.T, topics int) (alpha []float64, beta float64) {
	prior := rapid.Float64Range(1e-3, 5)
	return rapid.SliceOfN(prior, topics, topics).Draw(t, "alpha"), prior.Draw(t, "beta")
}

func TestJointLogLikelihood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topics := rapid.IntRange(1, 5).Draw(t, "K")
		s := drawState(t, topics)
		alpha, beta := drawPriors(t, topics)
		got := JointLogLikelihood(s.histograms(topics), alpha, beta, len(s.words))
		want := s.bruteForce(alpha, beta)
		// The brute force adds some hundred log Γ of at most 1,400 without compensation.
		if math.Abs(got-want) > 1e-9 {
			t.Fatalf("%.12g, brute force %.12g", got, want)
		}
	})
}

// The number of goroutines changes no bit, and words are as probable in a joint likelihood as alone.
func TestLogLikelihoodsByManyThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	h := &counts.Histograms{DocLengths: []uint64{0, 3, 5}, TopicTotals: make([]uint64, 70), Topic: make([][]uint32, 70), WordTopic: make([]uint64, 3*binsAtOnce)}
	alpha := make([]float64, 70)
	for k := range alpha {
		alpha[k], h.TopicTotals[k] = r.Float64(), r.Uint64N(1000)
		for range 40 {
			h.Topic[k] = append(h.Topic[k], r.Uint32N(3))
		}
	}
	for n := range h.WordTopic {
		h.WordTopic[n] = r.Uint64N(2)
	}
	joint, words := LogLikelihoods(h, alpha, 0.05, 4000, 1)
	for _, threads := range []int{2, 7} {
		if j, w := LogLikelihoods(h, alpha, 0.05, 4000, threads); j != joint || w != words {
			t.Errorf("%d threads: %v and %v, want %v and %v", threads, j, w, joint, words)
		}
	}
	none := &counts.Histograms{TopicTotals: h.TopicTotals, Topic: make([][]uint32, 70), WordTopic: h.WordTopic}
	if alone := JointLogLikelihood(none, alpha, 0.05, 4000); alone != words {
		t.Errorf("%v of words, %v without documents", words, alone)
	}
}

// JointLogLikelihood is the first result of LogLikelihoods.
func JointLogLikelihood(h *counts.Histograms, alpha []float64, beta float64, vocabulary int) float64 {
	joint, _ := LogLikelihoods(h, alpha, beta, vocabulary, 1)
	return joint
}

// One document of one token: p(w, z) = α_z/A · β/(Vβ) = α_z/A / V.
func TestJointLogLikelihoodOfOneToken(t *testing.T) {
	s := state{docs: [][]int{{0, 1}}, words: [][]int{{0, 1}, {0, 0}, {0, 0}}}
	got := JointLogLikelihood(s.histograms(2), []float64{1, 3}, 0.7, 3)
	if want := math.Log(0.75 / 3); math.Abs(got-want) > 1e-15 {
		t.Errorf("%v, want %v", got, want)
	}
}

// Every step climbs: the likelihood with the Gamma prior's logarithm added.
func TestFixedPointsClimb(t *testing.T) {
	logPrior := func(xs ...float64) float64 {
		sum := 0.0
		for _, x := range xs {
			sum += (priorShape-1)*math.Log(x) - priorRate*x
		}
		return sum
	}
	rapid.Check(t, func(t *rapid.T) {
		topics := rapid.IntRange(1, 5).Draw(t, "K")
		s := drawState(t, topics)
		h, v := s.histograms(topics), len(s.words)
		alpha, beta := drawPriors(t, topics)
		climb := func(name string, before, after float64) {
			if after < before-1e-9 || math.IsNaN(after) {
				t.Fatalf("%s went down from %.12g to %.12g", name, before, after)
			}
		}
		joint := func(alpha []float64, beta float64) float64 { return JointLogLikelihood(h, alpha, beta, v) }

		given := slices.Clone(alpha)
		better := Alpha(alpha, h, 2)
		climb("α", joint(alpha, beta)+logPrior(alpha...), joint(better, beta)+logPrior(better...))
		if !slices.Equal(alpha, given) {
			t.Fatal("Alpha changed its argument")
		}

		one := alpha[0]
		all := func(x float64) []float64 { return slices.Repeat([]float64{x}, topics) }
		betterOne := SymmetricAlpha(one, h)
		climb("a symmetric α", joint(all(one), beta)+logPrior(one), joint(all(betterOne), beta)+logPrior(betterOne))

		betterBeta := Beta(beta, h, v)
		climb("β", joint(alpha, beta)+logPrior(beta), joint(alpha, betterBeta)+logPrior(betterBeta))
	})
}

// dirichlet draws from Dirichlet(alpha).
func dirichlet(r *rand.Rand, alpha []float64) []float64 {
	theta, sum := make([]float64, len(alpha)), 0.0
	for k, a := range alpha {
		theta[k] = distuv.Gamma{Alpha: a, Beta: 1, Src: r}.Rand()
		sum += theta[k]
	}
	for k := range theta {
		theta[k] /= sum
	}
	return theta
}

// multinomial draws n tokens.
func multinomial(r *rand.Rand, p []float64, n int) []int {
	row := make([]int, len(p))
	for range n {
		u, k := r.Float64(), 0
		for ; k < len(p)-1 && u >= p[k]; k++ {
			u -= p[k]
		}
		row[k]++
	}
	return row
}

func near(t *testing.T, name string, got, want, relative float64) {
	t.Helper()
	if math.Abs(got-want) > relative*want {
		t.Errorf("%s = %.4f, want %.4f ± %.0f %%", name, got, want, 100*relative)
	}
}

// 3,000 documents of 20 to 99 tokens determine α_k to 1.8 % (for 1.5) up to 4.9 %
// (for 0.05), the standard deviations over 20 seeds; 15 % is three of the largest.
func TestAlphaIsRecovered(t *testing.T) {
	want := []float64{0.1, 0.3, 0.7, 1.5, 0.05}
	r := rand.New(rand.NewPCG(1, 1))
	var s state
	for range 3000 {
		s.docs = append(s.docs, multinomial(r, dirichlet(r, want), 20+r.IntN(80)))
	}
	h := s.histograms(len(want))
	alpha := []float64{1, 1, 1, 1, 1}
	for range 60 {
		alpha = Alpha(alpha, h, 2)
	}
	for k := range want {
		near(t, "α", alpha[k], want[k], 0.15)
	}

	// At the maximum the slope is zero.
	for k := range alpha {
		const dx = 1e-5
		up, down := slices.Clone(alpha), slices.Clone(alpha)
		up[k] += dx
		down[k] -= dx
		slope := (JointLogLikelihood(h, up, 1, 1)-JointLogLikelihood(h, down, 1, 1))/(2*dx) + (priorShape-1)/alpha[k] - priorRate
		if math.Abs(slope) > 0.5 { // against some thousands at α_k + 10 %
			t.Errorf("slope %g along α_%d", slope, k)
		}
	}
}

// Twenty topics of 5,000 tokens over 500 words: the standard deviation over
// 20 seeds is 2.6 %.
func TestBetaIsRecovered(t *testing.T) {
	const topics, vocabulary = 20, 500
	r := rand.New(rand.NewPCG(3, 3))
	prior := slices.Repeat([]float64{0.05}, vocabulary)
	s := state{words: make([][]int, vocabulary)}
	for w := range s.words {
		s.words[w] = make([]int, topics)
	}
	for k := range topics {
		for w, n := range multinomial(r, dirichlet(r, prior), 5000) {
			s.words[w][k] = n
		}
	}
	h := s.histograms(topics)
	beta := 1.0
	for range 60 {
		beta = Beta(beta, h, vocabulary)
	}
	near(t, "β", beta, 0.05, 0.08)
}

func TestNothingToLearnFrom(t *testing.T) {
	h := state{docs: [][]int{{0, 0}}, words: [][]int{{0, 0}}}.histograms(2)
	if got := Alpha([]float64{0.5, 2}, h, 2); got[0] != 0.5 || got[1] != 2 {
		t.Errorf("Alpha without tokens: %v", got)
	}
	if got := Beta(0.1, h, 1); got != 0.1 {
		t.Errorf("Beta without tokens: %v", got)
	}
	if got := JointLogLikelihood(h, []float64{1, 1}, 1, 1); got != 0 {
		t.Errorf("likelihood without tokens: %v", got)
	}
}

// A topic that no document uses keeps a positive, small α.
func TestUnusedTopicStaysPositive(t *testing.T) {
	h := state{docs: [][]int{{5, 0}, {3, 0}}}.histograms(2)
	alpha := []float64{1, 1}
	for range 100 {
		alpha = Alpha(alpha, h, 2)
	}
	if !(alpha[1] > 0 && alpha[1] < 0.01) {
		t.Errorf("α of an unused topic is %g", alpha[1])
	}
}

// Values computed from the asymptotic series beyond x = 400 with Python's decimal
// module at 50 digits; ψ(1) is Euler's constant, negative.
func TestDigamma(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{0.0001, -10000.57705118351385563264},
		{0.01, -100.56088545786867241548},
		{0.5, -1.96351002602142347944},
		{1, -0.57721566490153286061},
		{1.25, -0.22745353337626540809},
		{2, 0.42278433509846713939},
		{9.75, 2.22510953504457601198},
		{10, 2.25175258906672110765},
		{50, 3.90198967342789219695},
		{1000, 6.90725519564881205205},
		{1000000, 13.81551005796419077077},
		{1000000000, 20.72326583644641115608},
	} {
		if got := digamma(c.x); math.Abs(got-c.want) > 3e-15*max(1, math.Abs(c.want)) {
			t.Errorf("ψ(%g) = %.17g, want %.17g", c.x, got, c.want)
		}
	}
}

// Everywhere else against gonum, which is exact to ten digits.
func TestDigammaAgainstGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 10_000 {
		x := math.Pow(10, 14*r.Float64()-4)
		if got, want := ln(x), math.Log(x); math.Abs(got-want) > 4e-16*max(1, math.Abs(want)) {
			t.Fatalf("ln(%g) = %.17g, want %.17g", x, got, want)
		}
		if got, want := digamma(x), mathext.Digamma(x); math.Abs(got-want) > 2e-10*max(1, math.Abs(want)) {
			t.Fatalf("ψ(%g) = %.17g, want %.17g", x, got, want)
		}
	}
}

// Learning gives the same bits by any number of threads, and keeps Σα from falling below its least value.
func TestLearn(t *testing.T) {
	h, alpha := benchmarkHistograms()
	want := Alpha(alpha, h, 1)
	for _, threads := range []int{1, 2, 7} {
		if got := Learn(alpha, h, 0.1, threads); !slices.Equal(got, want) {
			t.Errorf("%d threads: another α", threads)
		}
	}
	if got := Learn([]float64{1e-9, 3e-9}, &counts.Histograms{}, 100, 1); math.Abs(got[0]+got[1]-math.Sqrt2/2) > 1e-12 || math.Abs(got[1]/got[0]-3) > 1e-9 {
		t.Errorf("α %v, want Σα = √2/2 in the same proportions", got)
	}
}
