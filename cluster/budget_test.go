package cluster

import (
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// Tokens travel in pieces of the size that is meant, and all workers have as many slices.
func TestTravelSlices(t *testing.T) {
	for _, test := range []struct{ tokens, workers, want int }{
		{0, 1, 1}, {1000, 3, 3}, {25_000_000, 4, 128}, {25_000_000, 5, 130}, {20_000_000, 2, 102},
	} {
		p := &plan{spans: []sampler.Span{{End: test.tokens / 2}, {End: test.tokens}}}
		if got := travelSlices(p, test.workers); got != test.want {
			t.Errorf("%d tokens, %d workers: %d slices, want %d", test.tokens, test.workers, got, test.want)
		}
	}
}
