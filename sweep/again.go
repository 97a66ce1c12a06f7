package sweep

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/topoi-lda/topoi/internal/metrics"
)

// simulated is the number of sweeps that are imagined, and insideShare the share of them whose choices an interval holds.
const (
	simulated   = 1000
	insideShare = 0.95
)

// again finds which numbers of topics other sweeps over the same documents would suggest, with other seeds: an interval
// that holds 95 % of their choices. Means over n seeds differ between two sweeps by √(2/n) standard deviations of one
// run, pooled over numbers of topics. A mean of agreements of pairs differs by twice as much, as each run is in n−1 of them.
func (w *weighing) again() {
	spread := map[string]float64{metrics.HeldOut: 1, metrics.Stability: 2}
	for name, factor := range spread {
		spread[name] = factor * w.pooled(name) * math.Sqrt(2/float64(len(w.Groups[0].Records)))
	}
	if w.Topics == 0 || len(w.Groups) < 2 || spread[metrics.HeldOut] == 0 && spread[metrics.Stability] == 0 {
		return
	}
	random := rand.New(rand.NewPCG(1, 54))
	choices := make([]int, simulated)
	for i := range choices {
		other := weighing{Result: &Result{Groups: slices.Clone(w.Groups)}, silent: true}
		for j := range other.Groups {
			g := &other.Groups[j]
			g.mean = map[string]float64{}
			for _, name := range []string{metrics.HeldOut, metrics.Stability} {
				if v := w.Groups[j].Mean(name); !math.IsNaN(v) {
					g.mean[name] = v + float64(spread[name]*normal(random))
				}
			}
		}
		other.predictions()
		other.choose()
		choices[i] = other.Topics
	}
	slices.Sort(choices)
	outside := int(math.Round(simulated * (1 - insideShare) / 2))
	w.Low, w.High = choices[outside], choices[simulated-1-outside]
}

// normal returns a number that is nearly normal, of mean 0 and variance 1, with the same bits on every processor.
func normal(r *rand.Rand) float64 {
	sum := -6.0
	for range 12 {
		sum += r.Float64()
	}
	return sum
}

// pooled returns the standard deviation of a measure between seeds, pooled over numbers of topics; 0 without any.
func (w *weighing) pooled(name string) float64 {
	variance, n := 0.0, 0.0
	for i := range w.Groups {
		if s := w.Groups[i].Spread(name); !math.IsNaN(s) {
			variance += float64(s * s)
			n++
		}
	}
	return math.Sqrt(variance / max(1, n))
}
