package warp

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// sparseProblem has very many documents, nearly all of them empty: many blocks of few
// tokens.
func sparseProblem(seed uint64, docs, v, k int) *sampler.Problem {
	r := rand.New(rand.NewPCG(seed, 12))
	p := &sampler.Problem{Offsets: make([]uint64, 1, docs+1), V: v, K: k, Seed: seed, Threads: 2}
	for range docs {
		if r.IntN(docs/100) == 0 {
			one := samplertest.RandomProblem(r.Uint64(), 1, v, k, 30)
			p.Words = append(p.Words, one.Words...)
		}
		p.Offsets = append(p.Offsets, uint64(len(p.Words)))
	}
	return p
}

// A corpus that fits in no form is refused with what it takes, and "auto" uses the CPU.
func TestWarpRefusesTooLittleMemory(t *testing.T) {
	for _, c := range []struct {
		k, steps int
		memory   int64
		want     []string
	}{
		{10, 2, 1000, []string{"warp with ", "10 topics runs on the CPU only", ", packed at least ", "1.00 kB may be used", "Options.DeviceMemory", "Options.Memory"}},
		{10, 2, 5000, []string{", packed at least ", "5.00 kB may be used"}}, // enough for tokens alone
		{10, 3, 1000, []string{"kB there, and 1.00 kB may be used"}},
		{1 << 17, 2, 1000, []string{"131072 topics", "there, and 1.00 kB may be used"}},
	} {
		d, p := emulated.New(""), samplertest.RandomProblem(1, 50, 20, c.k, 40)
		p.Tuning.MHSteps = c.steps
		d.Limit(c.memory)
		_, err := samplertest.InfoOf("warp").On(p, d)
		if !errors.Is(err, sampler.ErrNotOnDevice) || strings.Contains(err.Error(), "\n") {
			t.Fatalf("%d topics: got %v", c.k, err)
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q is not in %q", part, err)
			}
		}
	}
}
