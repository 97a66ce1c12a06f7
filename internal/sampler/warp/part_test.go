package warp

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// A part tells its topics in 16 bits as in 32, those of a document that is a block by itself included.
func TestPartTopics(t *testing.T) {
	long := make([]uint32, warpBlockTokens+7)
	for i := range long {
		long[i] = uint32(i / 20_000)
	}
	for name, p := range map[string]*sampler.Problem{
		"many": zipfProblem(1, 300, 500, 50, 100),
		"long": samplertest.ProblemOf(10, 50, []uint32{1, 2, 3}, long, []uint32{2, 2, 9}),
	} {
		words := p.Words
		plan, err := sampler.PlanFor(Info, p)
		if err != nil {
			t.Fatal(err)
		}
		part, err := plan.NewPart(plan.Whole(), words)
		if err != nil {
			t.Fatal(err)
		}
		samplertest.MustDo(t, part.Start(nil, &sampler.Priors{Alpha: slices.Repeat([]float64{0.1}, p.K), Beta: 0.01}))
		z, narrow := make([]uint32, len(words)), make([]uint16, len(words))
		part.Topics(z)
		if ok, err := part.NarrowTopics(narrow); !ok || err != nil {
			t.Fatalf("%s: %v, %v", name, ok, err)
		}
		for i, k := range z {
			if uint32(narrow[i]) != k {
				t.Fatalf("%s: token %d has topic %d, want %d", name, i, narrow[i], k)
			}
		}
	}
}
