package batch

import (
	"errors"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// Info describes batch to the registry.
var Info = sampler.Info{
	Exact:   []sampler.Tuning{{Fresh: "doc=immediate,word=immediate,topic=immediate"}},
	Near:    0.34,
	Name:    "batch",
	Summary: "exact draws in mini-batches, document counts fresh; SIMD, all cores",
	Cost:    "O(K)",
	Source:  "Moon et al. 2018 (AGA-LDA)",
	MaxK:    1 << 16,
	Guided:  sampler.Always,
	Grouped: true,
	Tables:  func(p *sampler.Problem) uint64 { return sampler.DenseTable(p) + 4*uint64(weightCells(p)) },
	New:     New,
	NewOn:   newBatchOn,
	Cutting: &batchCutting,
	Files:   sampler.Files{Parts: true, Groups: true},
}

// PanelInfo describes panel to the registry.
var PanelInfo = sampler.Info{
	Near:    0.18,
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

// batchCutting is how batch works on parts: the same code, whose n_wk has the part's words only and is filled before a
// round instead of being brought up to date after it.
var batchCutting = sampler.Cutting{
	Limits: func(p *sampler.Problem) grid.Limits { return draw32.Limits(p.CorpusTokens(), draw32.PaddedTopics(p.K)) },
	Rounds: sampler.BatchesIn,
	Ends:   sampler.BlockRounds,
	Kernel: func(p *sampler.Problem, _ sampler.Kernel) sampler.Kernel { return newBatchPart(makeBatch(p)) },
	Check: func(t sampler.Tuning) error {
		if freshness, err := ParseFreshness(t.Fresh); err != nil || freshness != batchFreshness {
			return errors.Join(err,
				errors.New("batch works on parts of a corpus only with fresh counts as by default: leave out fresh"))
		}
		return nil
	},
	On:      newBatchPartsOn,
	OnFault: batchOnFault,
}
