package synthetic

import (
	"math"
	"testing"

	"github.com/topoi-lda/topoi/internal/rng"
)

// TestUrnStep: the number of fresh draws among n is a sum of independent
// Bernoulli variables with chances a/(a+i).
func TestUrnStep(t *testing.T) {
	const runs, n, a = 2000, 200, 5.0
	key := rng.NewKey(1)
	fresh, mean, variance := 0, 0.0, 0.0
	for i := range n {
		p := a / (a + float64(i))
		mean += runs * p
		variance += runs * p * (1 - p)
	}
	for r := range runs {
		for i := range n {
			x := key.Block(uint32(r), uint32(i), 0, 0)
			isFresh, ball, _ := urnStep(uint64(x[0])<<32|uint64(x[1]), fixed16(a), uint64(i))
			if isFresh {
				fresh++
			} else if ball >= uint64(i) {
				t.Fatalf("ball %d of %d", ball, i)
			}
		}
	}
	// Five standard deviations: a right program fails once in two million seeds.
	if off := math.Abs(float64(fresh) - mean); off > 5*math.Sqrt(variance) {
		t.Errorf("%d fresh draws, want %.0f ± %.0f", fresh, mean, math.Sqrt(variance))
	}
}

func TestGeneratedLengths(t *testing.T) {
	for _, mean := range []float64{20, 350.5} {
		l := newLengths(mean)
		sum, sum2 := 0.0, 0.0
		const n = 1 << 16
		for i := range uint32(n) {
			x := float64(l.draw(i << 16)) // every quantile sixteen times
			sum += x
			sum2 += math.Log(x) * math.Log(x)
		}
		// The table's own mean is off by the tails it cuts, under 0.1 %.
		if got := sum / n; math.Abs(got/mean-1) > 0.002 {
			t.Errorf("mean length %v, want %v", got, mean)
		}
	}
}

func TestInventedWordsAreDistinct(t *testing.T) {
	words := InventWords(20000)
	seen := make(map[string]bool)
	for _, w := range words {
		if seen[w] || len(w) < 6 {
			t.Fatalf("word %q", w)
		}
		seen[w] = true
	}
}

// TestTopicsAreUrns: two balls of a topic agree as often as Dirichlet's moments say.
func TestTopicsAreUrns(t *testing.T) {
	m := Model{Words: 500, Topics: 400, MeanLength: 60, AlphaSum: 2, BetaSum: 500, Seed: 3}
	g, total := NewGenerator(m), 0.0
	for r := range m.Words {
		total += float64(Weight(r))
	}
	for k := range m.Topics {
		g.FillUrn(k)
	}
	// Two topics agree on a ball with chance Σ φ_1w φ_2w, whose mean is Σ p²;
	// one topic agrees with itself with the larger chance
	// Σ p² + (1 - Σ p²)/(BetaSum+1) (the moments of a Dirichlet).
	p2 := 0.0
	for r := range m.Words {
		p2 += math.Pow(float64(Weight(r))/total, 2)
	}
	self := 0.0
	for k := range m.Topics {
		balls := make([]float64, m.Words)
		for _, w := range g.urns[k*urnSize : (k+1)*urnSize] {
			balls[w]++
		}
		for _, n := range balls {
			self += n * (n - 1) / (urnSize * (urnSize - 1)) / float64(m.Topics)
		}
	}
	want := p2 + (1-p2)/501
	if math.Abs(self/want-1) > 0.02 { // over 400 topics the ratio varies by under 0.4 %
		t.Errorf("two balls of a topic agree with chance %.6f, want %.6f", self, want)
	}
}
