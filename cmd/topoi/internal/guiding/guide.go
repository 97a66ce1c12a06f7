// Package guiding has the commands that make models from more than documents: seeds, update, edit and drift,
// and the flags of train that guide its topics.
package guiding

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/prevalence"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reading"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/guide"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/topic"
)

// Flags are the flags of train that guide topics.
type Flags struct {
	seedsFile   string
	seedWeight  float64
	prior       string // path of an older model; "" where --prior names a kind of prior
	kind        Prior
	priorWeight float64
	byTime      string
	carry       float64

	Say func(text string) // is told about seeds; Check sets it to nobody

	topics []guide.SeedTopic
	seeded *guide.Seeded
	names  topic.Labels
}

// Add adds the flags.
func (f *Flags) Add(fs *pflag.FlagSet) {
	f.AddKnown(fs)
	fs.StringVar(&f.byTime, "by-time", "",
		"let topics change over time: `length` of a slice: day, week, month, quarter, year or decade; see topoi drift")
	fs.Float64Var(&f.carry, "carry", 0.8,
		"`share` of the counts of a slice that the next slice starts with")
}

// AddKnown adds the flags that know topics before training.
func (f *Flags) AddKnown(fs *pflag.FlagSet) {
	fs.StringVar(&f.seedsFile, "seeds", "",
		"`file` with seed words of topics that you know: .yaml, .csv, or lines such as 'space: orbit, nasa, moon*'")
	fs.Float64Var(&f.seedWeight, "seed-weight", 0.3,
		"how strongly seed words hold their topics: pseudo-counts per token")
	f.kind.Add(fs, "`prior` of topics in documents: hdp finds how many topics there are, at most -k (default 1000), labels gives a document the topics of its labels, covariates lets topics depend on columns; or an older model whose topics the first topics continue, with their names; see topoi update")
	fs.Float64Var(&f.priorWeight, "prior-weight", 0.5, "weight of a token of the older model")
}

// Settle gives options the prior that the flags name. An older model is left to Train.
func (f *Flags) Settle(fs *pflag.FlagSet, o *topoi.Options) error {
	if !f.kind.reserved() {
		f.prior = f.kind.name
	}
	return f.kind.Settle(fs, o)
}

