package mallet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/eval"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// EvaluateTopics is evaluate-topics: the probability of documents by the left-to-right algorithm.
type EvaluateTopics struct {
	evaluator, input    string
	probability, perDoc string
	particles, ignored  int
	resampling          bool
	seed                int64
}

// Flags implements Command.
func (c *EvaluateTopics) Flags(fs, refused *pflag.FlagSet) {
	fs.StringVar(&c.evaluator, "evaluator", "",
		"`directory` that train-topics wrote with --evaluator-filename, or any model of topoi (required)")
	fs.StringVar(&c.input, "input", "", "`file` of an import (required)")
	fs.StringVar(&c.perDoc, "output-doc-probs", "", "`file` for the log-probability of every document, one per line")
	fs.StringVar(&c.probability, "output-prob", "-", "`file` for that of all documents together; - is standard output")
	fs.IntVar(&c.particles, "num-particles", 10, "`number` of particles")
	fs.BoolVar(&c.resampling, "use-resampling", false,
		"draw all earlier topics again at each word: more exact, but time grows with the square of the document's length")
	fs.Int64Var(&c.seed, "random-seed", 0, "random seed; 0 is a seed like any other, not the clock")
	for _, name := range []string{"num-iterations", "sample-interval", "burn-in"} {
		fs.IntVar(&c.ignored, name, 0, "has no effect, as in MALLET")
	}
	configFlag(fs)
	refusals{}.define(refused)
}

// Check implements Command.
func (c *EvaluateTopics) Check(fs *pflag.FlagSet) error {
	return errors.Join(needed(fs, "evaluator", "input"), refusals{}.check(fs), aboveZero("num-particles", c.particles))
}

// Run implements Command.
func (c *EvaluateTopics) Run(ctx context.Context, _ *pflag.FlagSet, env Env) error {
	for _, path := range []string{c.perDoc, c.probability} {
		if path != "" && path != "-" {
			if err := possibleFile(path); err != nil {
				return err
			}
		}
	}
	m, docs, err := openPair(ctx, "--evaluator", c.evaluator, c.input, env)
	if err != nil {
		return err
	}
	defer m.Close()
	defer docs.Close()
	total, err := c.evaluate(ctx, m, docs)
	if err != nil {
		return err
	}
	if c.probability == "" || c.probability == "-" {
		_, err := fmt.Fprintln(env.Stdout, total)
		return err
	}
	return writeNumbers(c.probability, []float64{total})
}

// evaluate writes the log-probabilities of documents and returns their sum.
func (c *EvaluateTopics) evaluate(ctx context.Context, m *topoi.Model, docs *corpus.Corpus) (total float64, err error) {
	each := make([]float64, 0, docs.NumDocs())
	_, err = eval.LeftToRight(ctx, m, docs, eval.SampleOptions{
		Particles: c.particles, Seed: uint64(c.seed), Threads: runtime.GOMAXPROCS(0), Once: !c.resampling,
		EachDoc: func(_ int, x float64) { each = append(each, x); total += x },
	})
	if err != nil || c.perDoc == "" {
		return total, err
	}
	return total, writeNumbers(c.perDoc, each)
}

// writeNumbers writes numbers, one per line.
func writeNumbers(path string, list []float64) error {
	return wholefile.Write(path, func(w io.Writer) error {
		for _, x := range list {
			if _, err := fmt.Fprintln(w, x); err != nil {
				return err
			}
		}
		return nil
	})
}
