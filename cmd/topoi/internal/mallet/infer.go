package mallet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// InferTopics is infer-topics.
type InferTopics struct {
	inferencer, input, output string
	threshold                 float64
	most                      int
	seed                      int64
	sampleInterval            int
	how                       topoi.InferOptions
}

func (c *InferTopics) Flags(fs, refused *pflag.FlagSet) {
	fs.StringVar(&c.inferencer, "inferencer", "",
		"`directory` that train-topics wrote with --inferencer-filename, or any model of topoi (required)")
	fs.StringVar(&c.input, "input", "", "`file` of an import (required)")
	fs.StringVar(&c.output, "output-doc-topics", "", "`file` for the topics of every document (required)")
	fs.Float64Var(&c.threshold, "doc-topics-threshold", 0,
		"list topics with at least this `share`, by falling share; 0: all, in a column each")
	fs.IntVar(&c.most, "doc-topics-max", -1,
		"list at most this `number` of topics, where there is a threshold; -1: all")
	fs.IntVar(&c.how.Iterations, "num-iterations", 100, "`number` of sweeps over each document")
	fs.IntVar(&c.sampleInterval, "sample-interval", 10, "has no effect: all sweeps after the burn-in count")
	fs.IntVar(&c.how.BurnIn, "burn-in", 10, "`number` of first sweeps that are discarded")
	fs.Int64Var(&c.seed, "random-seed", 0, "random seed; 0 is a seed like any other, not the clock")
	refusals{}.define(fs, refused)
}

func (c *InferTopics) Check(fs *pflag.FlagSet) error {
	faults := []error{
		needed(fs, "inferencer", "input", "output-doc-topics"), refusals{}.check(fs), checkThreshold(c.threshold),
		aboveZero("num-iterations", c.how.Iterations),
	}
	if c.how.Iterations < 1 {
		return errors.Join(faults...)
	}
	c.how.BurnIn = min(c.how.BurnIn, c.how.Iterations-1) // MALLET keeps the last sweep if no other
	if c.how.BurnIn == 0 {
		c.how.BurnIn = -1
	}
	c.how.Seed = uint64(c.seed)
	return errors.Join(append(faults, c.how.Validate())...)
}

func (c *InferTopics) Run(ctx context.Context, fs *pflag.FlagSet, env Env) error {
	if err := possibleFile(c.output); err != nil {
		return err
	}
	m, docs, err := openPair(ctx, "--inferencer", c.inferencer, c.input, env)
	if err != nil {
		return err
	}
	defer m.Close()
	defer docs.Close()
	if fs.Changed("sample-interval") {
		env.note("all sweeps after the burn-in count, not only every %dth", c.sampleInterval)
	}
	format, options := docTopicsFormat(c.threshold, c.most, "mallet", "mallet-threshold")
	options.Progress = env.phase("inferring topics")
	return export.Infer(ctx, m, docs, format, c.output, c.how, options)
}

// openPair opens a model and documents for it.
func openPair(ctx context.Context, option, model, input string, env Env) (*topoi.Model, *corpus.Corpus, error) {
	m, err := openModel(option, model)
	if err != nil {
		return nil, nil, err
	}
	docs, err := openFor(ctx, m, input, env)
	if err != nil {
		m.Close()
		return nil, nil, err
	}
	return m, docs, nil
}

// openFor opens documents in the vocabulary of a model. Words that it does not have are left out, as in MALLET.
func openFor(ctx context.Context, m *topoi.Model, input string, env Env) (*corpus.Corpus, error) {
	c, err := openCorpus("--input", input)
	if err != nil {
		return nil, err
	}
	if err := c.Close(); err != nil {
		return nil, err
	}
	o, err := m.ImportOptions()
	if err != nil {
		return nil, err
	}
	docs, report, err := corpus.Load(ctx, []string{input}, o)
	if err == nil && report.UnknownTokens > 0 {
		env.note("ignored %s (%s) that the model does not know", human.Of(report.UnknownWords, "word"),
			human.Of(report.UnknownTokens, "token"))
	}
	return docs, err
}

// EvaluateTopics is evaluate-topics: the probability of documents by the left-to-right algorithm.
type EvaluateTopics struct {
	evaluator, input    string
	probability, perDoc string
	particles, ignored  int
	resampling          bool
	seed                int64
}

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
	refusals{}.define(fs, refused)
}

func (c *EvaluateTopics) Check(fs *pflag.FlagSet) error {
	return errors.Join(needed(fs, "evaluator", "input"), refusals{}.check(fs), aboveZero("num-particles", c.particles))
}

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
	_, err = eval.LeftToRight(ctx, m, docs, eval.Options{
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
