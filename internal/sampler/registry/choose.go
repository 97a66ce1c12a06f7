package registry

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// exactTopics is the largest K for which Choose picks exact draws. A sweep of
// batch costs O(K) and is worth three to four of warp, which cost the same for
// any K. On 18 million tokens their held-out scores over time cross between
// K = 100, where batch is well ahead, and K = 1000, where warp is
// (docs/performance.md).
const exactTopics = 300

// Choose picks the sampler, its tuning and the reason for "auto", from K alone:
// the machine has no say, or two machines would give two models.
func Choose(p *sampler.Problem) (name string, tuning sampler.Tuning, reason string) {
	if p.K <= exactTopics {
		return "batch", p.Tuning, fmt.Sprintf("up to %d topics exact draws reach a held-out score soonest", exactTopics)
	}
	return "warp", p.Tuning, fmt.Sprintf("beyond %d topics cheap draws reach a held-out score soonest", exactTopics)
}
