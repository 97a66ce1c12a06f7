package sampler

import "testing"

// Adapting keeps counts of long documents fresh where Σα is large and nobody has asked for a number.
func TestBatches(t *testing.T) {
	const k = 100 // whose least Σα is 5 for documents of more than 10 tokens
	for _, test := range []struct {
		name      string
		tuning    Tuning
		length    int
		iteration int
		sum       float64
		want      int
	}{
		{"not adapting", Tuning{}, 1000, 50, 50, 1},
		{"not adapting, at the beginning", Tuning{}, 60, 10, 50, 8},
		{"short documents", Tuning{Adapt: true, ExactSweeps: 40}, 999, 50, 50, 1},
		{"short documents, before responsibilities", Tuning{Adapt: true, ExactSweeps: 40}, 999, 30, 50, 1},
		{"long documents, before responsibilities", Tuning{Adapt: true, ExactSweeps: 40}, 1000, 30, 5, 8},
		{"long documents of few topics", Tuning{Adapt: true, ExactSweeps: 40}, 1000, 50, 6, 1},
		{"long documents of many topics", Tuning{Adapt: true, ExactSweeps: 40}, 1000, 50, 7, 8},
		{"whole papers", Tuning{Adapt: true, ExactSweeps: 40}, 1800, 30, 5, 1},
		{"a number", Tuning{Adapt: true, ExactSweeps: 40, MiniBatches: 3}, 1000, 50, 7, 3},
	} {
		p := &Problem{Offsets: []uint64{0, uint64(test.length)}, Words: make([]uint32, test.length), V: 1, K: k, Tuning: test.tuning}
		priors := &Priors{Alpha: make([]float64, k)}
		for i := range priors.Alpha {
			priors.Alpha[i] = test.sum / k
		}
		if got := p.Batches(test.iteration, priors); got != test.want {
			t.Errorf("%s: %d mini-batches, want %d", test.name, got, test.want)
		}
	}
}
