package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/tablemodel"
	"github.com/topoi-lda/topoi/topic"
)

// cheapest tries all assignments.
func cheapest(n, m int, cost func(i, j int) float64) float64 {
	best := math.Inf(1)
	used := make([]bool, m)
	var try func(i int, sum float64)
	try = func(i int, sum float64) {
		if i == n {
			best = min(best, sum)
			return
		}
		for j := range m {
			if !used[j] {
				used[j] = true
				try(i+1, sum+cost(i, j))
				used[j] = false
			}
		}
	}
	try(0, 0)
	return best
}

func TestAssignIsTheCheapest(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for trial := range 300 {
		n := r.IntN(7)
		m := n + r.IntN(3)
		table := make([]float64, n*m+1)
		for i := range table {
			if table[i] = float64(r.IntN(6)) - 3; trial%2 == 0 {
				table[i] = r.NormFloat64()
			}
		}
		cost := func(i, j int) float64 { return table[i*m+j] }
		got := assign(n, m, cost)
		sum := 0.0
		for i, j := range got {
			sum += cost(i, j)
			if slices.Index(got, j) != i {
				t.Fatalf("column %d is taken twice: %v", j, got)
			}
		}
		if want := cheapest(n, m, cost); math.Abs(sum-want) > 1e-9 {
			t.Fatalf("trial %d: %v costs %v, want %v", trial, got, sum, want)
		}
	}
}

