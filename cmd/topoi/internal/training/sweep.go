package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/progress"
	"github.com/topoi-lda/topoi/sweep"
)

// AddSweep adds topoi sweep.
func AddSweep(a *cli.App) {
	s := &sweeper{App: a}
	s.command = cli.Describe("sweep")
	s.flags()
	a.Add(s.command, s.check, s.run)
}

func (s *sweeper) flags() {
	c, o := s.command, &s.options.Train
	cli.Section(c, "What to sweep", func(fs *pflag.FlagSet) {
		fs.StringVarP(&s.topics, "topics", "k", "5,10,20,40,80", "`numbers` of topics, such as 10,20,50 or 10..200:10")
		fs.StringVarP(&s.output, "output", "o", "", "`directory` of the sweep (required)")
		fs.IntVar(&s.options.Seeds, "seeds", 5,
			"`number` of runs for each number of topics; stability needs two or more")
		fs.Float64Var(&s.sample, "sample", 0, "`share` of the documents to sweep, a random sample (default: all)")
		fs.Uint64Var(&s.sampleSeed, "sample-seed", 0,
			"random seed of the sample; the same `number` draws the same documents")
		fs.StringVar(&o.Prior, "prior", "", "`kind` of prior: covariates, with --formula")
		fs.StringVar(&o.Formula, "formula", "",
			"columns on which topics depend, such as '~ party + s(date)': trains with --prior covariates")
		fs.StringVar(&s.keep, "keep", "all",
			"`models` to keep: all, best (for each number of topics the run that predicts best) or none")
		fs.StringVar(&s.pages, "pages", "best", "`models` that get an explore page: all, best or none")
	})
	o.Holdout = 0.1 // without it there is no score to compare numbers of topics by
	cli.OptionFlags(c, "What to train", o, nil, sweepsOwn...)
	cli.OptionFlags(c, "When to stop", o, nil, sweepsOwn...)
	cli.OptionFlags(c, "How to run", o, func(fs *pflag.FlagSet) {
		fs.BoolVar(&s.resume, "resume", false, "continue the sweep in the directory")
		fs.BoolVar(&s.asJSON, "json", false, "write events as JSON lines on standard output")
		fs.BoolVar(&s.Verbose, "verbose", false, "print which sampler was chosen, why, and where it runs")
		fs.BoolVar(&s.quiet, "quiet", false, "show errors only")
	}, sweepsOwn...)
	c.Flags().Lookup("seed").Usage = "the first seed; the others follow"
	c.Flags().Lookup("checkpoint-every").Usage = "`number` of iterations between checkpoints of a run; 0 for none, so that a stopped run begins again (default: a minute, more if writing takes long)"
	s.clusterFlags()
	tuningFlags(c, o)
	s.inputs.AddReading(c)
	s.inputs.AddText(c)
	cli.Complete(c, "sampler", samplerNames)
	cli.Complete(c, "device", cli.Fixed("auto", "cpu", "cuda"))
	cli.Complete(c, "keep", cli.Fixed("all", "best", "none"))
	cli.Complete(c, "pages", cli.Fixed("all", "best", "none"))
}

// sweepsOwn are the flags of training that are the sweep's own, or would make models depend on the machine.
var sweepsOwn = []string{"topics", "until-ll", "until-heldout", "time-limit", "work-dir", "checkpoint", "resume"}

// check settles the options and returns all faults of the command line.
func (s *sweeper) check(args []string) error {
	faults := []error{
		cli.NeedInputs(args, "the input", "topoi sweep articles.csv -k 10,20,50 -o news.sweep"),
		cli.NeedOutput(s.output, "DIR"),
		cli.RefuseZero(s.command, "seeds", "sample"),
	}
	o, fs := &s.options, s.command.Flags()
	o.Keep, o.Pages, o.Train.Program = s.keep, s.pages, cli.ProgramVersion()
	o.Name = cli.ModelName(s.output)
	if fs.Changed("checkpoint-every") && o.Train.CheckpointEvery == 0 {
		o.Train.CheckpointEvery = -1
	}
	if why := sweptPrior[o.Train.Prior]; why != "" {
		return errors.New(why)
	}
	if o.Train.Formula != "" {
		o.Train.Prior = prior.ByCovariates
	}
	faults = append(faults, cli.SettleZeros(s.command, &o.Train))
	var err error
	if o.Topics, err = parseTopics(s.topics); err != nil {
		o.Topics = []int{1} // one fault is enough
		faults = append(faults, fmt.Errorf("-k: %w", err))
	}
	return errors.Join(append(faults,
		human.FaultIf(s.sample < 0 || s.sample >= 1, "--sample is %v: it must be above 0 and below 1", s.sample),
		s.existing(), s.clusterCheck(), o.Validate(), s.inputs.Check())...)
}

