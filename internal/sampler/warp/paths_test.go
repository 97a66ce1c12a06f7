package warp

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
	"github.com/topoi-lda/topoi/internal/simd"
)

// withoutVectors runs f in portable Go.
func withoutVectors(f func()) {
	avx2, avx512 := simd.AVX2, simd.AVX512
	defer func() { simd.AVX2, simd.AVX512 = avx2, avx512 }()
	simd.AVX2, simd.AVX512 = false, false
	f()
}

// Portable Go and assembly must give the same topics, whatever the number of
// tokens in a word or document, of topics and of proposals. TestWarpFollowsItsDefinition
// checks the path that this machine takes; here is the other one.
func TestWarpPathsAgree(t *testing.T) {
	if !simd.AVX512 {
		t.Skip("this machine has no AVX-512: there is one path")
	}
	lengths := samplertest.ProblemOf(70, 90)
	for n := range 70 { // word n has n tokens, document n has 69
		doc := slices.Repeat([]uint32{uint32(n)}, n)
		doc = append(doc, slices.Repeat([]uint32{0}, 69-n)...)
		lengths.Words = append(lengths.Words, slices.Sorted(slices.Values(doc))...)
		lengths.Offsets = append(lengths.Offsets, uint64(len(lengths.Words)))
	}
	for name, p := range map[string]*sampler.Problem{
		"lengths":      lengths,
		"short":        samplertest.RandomProblem(1, 300, 200, 33, 40),
		"long":         samplertest.TopicalProblem(2, 30, 20, 1000, 4, 3000),
		"16-bit limit": samplertest.RandomProblem(3, 300, 200, 1<<16, 40),
		"32-bit":       samplertest.RandomProblem(4, 300, 200, 1<<16+1, 40),
		"one topic":    samplertest.RandomProblem(5, 30, 20, 1, 40),
	} {
		for _, m := range []int{1, 2, 3, 4} {
			for _, symmetric := range []bool{true, false} {
				p.Tuning.MHSteps = m
				priors := samplertest.PriorsFor(p.K)
				if symmetric {
					priors.Alpha = slices.Repeat([]float64{0.1}, p.K)
				}
				run := func() []uint32 {
					s := samplertest.Start(t, "warp", p, nil, priors)
					samplertest.Sweep(t, s, 1, 4, priors)
					return samplertest.TopicsOf(s, p)
				}
				got := run()
				withoutVectors(func() {
					if !slices.Equal(run(), got) {
						t.Errorf("%s, M = %d, symmetric α %v: portable Go gives another result", name, m, symmetric)
					}
				})
			}
		}
	}
}
