package topoi

import (
	"cmp"
	"fmt"
)

// recordOptions keeps what determines a model's bytes.
func recordOptions(o Options, sampler string, tuning Tuning) RunOptions {
	sampled := o.Holdout > 0 && !o.HoldoutLast
	return RunOptions{
		Sampler: sampler, Tuning: tuning,
		AlphaSum: o.AlphaSum, Beta: o.Beta, OptimizeInterval: o.OptimizeInterval, BurnIn: o.BurnIn,
		Iterations: o.Iterations, Seed: o.Seed, EvaluateEvery: o.EvaluateEvery, Holdout: o.Holdout,
		HoldoutSampled: sampled, HoldoutSeed: o.HoldoutSeed, UntilLL: o.UntilLL, UntilHeldout: o.UntilHeldout, Tolerance: o.Tolerance,
		Topics: o.Topics,
	}
}

// difference names the first option that would send a run resumed with o down
// another path than the one r began, or returns "". When to stop may change.
func (r RunOptions) difference(o RunOptions) string {
	for _, f := range []struct {
		name     string
		was, now any
	}{
		{"topics", r.Topics, o.Topics},
		{"sampler", r.Sampler, o.Sampler},
		{"tuning", r.Tuning, o.Tuning},
		{"alpha-sum", r.AlphaSum, o.AlphaSum},
		{"beta", r.Beta, o.Beta},
		{"optimize-interval", r.OptimizeInterval, o.OptimizeInterval},
		{"burn-in", r.BurnIn, o.BurnIn},
		{"seed", r.Seed, o.Seed},
		{"evaluate-every", r.EvaluateEvery, o.EvaluateEvery},
		{"holdout", r.Holdout, o.Holdout},
		{"holdout-last", r.Holdout > 0 && !r.HoldoutSampled, o.Holdout > 0 && !o.HoldoutSampled},
		{"holdout-seed", r.HoldoutSeed, o.HoldoutSeed},
		{"device", cmp.Or(r.Device, "cpu"), cmp.Or(o.Device, "cpu")},
	} {
		if f.was != f.now {
			return fmt.Sprintf("%s %v, not %v", f.name, f.was, f.now)
		}
	}
	return ""
}
