package mallet

import (
	"context"
	"errors"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/internal/human"
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

// Flags implements Command.
func (c *InferTopics) Flags(fs, refused *pflag.FlagSet) {
	fs.StringVar(&c.inferencer, "inferencer", "",
		"`directory` that train-topics wrote with --inferencer-filename, or any model of topoi (required)")
	fs.StringVar(&c.input, "input", "", "`file` of an import (required)")
	fs.StringVar(&c.output, "output-doc-topics", "", "`file` for the topics of every document (required)")
	fs.Float64Var(&c.threshold, "doc-topics-threshold", 0,
		"list topics with at least this `share`, by falling share; 0: all, in a column each")
	fs.IntVar(&c.most, "doc-topics-max", -1, "list at most this `number` of topics, where there is a threshold; -1: all")
	fs.IntVar(&c.how.Iterations, "num-iterations", 100, "`number` of sweeps over each document")
	fs.IntVar(&c.sampleInterval, "sample-interval", 10, "has no effect: all sweeps after the burn-in count")
	fs.IntVar(&c.how.BurnIn, "burn-in", 10, "`number` of first sweeps that are discarded")
	fs.Int64Var(&c.seed, "random-seed", 0, "random seed; 0 is a seed like any other, not the clock")
	configFlag(fs)
	refusals{}.define(refused)
}

// Check implements Command.
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

// Run implements Command.
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
