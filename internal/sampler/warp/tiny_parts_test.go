package warp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// Parts on a device whose limits give every kernel something to do are those of the CPU.
func TestEmulatedTinyParts(t *testing.T) {
	d := samplertest.Emulation(t)
	for seed := range uint64(6) {
		c := warpCase(seed)
		p := c.Problem
		p.Tuning.Staleness, p.Tuning.Parts = 1, 3
		var z [2][]uint32
		for i := range z {
			s, err := sampler.NewStale(Info, p)
			samplertest.MustDo(t, err)
			if i == 1 {
				small := newPartsWithin(p, d, tinyWarpLimits(rand.New(rand.NewPCG(seed, 5))))
				small.most = 1
				s.Plan.On = small.parts()
				for j, part := range s.Parts {
					span := part.Span()
					s.Parts[j], err = s.Plan.NewPart(span, p.Words[span.Begin:span.End])
					samplertest.MustDo(t, err)
				}
			}
			samplertest.MustDo(t, s.Start(nil, c.Priors))
			for iteration := 1; iteration <= 4; iteration++ {
				samplertest.MustDo(t, s.Sweep(t.Context(), iteration, c.Priors))
			}
			z[i] = samplertest.TopicsOf(s, p)
			samplertest.MustDo(t, s.Plan.PlaceHere())
		}
		if !slices.Equal(z[0], z[1]) {
			t.Errorf("%v: other topics", &c)
		}
	}
}