// Check returns all faults of the flags, and reads the seeds.
func (f *Flags) Check(fs *pflag.FlagSet, workers int) error {
	var faults []error
	f.Say = func(string) {}
	chosen := slices.DeleteFunc([]string{f.seedsFile, f.kind.name, f.byTime},
		func(value string) bool { return value == "" })
	switch {
	case len(chosen) > 1:
		faults = append(faults, errors.New("--seeds, --prior and --by-time cannot be combined: choose one of them"))
	case f.byTime != "" && workers > 0:
		faults = append(faults, errors.New("--by-time cannot be combined with --workers: slices are trained one after the other, so leave out --workers"))
	}
	for flag, needs := range map[string]string{"seed-weight": "seeds", "prior-weight": "prior", "carry": "by-time"} {
		faults = append(faults, human.FaultIf(fs.Changed(flag) && !fs.Changed(needs), "--%s needs --%s", flag, needs))
	}
	faults = append(faults,
		human.FaultIf(fs.Changed("prior-weight") && f.kind.name != f.prior,
			"--prior-weight needs an older model: --prior %s is not a model", f.kind.name),
		human.FaultIf(!(f.seedWeight > 0), "--seed-weight is %g: it must be above 0", f.seedWeight),
		prevalence.Options{Bins: f.byTime}.Validate())
	if f.seedsFile != "" {
		topics, err := guide.ReadSeeds(f.seedsFile)
		f.topics = topics
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// Guide gives the options of a run what the flags say, and tells about seeds that the corpus does not have. It returns
// the names of topics.
func (f *Flags) Guide(c *corpus.Corpus, o *topoi.Options) (map[int]string, error) {
	switch {
	case f.topics != nil:
		seeded, err := guide.FindSeeds(c, f.topics, o.Topics, f.seedWeight)
		if err != nil {
			return nil, err
		}
		for _, m := range seeded.Missing {
			f.Say("seed word that the corpus does not have: " + m.String())
		}
		f.seeded, f.names = seeded, seeded.Labels()
		o.Pseudo, o.Lineage = seeded.Pseudo, []topoi.Ancestor{seeded.Ancestor()}
		o.Start = seeded.Start(c, *o)
	case f.prior != "":
		if err := f.follow(c, o); err != nil {
			return nil, err
		}
	}
	return f.names.Names, nil
}

// follow makes an older model the beginning of the run.
func (f *Flags) follow(c *corpus.Corpus, o *topoi.Options) error {
	old, err := topoi.Open(f.prior)
	if err != nil {
		return err
	}
	defer old.Close()
	if o.Pseudo, err = guide.Prior(old, c, o.Topics, f.priorWeight); err != nil {
		return err
	}
	labels, err := old.Labels()
	f.names = topic.Labels{Names: labels.Clone().Names}
	o.Lineage = append(old.Manifest().Lineage, topoi.Ancestor{
		Kind: "update", From: old.Fingerprint(), Docs: old.Manifest().Docs,
		Detail: fmt.Sprintf("%s with weight %g", human.Of(old.Manifest().Docs, "document"), f.priorWeight),
	})
	return err
}

// Train trains as the flags say, by the given function, and names the topics.
func (f *Flags) Train(ctx context.Context, c *corpus.Corpus, o topoi.Options,
	train func(context.Context, *corpus.Corpus, topoi.Options) (*topoi.Model, error),
) (m *topoi.Model, err error) {
	if _, err := f.Guide(c, &o); err != nil {
		return nil, err
	}
	if f.byTime == "" {
		m, err = train(ctx, c, o)
	} else {
		m, err = guide.ByTime(ctx, c, guide.ByTimeOptions{
			Bins: f.byTime, Carry: f.carry, Options: o,
			Slice: func(name string, docs int) { f.Say(fmt.Sprintf("%s: %s", name, human.Of(docs, "document"))) },
		})
	}
	if err != nil {
		return nil, err
	}
	return m, f.name(m)
}

// name gives the topics of the new model their names, and tells what became of seeded ones.
func (f *Flags) name(m *topoi.Model) error {
	if !f.names.Empty() {
		if err := m.SetLabels(f.names); err != nil {
			return err
		}
	}
	if f.seeded == nil {
		return nil
	}
	var list, away []string
	for _, o := range f.seeded.Outcomes(m) {
		list = append(list, fmt.Sprintf("%s %.0f %%", o.Name, 100*o.Share))
		if o.RanAway() {
			away = append(away, o.String())
		}
	}
	f.Say("share of seed words in their topics: " + strings.Join(list, ", "))
	if len(away) > 0 {
		f.Say("warning: these topics lost their seed words: " + strings.Join(away, ", ") +
			"; choose more typical words, or a larger --seed-weight")
	}
	displaced, err := f.seeded.Displaced(m, f.seedWeight)
	if displaced != "" {
		f.Say(fmt.Sprintf("warning: with --seed-weight %g, %s", f.seedWeight, displaced))
	}
	return err
}

// Prior is the flag that names a kind of prior, with the flags that belong to it.
type Prior struct {
	name             string
	mostTopics, free int
	formula          string
}

// Add adds the flags; help says what --prior takes.
func (p *Prior) Add(fs *pflag.FlagSet, help string) {
	fs.StringVar(&p.name, "prior", "", help)
	usual := topoi.Options{Prior: prior.HDP}.WithDefaults().Topics
	fs.IntVar(&p.mostTopics, "max-topics", usual, "largest `number` of topics for --prior hdp")
	cli.Moved(fs, "-k", "max-topics")
	fs.IntVar(&p.free, "free", 0, "`number` of topics without a label that all documents share, for --prior labels")
	fs.StringVar(&p.formula, "formula", "",
		"columns on which topics depend, for --prior covariates, such as '~ party + s(date)'")
}

// reserved reports whether the flag names a kind of prior. A model of such a name is given as ./hdp.
func (p *Prior) reserved() bool { return slices.Contains(prior.Names(), p.name) }

// Settle gives options the prior, and returns the faults of the flags.
func (p *Prior) Settle(fs *pflag.FlagSet, o *topoi.Options) error {
	for flag, needs := range map[string]string{
		"max-topics": prior.HDP, "free": prior.ByLabels,
		"formula": prior.ByCovariates,
	} {
		if fs.Changed(flag) && p.name != needs {
			return fmt.Errorf("--%s needs --prior %s", flag, needs)
		}
	}
	if !p.reserved() {
		return nil
	}
	o.Prior, o.Formula = p.name, p.formula
	switch p.name {
	case prior.HDP:
		return p.limit(fs, o)
	case prior.ByLabels:
		o.Free = p.free
		return human.FaultIf(fs.Changed("topics"),
			"--prior labels has one topic per label: leave out -k %d; --free adds topics without a label", o.Topics)
	}
	return nil
}

// limit gives options the largest number of topics that --prior hdp may find.
func (p *Prior) limit(fs *pflag.FlagSet, o *topoi.Options) error {
	if fs.Changed("topics") {
		return errors.Join(
			human.FaultIf(fs.Changed("max-topics"), "-k and --max-topics are the same limit: leave out --max-topics"),
			human.FaultIf(o.Topics < 1, "-k is %d: the largest number of topics must be at least 1", o.Topics))
	}
	o.Topics = p.mostTopics
	return human.FaultIf(p.mostTopics < 1, "--max-topics is %d: it must be at least 1", p.mostTopics)
}

// AddSeeds adds topoi seeds and its commands.
func AddSeeds(a *cli.App) {
	family := cli.Describe("seeds")
	a.AddFamily(family)
	var in reading.Flags
	n := 5
	c := cli.Describe("seeds suggest")
	cli.Section(c, "Seed words", func(fs *pflag.FlagSet) {
		fs.IntVar(&n, "words", 5,
			"`number` of words for each label")
	})
	in.AddReading(c)
	in.AddText(c)
	check := func(args []string) error {
		return errors.Join(cli.NeedInputs(args, "the input", "topoi seeds suggest articles.csv"), in.Check(),
			cli.RefuseZero(c, "words"))
	}
	a.AddTo(family, "", c, check, cli.Stoppable(func(ctx context.Context, args []string) error {
		r := a.Reporter(false, true)
		defer r.Close()
		docs, err := in.Open(ctx, args, r, true)
		if err != nil {
			return err
		}
		defer docs.Close()
		topics, err := guide.SuggestSeeds(ctx, docs, n)
		if err != nil {
			return err
		}
		if len(topics) == 0 {
			return errors.New("the documents have no labels to suggest words for: name their column with --label-field")
		}
		for _, t := range topics {
			words := lists.Of(t.Words, func(w guide.SeedWord) string { return w.Pattern })
			fmt.Fprintf(a.Stdout, "%s: %s\n", strings.ReplaceAll(t.Name, ":", " "), strings.Join(words, ", "))
		}
		return nil
	}))
}
