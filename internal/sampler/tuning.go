package sampler

import "github.com/topoi-lda/topoi/sampling"

// Tuning holds the choices inside an algorithm that change its result.
type Tuning = sampling.Tuning

// BatchesIn returns the number of mini-batches of one of batch's sweeps.
func BatchesIn(t Tuning, iteration int) int {
	switch {
	case t.MiniBatches > 0:
		return t.MiniBatches
	case iteration <= 10:
		return 8
	}
	return 1
}
