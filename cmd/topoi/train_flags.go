package main

import (
	"errors"
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
)

// modelFlags adds the flags that say what is trained, and more under the same
// heading.
func modelFlags(c *cobra.Command, o *topoi.Options, more func(fs *pflag.FlagSet)) {
	d := topoi.Options{}.WithDefaults()
	section(c, "What to train", func(fs *pflag.FlagSet) {
		fs.IntVarP(&o.Topics, "topics", "k", 0, "`number` of topics (needed)")
		more(fs)
		fs.StringVar(&o.Sampler, "sampler", d.Sampler, "algorithm, by `name`; see topoi samplers")
		fs.Uint64Var(&o.Seed, "seed", 0, "another seed gives another, equally good run")
		fs.Float64Var(&o.AlphaSum, "alpha-sum", d.AlphaSum, "sum of α over all topics at the start")
		fs.Float64Var(&o.Beta, "beta", d.Beta, "β at the start")
		fs.IntVar(&o.OptimizeInterval, "optimize-interval", d.OptimizeInterval, "iterations between estimations of α and β; 0: keep them as they are")
		fs.IntVar(&o.BurnIn, "burn-in", d.BurnIn, "iterations before the first estimation")
	})
	complete(c, "sampler", samplerNames)
}

// stopFlags adds the flags that say when training stops.
func stopFlags(c *cobra.Command, o *topoi.Options) {
	d := topoi.Options{}.WithDefaults()
	section(c, "When to stop", func(fs *pflag.FlagSet) {
		fs.IntVar(&o.Iterations, "iterations", d.Iterations, "largest `number` of sweeps")
		fs.Float64Var(&o.Tolerance, "tolerance", d.Tolerance, "stop when predictions gain less than this from one quarter of the evaluations to the next, in nats per token; 0: never")
		fs.Float64Var(&o.Holdout, "holdout", 0, "`fraction` of the documents, a random sample, to score instead of training on them")
		fs.Uint64Var(&o.HoldoutSeed, "holdout-seed", 0, "another seed holds out another sample; --seed changes nothing about it")
		fs.BoolVar(&o.HoldoutLast, "holdout-last", false, "hold out the last documents instead of a sample, to compare with published splits")
		fs.Float64Var(&o.UntilLL, "until-ll", 0, "stop at this log-likelihood per token, such as -8.5")
		fs.Float64Var(&o.UntilHeldout, "until-heldout", 0, "stop at this held-out score per token, such as -7.5")
		fs.DurationVar(&o.TimeLimit, "time-limit", 0, "stop after this time, such as 90s, 10m or 2h")
		fs.IntVar(&o.EvaluateEvery, "evaluate-every", d.EvaluateEvery, "iterations between evaluations")
	})
}

// zeros gives meaning to flags that were set to 0, which in topoi.Options
// stands for the default.
func zeros(c *cobra.Command, o *topoi.Options) error {
	fs := c.Flags()
	for name, value := range map[string]*int{"optimize-interval": &o.OptimizeInterval, "burn-in": &o.BurnIn} {
		if fs.Changed(name) && *value == 0 {
			*value = -1
		}
	}
	if fs.Changed("tolerance") && o.Tolerance == 0 {
		o.Tolerance = -1
	}
	if fs.Changed("checkpoint-every") && o.CheckpointEvery == 0 {
		o.CheckpointEvery = math.MaxInt
	}
	var missing error
	if !fs.Changed("topics") {
		o.Topics = 1 // one fault for the missing flag is enough
		missing = errors.New("the number of topics is missing: add -k NUMBER, for example -k 50")
	}
	return errors.Join(missing, refuseZero(c, append([]string{"alpha-sum", "beta", "iterations", "evaluate-every"}, tuningNumbers...)...))
}

func samplerNames() []string {
	names := []string{"auto\tchosen from the corpus and the number of topics"}
	for _, s := range topoi.DescribeSamplers() {
		names = append(names, s.Name+"\t"+s.Summary)
	}
	return names
}
