package reproduce

import (
	"slices"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/cuda"
)

func TestButterflyCharts(t *testing.T) {
	ms := func(a, b, c int) (d [3]time.Duration) {
		for i, x := range []int{a, b, c} {
			d[i] = time.Duration(x) * time.Millisecond
		}
		return d
	}
	charts := butterflyCharts([]cuda.ButterflyRow{
		{K: 4, Bits: 32, Time: ms(1, 2, 3)}, {K: 8, Bits: 32, Time: ms(4, 5, 6)}, {K: 4, Bits: 64, Time: ms(7, 8, 9)},
	})
	if len(charts) != 2 || len(charts[0].Series) != 3 || len(charts[1].Series) != 3 {
		t.Fatalf("got %d panels", len(charts))
	}
	if got := charts[0].Series[1]; !slices.Equal(got.X, []float64{4, 8}) || !slices.Equal(got.Y, []float64{2, 5}) {
		t.Errorf("32 bits, transposed: %v", got)
	}
	if got := charts[1].Series[2]; !slices.Equal(got.X, []float64{4}) || !slices.Equal(got.Y, []float64{9}) {
		t.Errorf("64 bits, butterfly: %v", got)
	}
}
