package exchange

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/light"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
	"github.com/topoi-lda/topoi/internal/sampler/warp"
)

// history is a job by definition: its parts sampled in one goroutine, with counts that are counted anew
// before every round.
type history struct {
	p         *sampler.Problem
	plan      *sampler.Plan
	spans     []sampler.Span
	rounds    *protocol.Rounds
	staleness int
	per       int // rounds of an iteration
	priors    *sampler.Priors
	z         [][][]uint32 // by round, by part
}

const parts = 3

// light4 makes four rounds of an iteration, in some of which a part has nothing to do; warp makes one, and counts n_k
// of its tokens itself.
var light4, warp1 = kind{light.Info, 4}, kind{warp.Info, 1}

type kind struct {
	sampler.Info
	rounds int // of an iteration
}

// smallBlocks lets samplers cut a small corpus into parts.
func smallBlocks(t *testing.T) {
	lightBefore, warpBefore := light.BlockLimits, warp.BlockLimits
	light.BlockLimits.Docs, warp.BlockLimits.Tokens = 20, 200
	t.Cleanup(func() { light.BlockLimits, warp.BlockLimits = lightBefore, warpBefore })
}

// newHistory samples so many iterations of a problem. A part sees the topics that others had 1 + staleness rounds ago,
// and its own as they are.
func newHistory(t *testing.T, k kind, p *sampler.Problem, staleness, iterations int) *history {
	t.Helper()
	if k.rounds > 1 {
		p.Tuning.Rounds = k.rounds
	}
	plan, err := sampler.PlanFor(k.Info, p)
	if err != nil {
		t.Fatal(err)
	}
	h := &history{
		p: p, plan: plan, spans: plan.Cut(parts), rounds: &protocol.Rounds{Plan: plan}, staleness: staleness, per: k.rounds,
		priors: samplertest.PriorsFor(p.K),
	}
	if len(h.spans) != parts {
		t.Fatalf("%d parts", len(h.spans))
	}
	list, first := make([]*sampler.Part, parts), make([][]uint32, parts)
	for i, span := range h.spans {
		words := h.words(i)
		first[i] = make([]uint32, len(words))
		if list[i], err = plan.NewPart(span, words); err != nil {
			t.Fatal(err)
		}
		if err := list[i].Start(sampler.FirstTopics(p, span.Begin, words), h.priors); err != nil {
			t.Fatal(err)
		}
		list[i].Topics(first[i])
	}
	h.z = append(h.z, first)
	for round := 1; round <= iterations*h.per; round++ {
		now := slices.Clone(h.z[round-1])
		for i, part := range list {
			if step := h.rounds.Step(round); plan.Takes(h.spans[i], step) {
				if err := part.Round(t.Context(), step, h.sees(i, round).frozen(), h.priors); err != nil {
					t.Fatal(err)
				}
				now[i] = make([]uint32, h.spans[i].Tokens())
				part.Topics(now[i])
			}
		}
		h.z = append(h.z, now)
	}
	return h
}

// words returns the words of a part's tokens.
func (h *history) words(part int) []uint32 { return h.p.Words[h.spans[part].Begin:h.spans[part].End] }

// sees returns the counts that a part sees in a round.
func (h *history) sees(part, round int) table {
	n := newTable(h.p)
	for i, span := range h.spans {
		z := h.z[max(round-1-h.staleness, 0)][i]
		if i == part {
			z = h.z[round-1][i]
		}
		n.count(h.p.Words[span.Begin:span.End], z)
	}
	return n
}

// at returns the counts after a round.
func (h *history) at(round int) table {
	n := newTable(h.p)
	for i := range h.spans {
		n.count(h.words(i), h.z[round][i])
	}
	return n
}

// table has n_wk with pseudo-counts, by word and topic.
type table [][]uint32

func newTable(p *sampler.Problem) table {
	n := make(table, p.V)
	for w := range n {
		n[w] = make([]uint32, p.K)
		for _, e := range p.Pseudo.Row(w) {
			n[w][e.Topic] = e.Count
		}
	}
	return n
}

func (n table) count(words, z []uint32) {
	for i, w := range words {
		n[w][z[i]]++
	}
}

// AppendRow implements counts.Rows.
func (n table) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return counts.AppendDense(dst, n[w])
}

func (n table) totals() []uint64 {
	sum := make([]uint64, len(n[0]))
	for _, row := range n {
		for k, x := range row {
			sum[k] += uint64(x)
		}
	}
	return sum
}

func (n table) frozen() *sampler.Frozen { return &sampler.Frozen{Totals: n.totals(), Rows: n} }

// late returns the changes of the rounds before a job begins that others do not see yet.
func (h *history) late(spec protocol.Spec) (list []records.Late) {
	for round := max(spec.Start-h.staleness, 0) + 1; round <= spec.Start; round++ {
		for part := range h.spans {
			if !h.plan.Takes(h.spans[part], h.rounds.Step(round)) {
				continue
			}
			old, now := make(table, h.p.V), make(table, h.p.V)
			for w := range h.p.V {
				old[w], now[w] = make([]uint32, h.p.K), make([]uint32, h.p.K)
			}
			old.count(h.words(part), h.z[round-1][part])
			now.count(h.words(part), h.z[round][part])
			var e blob.Encoder
			id := blob.ID{Kind: blob.Changes, Job: spec.ID, Round: uint32(round), Part: uint32(part), Topics: uint32(h.p.K)}
			e.Begin(nil, id)
			for w := range h.p.V {
				var changes []counts.Change
				for k := range h.p.K {
					if delta := int32(now[w][k]) - int32(old[w][k]); delta != 0 {
						changes = append(changes, counts.Change{Topic: uint32(k), Delta: delta})
					}
				}
				if len(changes) > 0 {
					e.Changes(uint32(w), changes)
				}
			}
			d, err := blob.Open(e.Finish(), id)
			if err != nil {
				panic(err)
			}
			list = append(list, records.Late{Round: round, Part: part, Changes: d})
		}
	}
	return list
}
