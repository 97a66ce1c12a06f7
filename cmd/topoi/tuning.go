package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// tuningFlags adds the switches inside the samplers. Each defaults to the
// sampler's own choice.
func tuningFlags(c *cobra.Command, t *topoi.Tuning) {
	section(c, "Inside the samplers", func(fs *pflag.FlagSet) {
		fs.IntVar(&t.MiniBatches, "mini-batches", 0, "batch: `number` of mini-batches per sweep (default: 8 in the first ten sweeps, then 1)")
		fs.StringVar(&t.OwnCount, "own-count", "", "batch: leave a token's own count in when drawing its topic, or take it out (default out)")
		fs.StringVar(&t.Fresh, "fresh", "", "batch: `which` counts change at once, such as doc=immediate,word=delayed,topic=delayed (the default)")
		fs.IntVar(&t.MHSteps, "mh-steps", 0, "alias, light, warp: Metropolis-Hastings proposals per token (default 2, 4 for light)")
		fs.StringVar(&t.Proposal, "proposal", "", "light: `which` proposals, doc, word or cycle for both in turn (default cycle)")
		fs.IntVar(&t.Rounds, "rounds", 0, "light: `number` of times a sweep that word counts are brought up to date (default 1)")
		fs.IntVar(&t.Staleness, "staleness", 0, "batch, light, warp: `rounds` after which a part's changes reach other parts of the corpus (default 0: at once)")
		fs.IntVar(&t.Parts, "parts", 0, "batch, light, warp with staleness: `number` of parts of the corpus (default 8)")
		fs.IntVar(&t.AliasEvery, "alias-every", 0, "alias: `draws` between builds of a table (default: as many as it has topics)")
		fs.IntVar(&t.Partitions, "partitions", 0, "grid, cvb: `number` of groups of documents and of words (default 16)")
		fs.StringVar(&t.CVB, "cvb", "", "cvb: `order` of the update, second with variances or zero without (default second)")
		fs.Float64Var(&t.Step, "step", 0, "cvb: `size` of the step in natural parameters, at most 1 (default 1)")
		fs.BoolVar(&t.Uncollapsed, "uncollapsed", false, "mean: draw θ and φ instead of taking their means")
		fs.StringVar(&t.Draw, "draw", "", "mean: `method` of drawing topics (default linear)")
		fs.StringVar(&t.Precision, "precision", "", "mean: of weights and their sums, float32 or float64 (default float64)")
	})
	complete(c, "own-count", fixed("in", "out"))
	complete(c, "proposal", fixed("doc", "word", "cycle"))
	complete(c, "cvb", fixed("second", "zero"))
	complete(c, "draw", sampler.DrawMethods)
	complete(c, "precision", fixed("float32", "float64"))
}

// tuningNumbers are the flags above for which 0 is not a value.
var tuningNumbers = []string{"mini-batches", "mh-steps", "rounds", "parts", "alias-every", "partitions", "step"}
