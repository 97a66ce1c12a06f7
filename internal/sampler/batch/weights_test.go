package batch

import (
	"testing"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// Weights that are computed for all words at once must give the topics that those of every tile give.
func TestWeightsOfAllWords(t *testing.T) {
	for _, k := range []int{2, 20, 32, 33, 100, 200} {
		p := samplertest.RandomProblem(uint64(k), 300, 200, k, 60)
		priors := samplertest.PriorsFor(k)
		all, tiles := makeBatch(p), layBatch(p)
		tiles.nwk = alloc.AlignedInts(p.V * tiles.stride)
		if all.weights == nil {
			t.Fatalf("a model of %d words and %d topics counts as large", p.V, k)
		}
		for _, s := range []*batch{all, tiles} {
			samplertest.MustDo(t, s.Start(nil, priors))
			samplertest.Sweep(t, s, 1, 12, priors)
		}
		if err := samplertest.SameState(p, tiles, all); err != nil {
			t.Errorf("%d topics: %v", k, err)
		}
	}
	if p := samplertest.ProblemOf(70_000, 2, []uint32{0, 69_999}); weightCells(p) != 0 {
		t.Error("16 bits do not number 70,000 words")
	}
}
