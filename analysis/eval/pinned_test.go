package eval

import (
	"math/rand/v2"
	"testing"

	"github.com/topoi-lda/topoi/internal/foldin"
	"github.com/topoi-lda/topoi/internal/rng"
)

// The same seed gives the same score in every release and on every machine. A change that means to change these numbers
// changes what users have published.
func TestScoresStay(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1))
	m, docs := randomModel(r, 40, 19, 0.2), randomDocs(r, 30, 40, 50)
	o := Options{Sweeps: 3, Particles: 2, Seed: 5}
	likelihood := func(x CompletionResult, err error) float64 {
		if err != nil {
			t.Fatal(err)
		}
		return x.PerToken
	}
	complete := func(variant string) float64 {
		return likelihood(Completion(t.Context(), m, docs, Options{Variant: variant, Threads: 2}))
	}
	once := o
	once.Once = true
	for name, c := range map[string]struct{ got, want float64 }{
		"test":               {likelihood(TestLikelihood(t.Context(), m, docs, o)), -3.496950506291319},
		"left to right":      {likelihood(LeftToRight(t.Context(), m, docs, o)), -3.6662161115308534},
		"left to right once": {likelihood(LeftToRight(t.Context(), m, docs, once)), -3.674334314890446},
		"completion":         {complete(""), -3.5521910021479584},
		"brief":              {complete("brief"), -3.5521602056221764},
		"leave out":          {complete("leave-out"), -3.591859629004405},
		"prior only":         {complete("prior"), -3.651971773319074},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
}

// Each place and round of a document has a random number of its own, from the counter of its token.
func TestRandomNumbersOfChains(t *testing.T) {
	m := randomModel(rand.New(rand.NewPCG(11, 2)), 5, 3, 0.5)
	docs := randomDocs(rand.New(rand.NewPCG(11, 3)), 2, 5, 9)
	table := foldin.NewTable(foldin.Model{
		Rows: m, Totals: m.TopicTotals(), Alpha: m.alpha, Beta: m.beta, V: m.NumWords(),
	}, docs.Tokens())
	key := rng.NewKey(3)
	c := &chain{Chain: foldin.NewChain(table), key: key, purpose: purposeTest}
	const first = 1<<32 + 7
	c.load(docs.Doc(0), first)
	seen := map[float64]bool{}
	for i := range 20 {
		for round := range uint32(20) {
			x := key.Block(uint32(7+i), 1, round, uint32(purposeTest))
			got := c.random(i, round)
			if want := rng.Float64(x[0], x[1]); got != want || got < 0 || got >= 1 || seen[got] {
				t.Fatalf("place %d, round %d: %v, want %v", i, round, got, want)
			}
			seen[got] = true
		}
	}
}

// The kernels do not look how long their vectors are, so that one that is too short must be found before.
func TestShortVectors(t *testing.T) {
	long, short := make([]float32, 2*lanes), make([]float32, 2*lanes)[:2*lanes-1:2*lanes-1]
	rows := make([]float32, 4*lanes)
	for name, f := range map[string]func(){
		"reestimate θ":          func() { reestimate(short, long, long) },
		"reestimate α":          func() { reestimate(long, long, short) },
		"dot":                   func() { dot(long, short) },
		"reduce θ":              func() { reduce(long, short, long, long, 1) },
		"reduce background":     func() { reduce(long, long, short, long, 1) },
		"reduce inverse":        func() { reduce(long, long, long, short, 1) },
		"responsibilities":      func() { responsibilities(short, long, rows, []float32{1, 1}) },
		"responsibilities φ":    func() { responsibilities(long, long, rows[:4*lanes-1:4*lanes-1], []float32{1, 1}) },
		"more counts than rows": func() { responsibilities(long, long, rows, []float32{1, 1, 1}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: a short vector is read beyond its end", name)
				}
			}()
			f()
		}()
	}
	dot(nil, nil)
	reestimate(nil, nil, nil)
	reduce(nil, nil, nil, nil, 1)
	responsibilities(long, long, nil, nil)
	responsibilities(nil, nil, nil, []float32{1})
}
