package sampler

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/counts"
)

// trailingCounts are counts that lack a part's last round until they are told.
type trailingCounts struct {
	*denseCounts
	t    testing.TB
	nk   []uint64
	next uint32 // smallest word that may be told
	told int    // times that all words were
}

func (c *trailingCounts) TopicTotals() []uint64 { return c.nk }

func (c *trailingCounts) DenseRow(w int, row []int32) []int32 {
	if w%2 == 0 {
		return nil
	}
	for k, n := range c.nwk[w] {
		row[k] = int32(n)
	}
	return row
}

func (c *trailingCounts) Some(w uint32, changes []counts.Change) {
	if w < c.next {
		c.t.Fatalf("word %d is told after words up to %d", w, c.next)
	}
	c.next = w + 1
	c.add(w, changes)
}

func (c *trailingCounts) All(w uint32, delta []int32) {
	var changes []counts.Change
	for k, n := range delta {
		if n != 0 {
			changes = append(changes, counts.Change{Topic: uint32(k), Delta: n})
		}
	}
	c.Some(w, changes)
}

func (c *trailingCounts) Told() { c.told++ }

// A part that tells a model of its last round while it samples the next sees what it
// would have seen if the model had been told before.
func TestPartsTell(t *testing.T) {
	smallBlocks(t, 4)
	rapid.Check(t, func(rt *rapid.T) {
		c := randomPartCase(rapid.Uint64Range(0, 1<<40).Draw(rt, "seed"))
		p := c.p
		p.Threads = 1
		plan, err := NewPlan(c.name, p)
		mustDo(t, err)
		priors := symmetricPriors(p.K)
		whole := start(t, c.name, p, nil, priors)
		part := partsOf(t, plan, []Span{plan.Span(0, plan.Blocks())}, nil, priors)[0].(Tells)
		if !part.CanTell() {
			if c.name == "warp" && p.K <= 1<<16 && c.tuning.MHSteps == 0 {
				rt.Fatalf("%v cannot tell", c)
			}
			return
		}
		model := countAll(p, topicsOf(whole, p))
		sweep(t, whole, 1, 1, priors)
		mustDo(t, part.Round(t.Context(), Step{Iteration: 1}, model, priors))
		for i := 2; i <= 4; i++ {
			if i == 4 {
				priors = priorsFor(p.K) // proposals are drawn again before the words are come by
			}
			sweep(t, whole, i, i, priors)
			told := &trailingCounts{denseCounts: model, t: t, nk: slices.Clone(model.nk)}
			part.AddTotals(told.nk)
			mustDo(t, part.Round(t.Context(), Step{Iteration: i}, told, priors))
			if told.told != 1 || !slices.Equal(told.nk, model.nk) {
				rt.Fatalf("%v: told %d times, with totals %v and then %v", c, told.told, told.nk, model.nk)
			}
			if !slices.Equal(topicsOf(whole, p), joined(p, []Part{part})) {
				rt.Fatalf("%v: topics differ after iteration %d", c, i)
			}
		}
		part.Changes(0, len(part.Words()), model.add)
		comparePartCounts(rt, p, whole, []Part{part}, model)
	})
}
