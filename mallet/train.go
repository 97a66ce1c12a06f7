package mallet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

// TrainTopics is train-topics.
type TrainTopics struct {
	outputs
	input, inputModel string
	noInference       bool
	symmetric         bool
	showInterval      int
	seed              int64
	options           topoi.Options
}

var trainRefusals = refusals{
	{"input-state", "string", nil, "topoi does not train from a state that is given; topoi import reads the documents of one"},
	{"output-model-interval", "string", []string{"0"}, "topoi train keeps checkpoints of long runs, from which --resume goes on"},
	{"output-state-interval", "string", []string{"0"}, "the state is written at the end"},
	{"num-icm-iterations", "string", []string{"0"}, "topoi draws topics and does not maximise them"},
	{"xml-topic-phrase-report", "string", nil, "topoi counts words and does not keep their order; topoi import --phrases makes words of phrases"},
}

// Flags implements Command.
func (c *TrainTopics) Flags(fs, refused *pflag.FlagSet) {
	fs.StringVar(&c.input, "input", "", "`file` of an import (needed)")
	fs.StringVar(&c.inputModel, "input-model", "", "`directory` of --output-model to write reports of; takes --no-inference or --num-iterations 0")
	fs.BoolVar(&c.noInference, "no-inference", false, "do not train, write reports of --input-model")
	fs.IntVar(&c.options.Topics, "num-topics", 10, "`number` of topics")
	fs.IntVar(&c.options.Iterations, "num-iterations", 1000, "`number` of sweeps")
	fs.IntVar(&c.options.Threads, "num-threads", 0, "`number` of threads; never changes the result (default: all cores)")
	fs.Int64Var(&c.seed, "random-seed", 0, "another seed gives another run; 0 is one like any other, not the clock")
	fs.Float64Var(&c.options.AlphaSum, "alpha", 5, "sum of α over all topics at the start")
	fs.Float64Var(&c.options.Beta, "beta", 0.01, "β at the start")
	fs.IntVar(&c.options.OptimizeInterval, "optimize-interval", 0, "sweeps between estimations of α and β; 0: keep them as they are")
	fs.IntVar(&c.options.BurnIn, "optimize-burn-in", 200, "sweeps before the first estimation")
	fs.BoolVar(&c.symmetric, "use-symmetric-alpha", false, "keep α equal for all topics; only where nothing is estimated")
	fs.IntVar(&c.showInterval, "show-topics-interval", 50, "show the topics at the end unless it is 0 or they are written to a file")
	c.outputs.flags(fs)
	configFlag(fs)
	trainRefusals.define(refused)
}

// Check implements Command.
func (c *TrainTopics) Check(fs *pflag.FlagSet) error {
	faults := []error{trainRefusals.check(fs), c.outputs.check()}
	if c.inputModel != "" {
		if !c.noInference && c.options.Iterations != 0 {
			faults = append(faults, errors.New("--input-model cannot be trained on: topoi repeats a run with more iterations from its beginning; --no-inference writes reports of the model"))
		}
		return errors.Join(faults...)
	}
	faults = append(faults, needed(fs, "input"))
	if c.noInference {
		faults = append(faults, errors.New("--no-inference needs a model: add --input-model DIRECTORY"))
	}
	if c.symmetric && c.options.OptimizeInterval > 0 {
		faults = append(faults, errors.New("--use-symmetric-alpha cannot be honoured together with --optimize-interval: topoi estimates α of every topic by itself"))
	}
	return errors.Join(append(faults, c.settle())...)
}

