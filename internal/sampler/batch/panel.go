package batch

import (
	"cmp"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// The sampler of AGA-LDA (Moon et al. 2018, Algorithm 2) under its own name: word and
// topic counts change at once, document counts when a mini-batch ends. On a CPU it is
// fresh with these switches: panels of words in a defined order, so that any number of
// threads gives the same bytes. On a GPU panelOn runs the paper's kernels, whose atomic
// additions happen in any order: there a run is not repeatable.

// panelFreshness is AGA-LDA's choice among its eight.
var panelFreshness = Freshness{Word: true, Topic: true}

// panelBatches is the number of mini-batches of a sweep unless Tuning.MiniBatches says
// otherwise: about as many as the paper has of each corpus.
const panelBatches = 10

var PanelInfo = sampler.Info{
	Name:    "panel",
	Summary: "column panels of words, word counts fresh; on a GPU fast and not repeatable",
	Cost:    "O(K)",
	Source:  "Moon et al. 2018 (AGA-LDA), Alg. 2-4",
	MaxK:    1 << 16,
	Tables:  sampler.DenseTable,
	New:     newPanel,
	NewOn:   newPanelOn,
	Racy:    true,
}

func newPanel(p *sampler.Problem) (sampler.Sampler, error) {
	q := *p
	q.Tuning.MiniBatches = cmp.Or(p.Tuning.MiniBatches, panelBatches)
	return newFresh(&q, panelFreshness), nil
}
