package hyper

import (
	"math"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
)

// rise is Σ_n times[n] (ψ(x + n) - ψ(x)), term by term: ψ(x + n) - ψ(x) = Σ_{i<n} 1/(x + i).
func rise[T uint32 | uint64](x float64, times []T) (sum float64) {
	for n, t := range times {
		for i := range n {
			sum += float64(t) / (x + float64(i))
		}
	}
	return sum
}

// The shared α takes the steps of its formula, from the mean of the α before; without documents it stays.
func TestSymmetricAlphaByItsFormula(t *testing.T) {
	h := &counts.Histograms{ // documents of 3, 4 and 4 tokens over two topics: (3 0), (1 3), (2 2)
		Topic: [][]uint32{{0, 1, 1, 1}, {1, 0, 1, 1}}, DocLengths: []uint64{0, 0, 0, 1, 2},
	}
	want := 0.75
	for range rounds {
		want = stepped(want, rise(want, h.Topic[0])+rise(want, h.Topic[1]), 2*rise(2*want, h.DocLengths))
	}
	if got := SymmetricAlpha(0.75, h); math.Abs(got-want) > 1e-9*want || math.Abs(want-0.75) < 1e-6 {
		t.Errorf("α is %v, want %v", got, want)
	}
	learned := LearnSymmetric([]float64{0.5, 1}, h, 100)
	if least := LeastSum(2, 100) / 2; len(learned) != 2 || learned[0] != learned[1] || math.Abs(learned[0]-max(want, least)) > 1e-9 {
		t.Errorf("α are %v, want %v, and at least %v", learned, want, least)
	}
	none := &counts.Histograms{Topic: make([][]uint32, 2)}
	if got := SymmetricAlpha(0.75, none); got != 0.75 {
		t.Errorf("without documents α is %v", got)
	}
}