// sweptPrior describes why a prior that is not empty cannot be swept: it determines the number of topics itself.
var sweptPrior = map[string]string{
	prior.HDP:      "--prior hdp finds a number of topics, and a sweep compares given ones: leave it out, or run topoi train --prior hdp -k 300",
	prior.ByLabels: "--prior labels has a topic for each label: compare runs of topoi train --prior labels with other --free by topoi eval --estimator labels",
}

// existing refuses a directory with a sweep that is not to go on.
func (s *sweeper) existing() error {
	if s.output == "" || !sweep.Dir(s.output).Exists() || running(claim.In(s.output)) {
		return nil
	}
	return human.FaultIf(!s.resume,
		"%s already holds a sweep: add --resume to continue it, or choose another directory", s.output)
}

func (s *sweeper) run(ctx context.Context, args []string) error {
	if err := cli.Writable(s.output); err != nil {
		return err
	}
	ctx, owned, err := claim.Hold(ctx, claim.In(s.output))
	if err != nil {
		return err
	}
	defer owned.Release()
	if err := s.existing(); err != nil { // what is there may be of an owner that has just ended
		return err
	}
	r := s.Reporter(s.asJSON, s.quiet)
	defer r.Close()
	ctx, stop := cli.Interruptible(ctx,
		func() { r.Say("interrupted: finishing this sweep and saving; press Ctrl-C again to stop at once") })
	defer stop()
	c, err := s.open(ctx, args, r)
	if err != nil {
		return err
	}
	defer c.Close()
	s.options.Events = s.watch(r)
	s.options.Events.Train.Start = also(s.options.Events.Train.Start, func(i topoi.StartInfo) {
		if i.MemoryLimit > 0 {
			debug.SetMemoryLimit(i.MemoryLimit)
		}
	})
	s.cluster.Waiting = func() {
		r.Say("waiting for workers; on every machine that should work on it:\n  topoi cluster runs --store URL --job " +
			cli.ShellWord(s.store.job))
	}
	sweeping, err := sweep.Begin(s.output, c, s.options, s.resume)
	if err != nil {
		return err
	}
	s.tellPlan(sweeping, c, r)
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // as topoi train does
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	result, err := sweeping.Run(ctx)
	if cli.Interrupted(err) {
		r.Say("finished runs are kept in " + s.output + "; to continue:\n  " + cli.ResumeLine(s.Args))
	}
	if err != nil {
		return cli.WithoutDevice(err)
	}
	return s.tell(result, r)
}

// open opens the documents of the sweep, which are in its directory: those that are there, or those of the input.
func (s *sweeper) open(ctx context.Context, args []string, r progress.Reporter) (*corpus.Corpus, error) {
	path := sweep.Dir(s.output).Corpus()
	if s.resume && sweep.Dir(s.output).Exists() {
		sampled, err := sweep.Dir(s.output).Sample()
		if err != nil {
			return nil, err
		}
		if s.command.Flags().Changed("sample") && sampled.Share != s.sample {
			return nil, fmt.Errorf("%s sweeps a share of %v of the documents, not %v: leave out --sample, or choose another directory", s.output, cmp.Or(sampled.Share, 1), s.sample)
		}
		s.options.Sample = sampled
		return s.openAgain(args, path)
	}
	if err := sweep.Dir(s.output).Check(); err != nil {
		return nil, err
	}
	whole, err := s.inputs.Open(ctx, args, r, s.quiet)
	if err != nil {
		return nil, err
	}
	c := whole
	if s.sample > 0 {
		c, s.options.Sample, err = sweep.Sample(whole, s.sample, s.sampleSeed)
	}
	if err == nil {
		err = sweep.Dir(s.output).PutCorpus(c)
	}
	if err == nil && c == whole && len(args) == 1 && corpus.IsCorpus(args[0]) {
		return c, nil // the same file under another name
	}
	if err = errors.Join(err, whole.Close()); err != nil {
		return nil, err
	}
	return corpus.Open(path)
}

