package warp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// skewedProblem has documents of all lengths up to a largest. A quarter of the tokens are word 7; the frequencies of the
// others fall as 1/rank, the last being the most frequent. Forty words at the end have no tokens.
func skewedProblem(seed uint64, docs, words, k, length int) *sampler.Problem {
	r := rand.New(rand.NewPCG(seed, 9))
	list := make([][]uint32, docs)
	for d := range list {
		list[d] = make([]uint32, r.IntN(length+1))
		for i := range list[d] {
			rank := math.Exp(r.Float64() * math.Log(float64(words)))
			list[d][i] = uint32(words-1-int(rank)) * uint32(min(1, r.IntN(4)))
			if list[d][i] == 0 {
				list[d][i] = 7
			}
		}
	}
	return samplertest.ProblemOf(words+40, k, list...)
}

// sortedCase compares a skewed problem whose words are in groups of sorted topics with plain Go.
func sortedCase(t *testing.T, p *sampler.Problem, steps int, d *device.Device, limits warpLimits) {
	t.Helper()
	p.Threads = 8
	p.Tuning.MHSteps = steps
	c := samplertest.DeviceCase{
		Name: "warp", Problem: p, Iterations: 3,
		Priors: samplertest.SymmetricPriors(p.K), Later: samplertest.PriorsFor(p.K),
	}
	samplertest.MustDo(t, c.Compare(t, func(p *sampler.Problem) (sampler.Remote, error) {
		s, err := newWarpWithin(p, d, limits)
		if err == nil && p.K > 1<<16 {
			on := s.(*warpOn[uint32])
			if on.sorted[0].groups.n == 0 || on.sorted[1].groups.n < 2 || len(on.hot.turns) < 2 || on.long.n == 0 {
				t.Errorf("this shows little: %d groups of a word and %d of several, %d turns of hot words, %d long documents",
					on.sorted[0].groups.n, on.sorted[1].groups.n, len(on.hot.turns), on.long.n)
			}
		}
		return s, err
	}))
}

// Groups of several words and of one, hot words in several turns, and documents longer than shared memory holds,
// for more topics than a row in shared memory could have.
func TestEmulatedSortedRows(t *testing.T) { sortedGroups(t, samplertest.Emulation(t)) }

func TestSortedGroupsOnGPUEqualGo(t *testing.T) { sortedGroups(t, samplertest.Gpu(t)) }

func sortedGroups(t *testing.T, d *device.Device) {
	for steps := range 3 {
		k := 65_537 + 3*steps
		limits := defaultWarpLimits(k, d)
		limits.sorted, limits.hot, limits.rows, limits.part, limits.short = 60, 110, 2*k, 70, 90
		sortedCase(t, skewedProblem(uint64(steps), 40, 150, k, 130), 1+steps, d, limits)
	}
}

// An entry of a group holds any topic that warp takes beside any word's number.
func TestEmulatedEntriesHoldEveryTopic(t *testing.T) {
	d := samplertest.Emulation(t)
	var docs [][]uint32
	for word := range uint32(1100) { // more than a group has words
		docs = append(docs, []uint32{word, word})
	}
	p := samplertest.ProblemOf(1100, Info.MaxK, docs...)
	p.Threads = 2
	c := samplertest.DeviceCase{Name: "warp", Problem: p, Iterations: 1, Priors: samplertest.SymmetricPriors(p.K)}
	samplertest.MustDo(t, c.Compare(t, func(p *sampler.Problem) (sampler.Remote, error) {
		return newWarpWithin(p, d, defaultWarpLimits(p.K, d))
	}))
}

// The same at the sizes of large corpora: words of one token and of a million, topics of 17 to 20 bits.
func TestSortedRowsOnGPUEqualGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for i, k := range []int{70_000, 100_000, 1_000_000, 1 << 20} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			limits := defaultWarpLimits(k, d)
			limits.hot, limits.rows = 20_000, 8*(k+1)
			sortedCase(t, skewedProblem(uint64(i), 4_000, 60_000, k, 2_400), 1+(i+1)%3, d, limits)
		})
	}
}

// A search in a group's list finds counts and topics of every word, and sorting sorts, whatever the number of tokens.
func TestEmulatedGroupsOfEverySize(t *testing.T) {
	d := samplertest.Emulation(t)
	for n := 1; n < 400; n += 1 + n/3 {
		p := samplertest.RandomProblem(uint64(n), 3, 1+n/9, 2, n)
		p.Threads = 2
		limits := defaultWarpLimits(p.K, d)
		limits.wordRows, limits.sorted = 0, 1+n%130
		c := samplertest.DeviceCase{Name: "warp", Problem: p, Iterations: 2, Priors: samplertest.SymmetricPriors(2)}
		samplertest.MustDo(t, c.Compare(t, func(p *sampler.Problem) (sampler.Remote, error) {
			return newWarpWithin(p, d, limits)
		}))
	}
}
