package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
)

// enumerate calls f with every assignment of k topics to n places, its
// probability p(z, w | φ, α) for the given document, and the counts n_dk.
func enumerate(m *tableModel, doc []uint32, f func(p float64, counts []float64)) {
	phi, alphaSum := m.phi(), 0.0
	for _, a := range m.alpha {
		alphaSum += a
	}
	counts := make([]float64, len(m.alpha))
	var place func(i int, p float64)
	place = func(i int, p float64) {
		if i == len(doc) {
			f(p, counts)
			return
		}
		for k := range counts {
			q := p * phi[doc[i]][k] * (counts[k] + m.alpha[k]) / (float64(i) + alphaSum)
			counts[k]++
			place(i+1, q)
			counts[k]--
		}
	}
	place(0, 1)
}

// TestLeftToRightMatchesEnumeration compares with log p(w) summed over all
// assignments. With 4000 particles the standard error of each of the five means
// is about 1 %; the result is a sum of their logarithms over 5, so 0.02 is more
// than four standard errors.
func TestLeftToRightMatchesEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	m := randomModel(r, 6, 3, 0.7)
	doc := []uint32{0, 0, 2, 4, 5}
	docs := corpus.FromIDs([]string{"a", "b", "c", "d", "e", "f"}, [][]uint32{doc})
	total := 0.0
	enumerate(m, doc, func(p float64, _ []float64) { total += p })
	want := math.Log(total) / float64(len(doc))
	got, err := LeftToRight(t.Context(), m, docs, Options{Particles: 4000, Seed: 1})
	if err != nil || math.Abs(got.PerToken-want) > 0.02 || got.Scored != 5 {
		t.Errorf("%+v, %v; want %v", got, err, want)
	}
}

// TestLeftToRightOnce compares draws that are never repeated with the expectation of every
// prediction over all ways in which topics can be drawn one after the other; the
// log-likelihoods of documents add up to the mean.
func TestLeftToRightOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	m := randomModel(r, 6, 3, 0.7)
	doc := []uint32{0, 0, 2, 4, 5}
	docs := corpus.FromIDs([]string{"a", "b", "c", "d", "e", "f"}, [][]uint32{doc, {}, doc})
	phi, alphaSum := m.phi(), 0.0
	for _, a := range m.alpha {
		alphaSum += a
	}
	predicted := make([]float64, len(doc)) // the expectations
	counts := make([]float64, len(m.alpha))
	var place func(i int, drawn float64)
	place = func(i int, drawn float64) {
		if i == len(doc) {
			return
		}
		p := make([]float64, len(counts))
		sum := 0.0
		for k := range p {
			p[k] = phi[doc[i]][k] * (counts[k] + m.alpha[k]) / (float64(i) + alphaSum)
			sum += p[k]
		}
		predicted[i] += drawn * sum
		for k := range p {
			counts[k]++
			place(i+1, drawn*p[k]/sum)
			counts[k]--
		}
	}
	place(0, 1)
	want := 0.0
	for _, p := range predicted {
		want += math.Log(p)
	}
	var each []float64
	got, err := LeftToRight(t.Context(), m, docs, Options{Particles: 4000, Seed: 1, Once: true, EachDoc: func(d int, x float64) {
		if d != len(each) {
			t.Errorf("document %d came after %d others", d, len(each))
		}
		each = append(each, x)
	}})
	if err != nil || len(each) != 3 || each[1] != 0 || math.Abs(each[0]-want) > 0.1 || math.Abs(each[2]-want) > 0.1 {
		t.Errorf("%v, %v; want %v", each, err, want)
	}
	if sum := each[0] + each[2]; math.Abs(got.PerToken*10-sum) > 1e-9 {
		t.Errorf("%v per token, documents sum up to %v", got.PerToken, sum)
	}
}