// openAgain opens the documents of a sweep that goes on, which must be those of the
// input as far as that can be told without reading it.
func (s *sweeper) openAgain(args []string, path string) (*corpus.Corpus, error) {
	c, err := corpus.Open(path)
	if err != nil || len(args) != 1 || !corpus.IsCorpus(args[0]) {
		return c, err
	}
	given, err := corpus.Open(args[0])
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	defer given.Close()
	if want := cmp.Or(s.options.Sample.Fingerprint, c.Fingerprint()); given.Fingerprint() != want {
		_ = c.Close() // it was only read
		return nil, fmt.Errorf("%s holds a sweep of another corpus than %s: its fingerprint is %s, not %s; choose another directory", s.output, args[0], want, given.Fingerprint())
	}
	return c, nil
}

// tellPlan prints what will be done and what it will take.
func (s *sweeper) tellPlan(p *sweep.Sweep, c *corpus.Corpus, r progress.Reporter) {
	all := len(p.Runs())
	if j, ok := r.(*progress.JSON); ok {
		j.Write(struct {
			Event  string `json:"event"`
			Runs   int    `json:"runs"`
			Left   int    `json:"left"`
			Memory uint64 `json:"memory_bytes"`
			Disk   uint64 `json:"disk_bytes"`
		}{"sweep", all, p.Left, p.Memory, p.Disk})
		return
	}
	if s.quiet {
		return
	}
	line := fmt.Sprintf("%s over %s of %s", human.Of(all, "run"), human.Of(c.NumDocs(), "document"),
		human.Of(c.NumTokens(), "token"))
	if share := s.options.Sample.Share; share > 0 {
		line += fmt.Sprintf(", a sample of %.3g %%", 100*share)
	}
	if p.Left < all {
		line += fmt.Sprintf("; %d have been done", all-p.Left)
	}
	if p.Left > 0 {
		line += fmt.Sprintf(": up to %s of memory and %s on disk", human.Bytes(int64(p.Memory)),
			human.Bytes(int64(p.Disk)))
	}
	r.Say(line)
}

// clusterFlags adds the flags that spread the runs over a cluster.
func (s *sweeper) clusterFlags() {
	cli.Section(s.command, "Runs by a cluster", func(fs *pflag.FlagSet) {
		fs.StringVar(&s.store.store, "store", "",
			"`URL` of a Redis or Valkey whose workers do the runs, as for topoi cluster (default: run here)")
		fs.StringVar(&s.store.job, "job", "", "`name` of the sweep in the store (default: that of the directory)")
		fs.IntVar(&s.cluster.AtOnce, "at-once", 8, "`number` of runs in the store at a time")
		fs.TextVar(&s.cluster.Layout, "layout", cluster.Layout{},
			"`plan` of the jobs in place of the one that is chosen, as for topoi cluster submit; corpus=store is for workers that do not see the directory")
		fs.StringVar(&s.store.ca, "store-ca", "",
			"`file` with the certificate of the authority that signed the store's")
		fs.StringVar(&s.store.cert, "store-cert", "",
			"`file` with this machine's certificate, if the store asks for one")
		fs.StringVar(&s.store.key, "store-key", "", "`file` with its key")
	})
}

// clusterCheck settles where the runs are done.
func (s *sweeper) clusterCheck() error {
	if s.store.store == "" {
		var faults []error
		for _, name := range []string{"job", "at-once", "layout", "store-ca", "store-cert", "store-key"} {
			given := s.command.Flags().Changed(name)
			faults = append(faults, human.FaultIf(given, "--%s needs a cluster: add --store URL", name))
		}
		return errors.Join(faults...)
	}
	s.store.job = cmp.Or(s.store.job, cli.ModelName(s.output))
	where, err := s.store.where()
	s.cluster.Where = where
	s.options.Cluster = &s.cluster
	return errors.Join(err,
		human.FaultIf(s.cluster.AtOnce < 1, "--at-once is %d: it must be at least 1", s.cluster.AtOnce),
		human.FaultIf(s.options.Train.Memory > 0,
			"--store and --memory cannot be combined: workers keep their runs in memory"),
		human.FaultIf(protocol.CheckName(s.store.job+"-k1000000-seed0") != nil, "the sweep cannot be called %q in the "+
			"store: give it a short name with --job: up to 40 letters, digits, dots, dashes and underscores",
			s.store.job))
}
