package apply

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/look"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reading"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/coherence"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/labelscore"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/progress"
)

// evaluator is one run of topoi eval.
type evaluator struct {
	*cli.App
	inputs               reading.Flags
	estimators           []string
	options              eval.Options
	words                int
	heldout, json, quiet bool
}

// estimators are the names that --estimator takes.
var estimators = []string{"completion", "test-set", "left-to-right", "coherence", "labels", "prior"}

// perToken is the unit of likelihoods.
const perToken = "nats per token"

// measurement is one line of the result.
type measurement struct {
	Measure string  `json:"measure"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
	Tokens  int     `json:"tokens,omitempty"` // that were scored
}

// AddEval adds topoi eval.
func AddEval(a *cli.App) {
	e := &evaluator{App: a}
	c := cli.Describe("eval")
	e.inputs.AddReading(c)
	cli.Section(c, "Measuring", func(fs *pflag.FlagSet) {
		fs.StringSliceVar(&e.estimators, "estimator", []string{"completion", "test-set"}, "`names` of the estimators")
		fs.BoolVar(&e.heldout, "heldout", false,
			"score the documents that were held out of training instead of an input")
		fs.IntVar(&e.options.Sweeps, "sweeps", 50, "`number` of sweeps over each document, for test-set")
		fs.IntVar(&e.options.Particles, "particles", 20, "`number` of chains per document, for left-to-right")
		fs.Uint64Var(&e.options.Seed, "seed", 0, "random seed; the same `number` gives the same result")
		fs.IntVar(&e.words, "words", 10, "`number` of top words per topic, for coherence and diversity")
		fs.IntVar(&e.options.Threads, "threads", 0,
			"`number` of threads; does not change the result (default: all cores)")
	})
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.BoolVar(&e.json, "json", false, "write JSON")
		fs.BoolVar(&e.quiet, "quiet", false, "show the figures only")
	})
	cli.Complete(c, "estimator", cli.Fixed(estimators...))
	check := func(args []string) error {
		faults := []error{
			cli.NeedInputs(args, "the model", "topoi eval news.model unseen.csv"), e.inputs.Check(),
			cli.RefuseZero(c, "sweeps", "particles", "words"),
			cli.RefuseNegative(c, "sweeps", "particles", "words", "threads"),
			human.FaultIf(e.heldout && len(args) > 1,
				"--heldout scores the documents that the model held out: leave out the input, or the flag"),
			human.FaultIf(e.heldout && slices.Contains(e.estimators, "coherence"),
				"coherence needs text, and --heldout gives none: give the text as input"),
		}
		for _, name := range e.estimators {
			faults = append(faults, human.FaultIf(!slices.Contains(estimators, name),
				"unknown estimator %q%s", name, human.Hint(name, estimators)))
		}
		return errors.Join(faults...)
	}
	a.Add(c, check, cli.OnModel(new(string), e.run))
}

func (e *evaluator) run(ctx context.Context, m *topoi.Model, args []string) (err error) {
	e.options.Threads = cmp.Or(e.options.Threads, runtime.GOMAXPROCS(0))
	var results []measurement
	switch {
	case e.heldout:
		results, err = e.heldOut(ctx, m)
	case len(args) == 1:
		results, err = e.topics(ctx, m)
	default:
		results, err = e.documents(ctx, m, args[1:])
	}
	if err != nil {
		return err
	}
	if e.json {
		return e.WriteJSON(results)
	}
	return e.table(results)
}

// documents scores what the model has not seen.
func (e *evaluator) documents(ctx context.Context, m *topoi.Model, inputs []string) ([]measurement, error) {
	r := e.Reporter(false, e.quiet || e.json)
	defer r.Close()
	var results []measurement
	if slices.Contains(e.estimators, "coherence") {
		var err error
		if results, err = e.coherence(ctx, m, inputs, r); err != nil || len(e.estimators) == 1 {
			return results, err
		}
	}
	docs, _, err := e.inputs.OpenFor(ctx, m, inputs, r, e.quiet || e.json)
	if err != nil {
		return nil, err
	}
	defer docs.Close()
	if docs.NumTokens() == 0 {
		return nil, errors.New("nothing can be scored: the model knows no word of the input")
	}
	return e.scores(ctx, m, docs, results, r)
}

// heldOut scores what was held out of training.
func (e *evaluator) heldOut(ctx context.Context, m *topoi.Model) ([]measurement, error) {
	docs, err := m.Heldout()
	if err != nil {
		return nil, err
	}
	if docs == nil {
		return nil, errors.New("no documents were held out of training: give documents to score, or train with --holdout 0.1")
	}
	r := e.Reporter(false, e.quiet || e.json)
	defer r.Close()
	return e.scores(ctx, m, docs, nil, r)
}

// scores appends a measurement for every estimator of documents.
func (e *evaluator) scores(ctx context.Context, m *topoi.Model, docs *corpus.Corpus, results []measurement,
	r progress.Reporter,
) ([]measurement, error) {
	for _, name := range e.estimators {
		if name == "coherence" {
			continue
		}
		r.Phase(topoi.PhaseInfo{Name: "scoring: " + name})
		if name == "labels" {
			list, err := e.labels(ctx, m, docs)
			if err != nil {
				return nil, err
			}
			results = append(results, list...)
			continue
		}
		result, sum := measurement{}, 0.0 // of documents as the model was trained on them, in pieces if they were cut
		err := m.EachPrior(docs.Pieces(), func(m eval.Model, docs *corpus.Corpus, _ []uint32) error {
			one, err := e.score(ctx, m, docs, name)
			sum += float64(one.Value * float64(one.Tokens))
			one.Tokens += result.Tokens
			result = one
			return err
		})
		if err != nil {
			return nil, err
		}
		result.Value = sum / float64(max(1, result.Tokens))
		results = append(results, result)
	}
	return results, nil
}

func (e *evaluator) score(ctx context.Context, m eval.Model, docs *corpus.Corpus,
	estimator string,
) (measurement, error) {
	switch estimator {
	case "completion":
		s, err := eval.Completion(ctx, m, docs, e.options)
		return measurement{"document completion", s.PerToken, perToken, s.Scored}, err
	case "prior":
		s, err := eval.Completion(ctx, m, docs, eval.Options{Variant: "prior", Threads: e.options.Threads})
		return measurement{"prior only: no word of a document chooses its topics", s.PerToken, perToken, s.Scored}, err
	case "test-set":
		s, err := eval.TestLikelihood(ctx, m, docs, e.options)
		return measurement{"test-set likelihood given sampled topics", s.PerToken, perToken, s.Scored}, err
	}
	s, err := eval.LeftToRight(ctx, m, docs, e.options)
	return measurement{"left-to-right", s.PerToken, perToken, s.Scored}, err
}

// labels measures how well labels are predicted.
func (e *evaluator) labels(ctx context.Context, m *topoi.Model, docs *corpus.Corpus) ([]measurement, error) {
	trained := m.Manifest().Options
	switch {
	case trained.Prior != prior.ByLabels:
		return nil, errors.New("the model was not trained with labels: train it with --prior labels")
	case !docs.HasLabels():
		return nil, errors.New("the documents have no labels to compare with: name the field that holds them")
	}
	counter := labelscore.New(lists.Of(lists.Upto(m.NumTopics()-trained.Free), m.Label))
	var theta []float64
	err := m.Infer(ctx, docs, topoi.InferOptions{Seed: e.options.Seed, Threads: e.options.Threads, Device: "cpu"},
		func(d *topoi.DocTopics) error {
			theta = d.Theta(theta)
			counter.Add(docs.Label(d.Doc), theta)
			return nil
		})
	if err != nil {
		return nil, err
	}
	s, err := counter.Score()
	return []measurement{
		{Measure: "accuracy of the first label", Value: s.Accuracy, Unit: "share of " + human.Of(s.Docs, "document")},
		{Measure: "macro F1 of the first label", Value: s.MacroF1, Unit: "0 to 1"},
		{Measure: "rank of the best label, mean", Value: s.MeanRank, Unit: "from 1"},
	}, err
}

func (e *evaluator) table(results []measurement) error {
	w := tabwriter.NewWriter(e.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "value\tunit\tmeasure\ttokens scored")
	for _, r := range results {
		tokens := ""
		if r.Tokens > 0 {
			tokens = human.Count(r.Tokens)
		}
		fmt.Fprintf(w, "%.4f\t%s\t%s\t%s\n", r.Value, r.Unit, r.Measure, tokens)
	}
	return w.Flush()
}

// topics measures the topics themselves, on the training documents.
func (e *evaluator) topics(ctx context.Context, m *topoi.Model) ([]measurement, error) {
	docs, err := m.Docs()
	if err != nil {
		return nil, err
	}
	top := look.TopWordIDs(m, nil, e.words)
	c, err := eval.Coherence(ctx, docs, top)
	if err != nil {
		return nil, err
	}
	return []measurement{
		{Measure: "NPMI coherence, mean over topics", Value: meanOf(c.NPMI), Unit: "-1 to 1"},
		{Measure: "UMass coherence, mean over topics", Value: meanOf(c.UMass), Unit: "nats per pair"},
		diversity(top),
	}, nil
}

func diversity(top [][]int) measurement {
	return measurement{Measure: "diversity", Value: eval.Diversity(top), Unit: "share of top words that are unique"}
}

// coherence measures the topics in windows of the input's text.
func (e *evaluator) coherence(ctx context.Context, m *topoi.Model, inputs []string,
	r progress.Reporter,
) ([]measurement, error) {
	if len(e.estimators) > 1 && slices.Contains(inputs, "-") {
		return nil, errors.New("standard input can be read only once: ask for coherence only, or give files")
	}
	options, err := m.ImportOptions()
	if err != nil {
		return nil, err
	}
	options.Source, options.Progress, options.Threads = e.inputs.Options.Source, reading.Progress(r), e.options.Threads
	top := look.TopWordIDs(m, nil, e.words)
	counters := make([]*coherence.Windows, e.options.Threads)
	for i := range counters {
		counters[i] = coherence.NewWindows(top)
	}
	err = corpus.EachText(ctx, inputs, options, func(worker int, words []uint32) { counters[worker].Add(words) })
	if err != nil {
		return nil, err
	}
	for _, c := range counters[1:] {
		counters[0].Merge(c)
	}
	c := counters[0].Measure()
	if !slices.ContainsFunc(c.CV, func(v float64) bool { return !math.IsNaN(v) }) {
		return nil, errors.New("nothing can be measured: no topic has two top words that occur in the input")
	}
	return []measurement{
		{Measure: "C_V coherence (windows of 110 words), mean over topics", Value: meanOf(c.CV), Unit: "-1 to 1"},
		{Measure: "NPMI coherence (windows of 10 words), mean over topics", Value: meanOf(c.NPMI), Unit: "-1 to 1"},
		{Measure: "UCI coherence (windows of 10 words), mean over topics", Value: meanOf(c.UCI), Unit: "nats per pair"},
		diversity(top),
	}, nil
}

// meanOf leaves out topics that could not be measured.
func meanOf(values []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum += v
			n++
		}
	}
	return sum / float64(max(n, 1))
}