// settle makes topoi's options of MALLET's, where 0 has a meaning of its own.
func (c *TrainTopics) settle() error {
	o := &c.options
	o.Seed = uint64(c.seed)
	o.Tolerance = -1     // all sweeps are done
	o.EvaluateEvery = 10 // and their likelihood is told as often as MALLET does
	var faults []error
	for _, p := range []struct {
		name string
		bad  bool
	}{{"num-topics", o.Topics < 1}, {"num-iterations", o.Iterations < 1}, {"alpha", !(o.AlphaSum > 0)}, {"beta", !(o.Beta > 0)}} {
		if p.bad {
			faults = append(faults, fmt.Errorf("--%s must be above 0", p.name))
		}
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	if o.OptimizeInterval == 0 {
		o.OptimizeInterval = -1
	}
	if o.BurnIn == 0 {
		o.BurnIn = -1
	}
	return o.Validate()
}

// Run implements Command.
func (c *TrainTopics) Run(ctx context.Context, fs *pflag.FlagSet, env Env) error {
	if c.inputModel != "" {
		return c.report(ctx, env)
	}
	docs, err := openCorpus("--input", c.input)
	if err != nil {
		return err
	}
	defer docs.Close()
	if err := c.outputs.possible(c.input, docs, c.options); err != nil {
		return err
	}
	c.tellDifferences(fs, env)
	m, err := c.train(ctx, docs, env)
	if err != nil {
		return err
	}
	defer m.Close()
	return c.finish(ctx, m, env)
}

// report writes reports of a model that is there.
func (c *TrainTopics) report(ctx context.Context, env Env) error {
	m, err := openModel("--input-model", c.inputModel)
	if err != nil {
		return err
	}
	defer m.Close()
	if err := c.outputs.possible("", nil, c.options); err != nil {
		return err
	}
	return c.finish(ctx, m, env)
}

// tellDifferences says what is not as in MALLET.
func (c *TrainTopics) tellDifferences(fs *pflag.FlagSet, env Env) {
	seed := "runs are repeated bit by bit by their seed, for any number of threads; they are not those of MALLET"
	if c.seed == 0 {
		seed += ", and the seed 0 is one like any other, not the clock"
	}
	env.note("%s", seed)
	if !fs.Changed("num-threads") {
		env.note("all cores are used; --num-threads takes fewer")
	}
	if fs.Changed("show-topics-interval") && c.showInterval != 0 {
		env.note("topics are shown at the end, not on the way")
	}
}

// train trains, and tells the likelihood as MALLET does.
func (c *TrainTopics) train(ctx context.Context, docs *corpus.Corpus, env Env) (*topoi.Model, error) {
	o := c.options
	o.Program = env.Program
	o.Events = topoi.Events{
		Phase:   env.Report.Phase,
		Warning: env.Report.Events().Warning,
		Iteration: func(i topoi.IterationInfo) {
			if i.Score != nil {
				env.Report.Say(fmt.Sprintf("<%d> LL/token: %.5f", i.Iteration, i.Score.LogLikelihood))
			}
		},
		Done: func(d topoi.DoneInfo) { env.Report.Say("\nTotal time: " + inWords(d.Elapsed)) },
	}
	return topoi.Train(ctx, docs, o)
}

// inWords tells a time as MALLET does: 1 hours 2 minutes 3 seconds.
func inWords(d time.Duration) string {
	seconds := int64(d.Round(time.Second) / time.Second)
	var b strings.Builder
	for _, u := range []struct {
		name string
		size int64
	}{{"days", 86400}, {"hours", 3600}, {"minutes", 60}} {
		if n := seconds / u.size; n > 0 {
			fmt.Fprintf(&b, "%d %s ", n, u.name)
			seconds %= u.size
		}
	}
	fmt.Fprintf(&b, "%d seconds", seconds)
	return b.String()
}

// finish writes everything, and shows the topics where no file has them.
func (c *TrainTopics) finish(ctx context.Context, m *topoi.Model, env Env) error {
	if err := c.outputs.write(ctx, m, env); err != nil {
		return err
	}
	if c.showInterval == 0 || c.topicKeys != "" {
		return nil
	}
	for k, words := range m.EachTopWords(nil, c.topWords) {
		terms := make([]string, len(words))
		for i, w := range words {
			terms[i] = w.Term
		}
		env.Report.Say(fmt.Sprintf("%d\t%.5g\t%s", k, m.Alpha()[k], strings.Join(terms, " ")))
	}
	return nil
}

// openModel opens a model that an option names.
func openModel(option, path string) (*topoi.Model, error) {
	m, err := topoi.Open(path)
	if errors.Is(err, topoi.ErrNotModel) {
		return nil, fmt.Errorf("%s %s: this is no model of topoi; topoi mallet train-topics writes one with --output-model or --inferencer-filename", option, path)
	}
	return m, err
}
