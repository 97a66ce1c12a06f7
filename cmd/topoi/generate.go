package main

import (
	"context"
	"errors"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reading"
	"github.com/topoi-lda/topoi/corpus"
)

func addGenerate(a *cli.App) {
	c := cli.Describe("generate")
	var (
		o                        = corpus.GenerateOptions{}.WithDefaults()
		output                   string
		overwrite, quiet, asJSON bool
	)
	cli.Section(c, "The corpus", func(fs *pflag.FlagSet) {
		fs.IntVar(&o.Docs, "docs", o.Docs, "`number` of documents")
		fs.IntVar(&o.Words, "words", o.Words, "`number` of words in the vocabulary")
		fs.Float64Var(&o.MeanLength, "mean-length", o.MeanLength, "mean number of tokens per document")
		fs.IntVar(&o.Topics, "topics", o.Topics, "`number` of topics of the true model")
		fs.Float64Var(&o.AlphaSum, "alpha-sum", o.AlphaSum,
			"Σα of the documents: a larger sum gives more topics per document")
		fs.Float64Var(&o.BetaSum, "beta-sum", o.BetaSum, "Σβ of the topics: a smaller sum gives fewer words per topic")
		fs.Uint64Var(&o.Seed, "seed", 0, "random seed; the same `number` gives the same corpus")
	})
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.StringVarP(&output, "output", "o", "", "corpus `file` to write (required)")
		fs.BoolVar(&overwrite, "overwrite", false, "replace the file if it exists")
		fs.IntVar(&o.Threads, "threads", 0, "`number` of threads; does not change the result (default: all cores)")
		fs.BoolVar(&asJSON, "json", false, "write events and report as JSON lines on standard output")
		fs.BoolVar(&quiet, "quiet", false, "show errors only")
	})
	check := func(args []string) error {
		return errors.Join(
			cli.NoArguments(c)(args),
			cli.NeedOutput(output, "FILE"),
			cli.RefuseZero(c, "docs", "words", "mean-length", "topics", "alpha-sum", "beta-sum"),
			o.Validate(),
			cli.RefuseExisting(output, overwrite),
		)
	}
	run := func(ctx context.Context, _ []string) error {
		r := a.Reporter(asJSON, quiet)
		defer r.Close()
		o.Progress = reading.Progress(r)
		report, err := corpus.Generate(ctx, output, o)
		if err != nil || quiet {
			return err
		}
		reading.Tell(report, output, r)
		if !asJSON {
			r.Say("saved " + output)
		}
		return nil
	}
	a.Add(c, check, cli.Stoppable(run))
}
