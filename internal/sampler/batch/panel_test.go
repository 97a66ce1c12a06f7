package batch

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// panel on a CPU is fresh with AGA-LDA's switches.
func TestPanelIsFresh(t *testing.T) {
	p := samplertest.RandomProblem(1, 40, 30, 7, 25)
	priors := samplertest.PriorsFor(p.K)
	s := samplertest.Start(t, "panel", p, nil, priors)
	samplertest.Sweep(t, s, 1, 12, priors)
	p.Tuning = sampler.Tuning{Fresh: "doc=delayed,word=immediate,topic=immediate", MiniBatches: 10}
	other := samplertest.Start(t, "batch", p, nil, priors)
	samplertest.Sweep(t, other, 1, 12, priors)
	if !slices.Equal(samplertest.TopicsOf(s, p), samplertest.TopicsOf(other, p)) {
		t.Error("panel and batch with the same counts fresh differ")
	}
}

// A plan holds every token once, in the mini-batch of its document and the panel of its
// word; panels are no wider than asked for, and only hot words are cut.
func TestPanelPlan(t *testing.T) {
	hot := make([]uint32, 1500)
	for name, c := range map[string]struct {
		p              *sampler.Problem
		batches, width int
	}{
		"random":             {samplertest.RandomProblem(5, 50, 20, 3, 12), 4, 3},
		"more batches":       {samplertest.RandomProblem(6, 5, 20, 3, 12), 8, 100},
		"rows in memory":     {samplertest.RandomProblem(7, 50, 20, 3, 12), 2, 0},
		"a hot word":         {samplertest.ProblemOf(4, 3, []uint32{1, 2, 3}, hot, []uint32{0, 1, 2}), 1, 2},
		"hot in two batches": {samplertest.ProblemOf(4, 3, hot, []uint32{0, 1, 2}, nil, slices.Concat(hot, hot, []uint32{3})), 2, 2},
		"nothing":            {samplertest.ProblemOf(3, 3, nil, nil), 2, 2},
	} {
		t.Run(name, func(t *testing.T) { checkPanels(t, c.p, planPanels(c.p, c.batches, c.width), c.width) })
	}
}

func checkPanels(t *testing.T, p *sampler.Problem, plan *panelPlan, width int) {
	seen := make([]bool, p.N())
	firstDoc := 0
	for _, b := range plan.batches {
		covered := 0
		for _, panel := range plan.panels[b.firstPanel:b.endPanel] {
			if panel.begin >= panel.end || int(panel.words) > width {
				t.Fatalf("panel %+v of at most %d words", panel, width)
			}
			if panel.words == 0 && int(panel.end-panel.begin) > plan.most {
				t.Fatalf("%d tokens of one word in a piece", panel.end-panel.begin)
			}
			covered += int(panel.end - panel.begin)
			for i := panel.begin; i < panel.end; i++ {
				place := plan.order[i]
				w, d := p.Words[place], firstDoc+int(plan.docs[i])
				if seen[place] || w < panel.word || w >= panel.word+max(1, panel.words) || uint64(place) < p.Offsets[d] || uint64(place) >= p.Offsets[d+1] {
					t.Fatalf("token %d is in panel %+v as one of document %d", place, panel, d)
				}
				seen[place] = true
			}
		}
		if covered != b.end-b.begin {
			t.Fatalf("panels hold %d of %d tokens", covered, b.end-b.begin)
		}
		firstDoc += b.docs
	}
	if slices.Contains(seen, false) || firstDoc != p.D() {
		t.Errorf("tokens or documents are missing: %d of %d documents", firstDoc, p.D())
	}
}
