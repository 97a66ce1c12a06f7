package guiding

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reading"
	"github.com/topoi-lda/topoi/compare"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/progress"
	"github.com/topoi-lda/topoi/revise"
)

// updater is one run of topoi update.
type updater struct {
	*cli.App
	in        reading.Flags
	options   revise.UpdateOptions
	output    string
	keep      string
	overwrite bool
	quiet     bool
}

// AddUpdate adds topoi update.
func AddUpdate(a *cli.App) {
	u := &updater{App: a}
	c := cli.Describe("update")
	o := &u.options
	cli.Section(c, "What to train", func(fs *pflag.FlagSet) {
		fs.StringVarP(&u.output, "output", "o", "", "`directory` to save the model in (required)")
		fs.Float64Var(&o.Weight, "weight", 1, "weight of a token of the older model; below 1 the older model is gradually forgotten")
		fs.StringVar(&u.keep, "keep", "none", "old `documents` to train on again: none, all, or how many")
		fs.IntVar(&o.NewTopics, "new-topics", 0, "`number` of new topics to add")
		fs.IntVar(&o.MinDocs, "min-new", 2, "learn new words that occur in at least this many new `documents`")
		fs.IntVar(&o.Options.Iterations, "iterations", 200, "largest `number` of sweeps")
		fs.Uint64Var(&o.Options.Seed, "seed", 0, "random seed; the same `number` gives the same model")
	})
	cli.Section(c, "How to run", func(fs *pflag.FlagSet) {
		fs.IntVar(&o.Options.Threads, "threads", 0, "`number` of threads; does not change the result (default: all cores)")
		fs.StringVar(&o.Options.Device, "device", "auto", "`device` to train on: auto, cpu, cuda or cuda:N")
		fs.BoolVar(&u.overwrite, "overwrite", false, "replace the model if it exists")
		fs.BoolVar(&u.quiet, "quiet", false, "show errors only")
	})
	u.in.AddReading(c)
	check := func(args []string) error {
		if len(args) < 2 {
			return errors.New("the model and the new documents are missing: try topoi update news.model december.csv -o new.model")
		}
		return errors.Join(cli.NeedOutput(u.output, "MODEL"), cli.RefuseModel(u.output, u.overwrite), u.settle(), cli.RefuseZero(c, "iterations", "min-new", "weight"))
	}
	a.Add(cli.GroupTrain, c, check, cli.OnModel(new(string), u.run))
}

// settle reads --keep.
func (u *updater) settle() error {
	switch n, err := strconv.Atoi(u.keep); {
	case u.keep == "none":
		u.options.Keep = 0
	case u.keep == "all":
		u.options.Keep = -1
	case err != nil || n < 0:
		return fmt.Errorf("--keep is %q: it must be none, all or a number of documents", u.keep)
	default:
		u.options.Keep = n
	}
	return nil
}

func (u *updater) run(ctx context.Context, old *topoi.Model, args []string) error {
	ctx, owned, err := claim.Hold(ctx, claim.At(u.output))
	if err != nil {
		return err
	}
	defer owned.Release()
	r := u.Reporter(false, u.quiet)
	defer r.Close()
	docs, err := u.read(ctx, old, args[1:], r)
	if err != nil {
		return err
	}
	defer docs.Close()
	u.options.Options.Events, u.options.Options.Program = r.Events(), cli.ProgramVersion()
	updated, err := revise.Update(ctx, old, docs, u.options)
	if err != nil {
		return err
	}
	defer updated.Model.Close()
	if err := updated.Model.Save(u.output, topoi.SaveOptions{Overwrite: u.overwrite}); err != nil {
		return err
	}
	if !u.quiet {
		return u.tell(ctx, old, updated, r)
	}
	return nil
}

// read reads the new documents as the old ones were, with the words that the model does not know.
func (u *updater) read(ctx context.Context, old *topoi.Model, inputs []string, r progress.Reporter) (*corpus.Corpus, error) {
	o, err := old.ImportOptions()
	if err != nil {
		return nil, err
	}
	o.Vocabulary, o.Source, o.MinDF, o.MaxDF, o.Snippet = corpus.Strings{}, u.in.Options.Source, 1, 1, corpus.DefaultSnippet
	o.Progress = reading.Progress(r)
	docs, report, err := corpus.Load(ctx, inputs, o)
	if err != nil {
		return nil, reading.WithFlags(err)
	}
	if !u.quiet {
		reading.Tell(report, "", r)
	}
	return docs, nil
}

// tell says what changed.
func (u *updater) tell(ctx context.Context, old *topoi.Model, updated *revise.Updated, r progress.Reporter) error {
	r.Say(fmt.Sprintf("saved %s, fingerprint %s", u.output, updated.Model.Fingerprint()))
	r.Say(fmt.Sprintf("learned %s; %s of the older model do not occur in the new documents", human.Of(updated.NewWords, "new word"), human.Of(updated.Quiet, "word")))
	result, err := compare.Models(ctx, old, updated.Model, compare.Options{})
	if err != nil {
		return err
	}
	same := 0
	for _, p := range result.Matches {
		if p.A == p.B {
			same++
		}
	}
	r.Say(fmt.Sprintf("%d of %d topics match their own number in the older model; topoi compare shows more", same, old.NumTopics()))
	return nil
}