// TestTestLikelihoodMatchesEnumeration compares the mean over 600 seeds with the
// expectation of the score under the exact posterior of the topics. The score
// of one draw scatters by less than 0.2, so its mean by less than 0.01; the bound
// is four times that.
func TestTestLikelihoodMatchesEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	m := randomModel(r, 6, 3, 0.7)
	doc := []uint32{0, 1, 3, 5}
	docs := corpus.FromIDs([]string{"a", "b", "c", "d", "e", "f"}, [][]uint32{doc})
	phi, alphaSum := m.phi(), 0.0
	for _, a := range m.alpha {
		alphaSum += a
	}
	weight, want := 0.0, 0.0
	enumerate(m, doc, func(p float64, counts []float64) {
		score := 0.0
		for _, w := range doc {
			sum := 0.0
			for k, n := range counts {
				sum += phi[w][k] * (n + m.alpha[k]) / (float64(len(doc)) + alphaSum)
			}
			score += math.Log(sum)
		}
		weight += p
		want += p * score / float64(len(doc))
	})
	want /= weight
	const seeds = 600
	mean := 0.0
	for seed := range uint64(seeds) {
		got, err := TestLikelihood(t.Context(), m, docs, Options{Sweeps: 10, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		mean += got.PerToken / seeds
	}
	if math.Abs(mean-want) > 0.04 {
		t.Errorf("mean %v, want %v", mean, want)
	}
}

func TestEstimatorsSameBitsForAnyThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	m, docs := randomModel(r, 40, 5, 0.4), randomDocs(r, 60, 40, 20)
	for _, threads := range []int{2, 7} {
		o := Options{Sweeps: 5, Particles: 2, Seed: 3, Threads: 1}
		a, err1 := TestLikelihood(t.Context(), m, docs, o)
		b, err2 := LeftToRight(t.Context(), m, docs, o)
		o.Threads = threads
		c, err3 := TestLikelihood(t.Context(), m, docs, o)
		d, err4 := LeftToRight(t.Context(), m, docs, o)
		if a != c || b != d || err1 != nil || err2 != nil || err3 != nil || err4 != nil {
			t.Errorf("%d threads: %v and %v, %v and %v", threads, a, c, b, d)
		}
	}
}

func TestCoherenceByHand(t *testing.T) {
	// a in documents 0, 1, 2; b in 0, 1; c in 3; d nowhere.
	docs := corpus.FromIDs([]string{"a", "b", "c", "d"}, [][]uint32{{0, 0, 1}, {0, 1}, {0}, {2}, {}})
	got, err := Coherence(t.Context(), docs, [][]int{{0, 1}, {1, 0}, {0, 2}, {0, 1, 2}, {0, 3}, {}, {3}})
	if err != nil {
		t.Fatal(err)
	}
	together := math.Log(2*5.0/(3*2)) / -math.Log(2/5.0)
	nan := math.NaN()
	wantNPMI := []float64{together, together, -1, (together - 2) / 3, nan, nan, nan}
	wantUMass := []float64{
		math.Log(3 / 3.0), math.Log(3 / 2.0), math.Log(1 / 3.0),
		(math.Log(3/3.0) + math.Log(1/3.0) + math.Log(1/2.0)) / 3, nan, nan, nan,
	}
	close := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 || math.IsNaN(a) && math.IsNaN(b) }
	if !slices.EqualFunc(got.NPMI, wantNPMI, close) {
		t.Errorf("NPMI %v, want %v", got.NPMI, wantNPMI)
	}
	if !slices.EqualFunc(got.UMass, wantUMass, close) {
		t.Errorf("UMass %v, want %v", got.UMass, wantUMass)
	}
	always := corpus.FromIDs([]string{"a", "b"}, [][]uint32{{0, 1}, {0, 1}})
	if got, _ := Coherence(t.Context(), always, [][]int{{0, 1}}); got.NPMI[0] != 1 {
		t.Errorf("words of every document have NPMI %v, want 1", got.NPMI[0])
	}
}

func TestDiversity(t *testing.T) {
	if got := Diversity([][]int{{1, 2}, {2, 3}}); got != 0.75 {
		t.Errorf("%v, want 0.75", got)
	}
	if got := Diversity(nil); !math.IsNaN(got) {
		t.Errorf("no topics: %v", got)
	}
}
