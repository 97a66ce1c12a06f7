package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/batch"
	"github.com/topoi-lda/topoi/internal/sampler/cvb"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/training"
)

// A run draws one state from the posterior. Its counts are noisy where words are rare, and the topics of another draw
// are as good. A model that adds up S draws estimates the mean of φ over them:
//
//	φ_wk = (Σ_s n_wk(s) + Σ_s β(s)) / (Σ_s n_k(s) + V Σ_s β(s))
//
// The counts of all draws but the last are kept as pseudo-counts, so that rows, totals and β of the model have the
// meaning that they have in other models, and the tokens have the topics of the last draw.
const (
	// autoDraws is the number of draws with Sampler "auto" where a tenth of the iterations permits.
	autoDraws = 16

	// drawnTokens is the largest corpus for which "auto" adds up draws. Counts of larger ones have less noise.
	drawnTokens = 1 << 24
)

// planDraws decides how many draws the model of a run adds up. here is true if this process trains.
func (o *options) planDraws(chosen sampler.Info, tokens int, here bool) error {
	plain := o.Prior == "" && o.Pseudo == nil && o.Memory == 0
	switch {
	case o.Draws > 1 && !plain:
		return errors.New("Options.Draws cannot be combined with Options.Prior, Options.Pseudo or Options.Memory: " +
			"leave one of them out")
	case o.Draws > 1 && o.Draws > o.Iterations/training.DrawEvery:
		return fmt.Errorf("Options.Draws = %d needs at least %d iterations: set Options.Iterations", o.Draws,
			training.DrawEvery*o.Draws)
	case o.Draws > 1 && uint64(o.Draws)*uint64(tokens) > math.MaxUint32: // a sum may be as large
		return fmt.Errorf("Options.Draws = %d is too many for %d tokens: ask for at most %d", o.Draws, tokens,
			math.MaxUint32/tokens)
	case o.Draws == 0 && here && plain && o.Sampler == "auto" &&
		(chosen.Name == batch.Info.Name || chosen.Name == cvb.Info.Name) && o.Start == nil &&
		o.UntilLL == 0 && o.UntilHeldout == 0 && tokens <= drawnTokens:
		o.Draws = min(autoDraws, 1+o.Iterations/10/training.DrawEvery)
	}
	if o.Draws == 1 {
		o.Draws = 0 // 0 and 1 mean the same, and models record 0
	}
	return nil
}

// lastSweeps returns the number of sweeps between the first draw and the last.
func (o *options) lastSweeps() int { return training.DrawEvery * max(0, o.Draws-1) }

// drawing returns the sampler that makes the draws, and its tuning.
func drawing(c registry.Choice) (sampler.Info, sampler.Tuning) {
	if c.Sampler.Draws() {
		return c.Sampler, c.Tuning
	}
	return batch.Info, sampler.Tuning{}
}

// averaging makes the draws that a model adds up.
type averaging struct {
	of   *run            // whose last state is the first draw
	next *run            // makes the others: it continues the chain without scores, files and events
	sums *engine.Summed  // of the states of next
	mean *sampler.Priors // of all draws: the mean of α, and the sum of β
}

// average makes the draws of a run that has ended, and makes them its state. A run that is interrupted here keeps the
// checkpoint of the first draw, and makes the others again when it is resumed.
func average(ctx context.Context, r *run) error {
	if r.record.Draws == 0 || r.late {
		return nil
	}
	a := &averaging{of: r, mean: &sampler.Priors{Alpha: make([]float64, r.opts.Topics)}}
	if err := training.Timed(&r.clock.Training, func() error { return a.draw(ctx) }); err != nil {
		return errors.Join(err, r.saver.keepLast())
	}
	_ = r.engine.Close() // the first draw is in the sums
	r.use(a.sums)
	r.opts.Pseudo, r.priors.Now, r.draws, r.iteration = a.sums.Before, a.mean, r.record.Draws, a.next.iteration
	if r.docs.Heldout == nil {
		return nil
	}
	score, err := a.next.scorer.likelihoods(r.iteration)
	if err == nil {
		err = training.Timed(&r.clock.Scoring, func() error { return r.scorer.heldout(ctx, score) })
	}
	if err != nil {
		return err
	}
	r.history = append(slices.Clip(r.history), *score)
	r.tellIteration(r.clock.Scored(r.iteration, 0), score)
	return nil
}

// draw continues the chain and adds its states up.
func (a *averaging) draw(ctx context.Context) error {
	z, err := a.of.engine.Topics()
	if err != nil {
		return err
	}
	o, now, docs := &a.of.opts, a.of.priors.Now, a.of.docs.Train
	info, tuning := drawing(a.of.chosen)
	a.next, err = newRun(docs, options{topoi.Options{
		Topics: o.Topics, Sampler: info.Name, Tuning: topoi.Tuning(tuning), Seed: o.Seed, AlphaSum: o.AlphaSum, Beta: o.Beta,
		OptimizeInterval: o.OptimizeInterval, SymmetricAlpha: o.SymmetricAlpha, BurnIn: o.BurnIn,
		Iterations: math.MaxInt, Tolerance: -1, EvaluateEvery: math.MaxInt, Draws: 1, CheckpointEvery: math.MaxInt,
		Threads: o.Threads, Device: o.Device, DeviceMemory: o.DeviceMemory, HoldoutTokens: -1,
		Start: &topoi.Start{
			Topics: z.Append(nil, 0, docs.NumTokens()), Alpha: now.Alpha, Beta: now.Beta, Iteration: a.of.iteration,
		},
	}})
	if err != nil {
		return err
	}
	a.sums = &engine.Summed{Engine: a.next.engine}
	if err = a.next.start(); err == nil {
		err = a.add(ctx)
	}
	if err != nil {
		a.next.leave()
	}
	return err
}

// add adds up all states and their priors.
func (a *averaging) add(ctx context.Context) error {
	n := a.of.record.Draws
	for i := range n {
		for range min(i, 1) * training.DrawEvery {
			if err := a.next.iterate(ctx); err != nil {
				return err
			}
		}
		if err := a.sums.Add(a.of.docs.All.NumWords()); err != nil {
			return err
		}
		for k, alpha := range a.next.priors.Now.Alpha {
			a.mean.Alpha[k] += alpha / float64(n)
		}
		a.mean.Beta += a.next.priors.Now.Beta
		a.of.opts.phase("average topics", int64(i+1), int64(n))
	}
	return nil
}
