package synthetic

import (
	"math"
	"testing"
)

// TestTable adds up what every column gives to a rank: it must be the
// rank's weight but for the rounding of chances to 2^-32.
func TestTable(t *testing.T) {
	for _, v := range []int{1, 2, 3, 10, 1000, 4097} {
		z := NewLaw(v)
		got := make([]float64, v)
		for r := range v {
			stay := float64(z.stay[r]) / (1 << 32)
			got[r] += stay / float64(v)
			got[z.alias[r]] += (1 - stay) / float64(v)
		}
		total := 0.0
		for r := range v {
			total += float64(Weight(r))
		}
		for r := range v {
			want := float64(Weight(r)) / total
			if math.Abs(got[r]-want) > 1.0/(1<<31) {
				t.Errorf("V = %d: rank %d has probability %v, want %v", v, r, got[r], want)
			}
		}
	}
}