func models(t *testing.T, a, b topic.Model, o Options) *Result {
	t.Helper()
	r, err := Models(t.Context(), a, b, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// table is a model whose topics are lists of words, each four times.
func table(topics ...string) *tablemodel.Model {
	m := &tablemodel.Model{Prior: 0.01}
	for _, topic := range topics {
		for _, w := range strings.Fields(topic) {
			if !slices.Contains(m.Terms, w) {
				m.Terms = append(m.Terms, w)
			}
		}
	}
	for _, w := range m.Terms {
		row := make([]uint32, len(topics))
		for k, topic := range topics {
			for _, x := range strings.Fields(topic) {
				if x == w {
					row[k] += 4
				}
			}
		}
		m.Counts = append(m.Counts, row)
	}
	return m
}

func TestFates(t *testing.T) {
	a := table("sun moon star comet", "bread oven flour yeast butter sugar salt egg", "goal ball team", "match player league", "sea wave tide")
	b := table("goal ball team match player league", "bread oven flour yeast", "star moon sun comet", "butter sugar salt egg", "vote party law")
	for _, measure := range []string{jensenShannon, topWords} {
		r := models(t, a, b, Options{Measure: measure})
		if want := []Fate{Kept, Split, Merged, Merged, Lost}; !slices.Equal(r.A, want) {
			t.Errorf("%s: first model %v, want %v", measure, r.A, want)
		}
		if want := []Fate{Merged, Split, Kept, Split, New}; !slices.Equal(r.B, want) {
			t.Errorf("%s: second model %v, want %v", measure, r.B, want)
		}
		if len(r.Links) != 5 || r.Links[0] != (Pair{0, 2, r.Links[0].Similarity, 4}) || !r.Exact || len(r.Matches) != 5 {
			t.Errorf("%s: links %v, matches %v", measure, r.Links, r.Matches)
		}
	}
	r := models(t, a, b, Options{})
	if v := r.Vocabulary; v.A != 21 || v.B != 21 || v.Common != 18 || math.Abs(v.TokensA-18.0/21) > 1e-15 {
		t.Errorf("vocabulary %+v", v)
	}
}

// A topic and one of its halves, but for the prior: the half is ⅓ more than the mean of both, the
// topic ⅔ of it on one half and twice it on the other.
func TestSimilarityOfAHalf(t *testing.T) {
	a, b := table("a b c d"), table("a b")
	a.Prior, b.Prior = 1e-12, 1e-12
	r := models(t, a, b, Options{})
	js := 0.5*math.Log(4.0/3) + 0.5*(0.5*math.Log(2.0/3)+0.5*math.Log(2))
	if got, want := r.Matches[0].Similarity, 1-js/math.Ln2; math.Abs(got-want) > 1e-9 {
		t.Errorf("similarity %v, want %v", got, want)
	}
}

// byDefinition is the similarity with both vocabularies and all zeros written out.
func byDefinition(a, b *tablemodel.Model, ka, kb int) float64 {
	p := map[string][2]float64{}
	for w, term := range a.Terms {
		p[term] = [2]float64{a.Phi()[ka][w], 0}
	}
	for w, term := range b.Terms {
		p[term] = [2]float64{p[term][0], b.Phi()[kb][w]}
	}
	js := 0.0
	for _, x := range p {
		for _, y := range x {
			if y > 0 {
				js += 0.5 * y * math.Log(2*y/(x[0]+x[1]))
			}
		}
	}
	return 1 - js/math.Ln2
}

func TestSimilarityIsTheDefinition(t *testing.T) {
	a, b := tablemodel.Random(1, 30, 4, 0.4), tablemodel.Random(2, 25, 6, 0.4)
	a.Terms, b.Terms = terms(a, 0), terms(b, 12)
	r := models(t, a, b, Options{Threads: 2})
	if len(r.Matches) != 4 || r.Vocabulary.Common != 18 {
		t.Fatalf("%d matches, %d common words", len(r.Matches), r.Vocabulary.Common)
	}
	for _, m := range r.Matches {
		if want := byDefinition(a, b, m.A, m.B); math.Abs(m.Similarity-want) > 1e-9 {
			t.Errorf("%+v, want similarity %v", m, want)
		}
	}
	back := models(t, b, a, Options{})
	for i, m := range back.Matches {
		if !slices.ContainsFunc(r.Matches, func(p Pair) bool { return p.A == m.B && p.B == m.A && math.Abs(p.Similarity-m.Similarity) < 1e-12 }) {
			t.Errorf("match %d differs the other way round: %+v", i, m)
		}
	}
}

// terms names the words of a model from a number on, in another order of ids.
func terms(m *tablemodel.Model, from int) []string {
	var list []string
	for w := range m.NumWords() {
		list = append(list, "w"+string(rune('A'+from+(w*7)%m.NumWords())))
	}
	return list
}

func TestAModelAndItself(t *testing.T) {
	m := tablemodel.Random(8, 60, 9, 0.2)
	perm := rand.New(rand.NewPCG(1, 2)).Perm(9)
	r := models(t, m, m.Renumbered(perm), Options{Threshold: 0.9})
	for _, p := range r.Matches {
		if p.B != perm[p.A] || p.Similarity < 1-1e-12 {
			t.Errorf("%+v, want %d", p, perm[p.A])
		}
	}
	if math.Abs(r.Mean-1) > 1e-12 || slices.ContainsFunc(r.A, func(f Fate) bool { return f != Kept }) {
		t.Errorf("mean %v, fates %v", r.Mean, r.A)
	}
}

// Many topics are matched by candidates; where these are all that is similar, as here, the result is that of
// all pairs.
func TestCandidates(t *testing.T) {
	a := table("sun moon star comet", "bread oven flour yeast butter sugar salt egg", "goal ball team", "match player league", "sea wave tide")
	b := table("goal ball team match player league", "bread oven flour yeast", "star moon sun comet", "butter sugar salt egg", "vote party law")
	want := models(t, a, b, Options{})
	defer func(n int) { allPairs = n }(allPairs)
	allPairs = 4
	got := models(t, a, b, Options{Threads: 3})
	if got.Exact || !slices.Equal(got.Links, want.Links) || !slices.Equal(got.A, want.A) || !slices.Equal(got.B, want.B) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if len(got.Matches) != 3 { // the others share no word
		t.Errorf("matches %v", got.Matches)
	}
}

func TestFaults(t *testing.T) {
	m := table("a b")
	for want, o := range map[string]Options{
		`unknown similarity "word": did you mean "words"?`: {Measure: "word"},
		"the threshold is 1.5":                             {Threshold: 1.5},
		"the number of top words is -1":                    {Words: -1},
	} {
		if _, err := Models(t.Context(), m, m, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if r := models(t, m, table("x y"), Options{}); r.Vocabulary.Common != 0 || r.A[0] != Lost || r.B[0] != New || r.Matches[0].Similarity > 1e-9 {
		t.Errorf("nothing in common: %+v", r)
	}
}
