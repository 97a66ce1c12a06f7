package train_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// measured returns a metric of models that differ in their seeds: its mean, and the standard error of that.
func measured(models []*eval.Measured, metric string) (mean, standardError float64) {
	n := float64(len(models))
	for _, m := range models {
		mean += m.Value(metric) / n
	}
	for _, m := range models {
		standardError += math.Pow(m.Value(metric)-mean, 2) / (n - 1)
	}
	return mean, math.Sqrt(standardError / n)
}

// An experiment: does learning the priors help? Runs with three seeds each are scored by the same held-out documents.
func Example_experiment() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "experiment-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "docs.topoi")
	_, err = corpus.Generate(ctx, path, corpus.GenerateOptions{Docs: 300, Words: 100, Topics: 5, AlphaSum: 0.5, BetaSum: 20})
	if err != nil {
		log.Fatal(err)
	}
	c, err := corpus.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()

	base := topoi.Options{Topics: 5, Sampler: "gibbs", Iterations: 60, Tolerance: -1, Holdout: 0.2}
	fixed, learned := base, base
	fixed.OptimizeInterval = -1
	if base.Shared, err = train.Share(c, base); err != nil {
		log.Fatal(err)
	}
	defer base.Shared.Close()
	for _, way := range []struct {
		name string
		opts topoi.Options
	}{{"fixed priors", fixed}, {"learned priors", learned}} {
		var models []*eval.Measured
		for seed := range uint64(3) {
			way.opts.Seed, way.opts.Shared = seed, base.Shared
			m, err := train.Run(ctx, c, way.opts)
			if err != nil {
				log.Fatal(err)
			}
			found, err := eval.Measure(ctx, m, eval.MeasureOptions{Heldout: base.Shared.Heldout()})
			if err != nil {
				log.Fatal(err)
			}
			models = append(models, found)
		}
		heldout, spread := measured(models, "heldout")
		npmi, _ := measured(models, "npmi")
		fmt.Printf("%-14s  held-out %.3f ± %.3f nats per token, NPMI %.2f\n", way.name, heldout, spread, npmi)
	}
	// Output:
	// fixed priors    held-out -3.658 ± 0.006 nats per token, NPMI 0.16
	// learned priors  held-out -3.630 ± 0.001 nats per token, NPMI 0.15
}
