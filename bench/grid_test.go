package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// rivals are compared with the default after four times its sweeps.
var rivals = []string{"batch", "batch-8", "cvb", "warp"}

// measureGrid compares a default run, which knows nothing of the documents held out, with the best score that any
// sampler has on the way in four times as many sweeps. who says which to run: "" for all of that, "default", or a
// rival and its sweeps, such as batch-8:1600.
func measureGrid(c *corpus.Corpus, o topoi.Options, who string) (string, error) {
	docs, held, err := halves(c, o)
	if err != nil {
		return "", err
	}
	if name, n, ok := strings.Cut(who, ":"); ok {
		sweeps, err := strconv.Atoi(n)
		if err != nil {
			return "", err
		}
		line, _, err := rival(c, o, name, sweeps)
		return line, err
	}
	began := time.Now()
	o.Holdout, o.HoldoutSeed = 0, 0
	m, err := train.Run(context.Background(), docs, o)
	if err != nil {
		return "", err
	}
	seconds := time.Since(began).Seconds()
	result, err := eval.Completion(context.Background(), m, held, eval.Options{Threads: o.WithDefaults().Threads})
	if err != nil {
		return "", err
	}
	made := m.Manifest()
	line := fmt.Sprintf("%6.0f tokens a document, default %.4f in %.1f s (%s, %d sweeps, %s)",
		float64(docs.NumTokens())/float64(docs.NumDocs()), result.PerToken, seconds,
		made.Options.Sampler, made.Iterations, made.Stopped)
	if who == "default" {
		return line, nil
	}
	o.Holdout, o.HoldoutSeed = 0.1, *seed
	best := result.PerToken
	for _, name := range rivals {
		said, score, err := rival(c, o, name, 4*made.Iterations)
		if err != nil {
			return "", err
		}
		line, best = line+", "+said, max(best, score)
	}
	return fmt.Sprintf("%s: %+.4f", line, result.PerToken-best), nil
}

// halves returns the documents in training and those held out.
func halves(c *corpus.Corpus, o topoi.Options) (docs, held *corpus.Corpus, err error) {
	o.Iterations, o.Sampler, o.Topics = 1, "batch", 2
	m, err := train.Run(context.Background(), c, o)
	if err != nil {
		return nil, nil, err
	}
	if docs, err = m.Docs(); err != nil {
		return nil, nil, err
	}
	held, err = m.Heldout()
	return docs, held, err
}

// rival trains by one of the rivals and returns its best score on the way, and when it had it.
func rival(c *corpus.Corpus, o topoi.Options, name string, sweeps int) (line string, best float64, err error) {
	o.Sampler, o.Iterations, o.Tolerance = strings.TrimSuffix(name, "-8"), sweeps, -1
	o.TimeLimit = *limit
	o.EvaluateEvery = max(10, sweeps/40)
	switch name {
	case "batch-8":
		o.Tuning.MiniBatches = 8
	case "cvb":
		o.Tuning.CVB, o.Tuning.ExactSweeps = "zero", 40
	}
	var at []topoi.IterationInfo
	o.Events.Iteration = func(i topoi.IterationInfo) {
		if i.Score != nil {
			at = append(at, i)
		}
	}
	if _, err := train.Run(context.Background(), c, o); err != nil {
		return "", 0, err
	}
	top := slices.MaxFunc(at, func(a, b topoi.IterationInfo) int {
		return cmp.Compare(*a.Score.Heldout, *b.Score.Heldout)
	})
	best = *top.Score.Heldout
	line = fmt.Sprintf("%s %.4f after %d of %d sweeps, %.1f s", name, best, top.Iteration, sweeps, top.Training.Seconds())
	return line, best, nil
}
