// Package training has the commands that train: train, sweep, and those of cluster.
package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/look"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/metrics"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/progress"
	"github.com/topoi-lda/topoi/train"
)

// AddTrain adds topoi train.
func AddTrain(a *cli.App) {
	t := &trainer{App: a}
	t.command = cli.Describe("train")
	t.flags()
	cli.Moved(t.command.Flags(), "topoi study", studyFlags(t.command.Flags())...)
	cli.Moved(t.command.Flags(), "topoi import", "unique-ids", "partition", "index-base", "orientation")
	a.Add(t.command, t.check, t.run)
}

func (t *trainer) flags() {
	o, c := &t.options, t.command
	RunFlags(c, o, func(fs *pflag.FlagSet) {
		fs.StringVarP(&t.output, "output", "o", "", "`directory` to save the model in (required)")
	})
	cli.Section(c, "Guiding topics", t.guide.Add)
	cli.OptionFlags(c, "How to run", o, func(fs *pflag.FlagSet) {
		fs.BoolVar(&t.force, "force", false, "start again even if there is the checkpoint of an unfinished run")
		fs.BoolVar(&t.overwrite, "overwrite", false, "replace the model if it exists")
		fs.IntVar(&t.workers, "workers", 0,
			"`number` of worker processes: a small cluster on this machine, with a Redis or Valkey started for it; does not change the result, only what --sampler auto may choose (default: none)")
		fs.StringVar(&t.metrics, "metrics", "", "`address` for Prometheus metrics, such as :9100 (default: none)")
		fs.BoolVar(&t.json, "json", false, "write events as JSON lines on standard output")
		fs.BoolVar(&t.Verbose, "verbose", false, "print which sampler was chosen, why, and where it runs")
		fs.BoolVar(&t.quiet, "quiet", false, "show errors only")
	})
	tuningFlags(c, o)
	t.inputs.AddReading(c)
	t.inputs.AddText(c)
	cli.Complete(c, "device", cli.Fixed("auto", "cpu", "cuda"))
}

// check settles the options and returns all faults of the command line.
func (t *trainer) check(args []string) error {
	faults := []error{
		cli.NeedInputs(args, "the input", t.command.CommandPath()+" articles.csv -k 50 -o news.model"),
		cli.NeedOutput(t.output, "MODEL"),
		t.guide.Settle(t.command.Flags(), &t.options),
		zeros(t.command, &t.options),
	}
	o := &t.options
	o.Checkpoint = cmp.Or(o.Checkpoint, t.output+".checkpoint")
	o.Program, o.HoldCheckpoint = cli.ProgramVersion(), true
	return errors.Join(append(faults,
		human.FaultIf(o.Resume && t.force,
			"--resume and --force cannot be combined: one continues the unfinished run, the other discards it"),
		human.FaultIf(t.workers < 0, "--workers is %d: it must be 0 or more", t.workers),
		train.Validate(*o), t.inputs.Check(), t.guide.Check(t.command.Flags(), t.workers), t.existing())...)
}

func (t *trainer) run(ctx context.Context, args []string) error {
	if err := cli.Writable(t.output, t.options.Checkpoint); err != nil {
		return err
	}
	ctx, owned, err := claim.Hold(ctx, append(claim.OfRun(t.options.Checkpoint, t.options.WorkDir),
		claim.At(t.output))...)
	if err != nil {
		return err
	}
	defer owned.Release()
	if err := t.checkPlaces(); err != nil {
		return err
	}
	r := t.Reporter(t.json, t.quiet)
	defer r.Close()
	var training atomic.Bool
	ctx, stop := cli.Interruptible(ctx, func() {
		if training.Load() && t.workers == 0 {
			r.Say("interrupted: finishing this sweep and saving; press Ctrl-C again to stop at once")
		}
	})
	defer stop()

	c, path, done, err := t.open(ctx, args, r)
	if err != nil {
		return err
	}
	defer done()
	if err := train.CheckOutput(t.output, c, t.options, topoi.SaveOptions{Overwrite: t.overwrite}); err != nil {
		return err
	}
	if t.force {
		if err := train.RemoveState(t.options); err != nil {
			return err
		}
	}
	t.options.Events = t.watched(r.Events())
	if t.metrics != "" {
		server, err := t.serveMetrics(r)
		if err != nil {
			return err
		}
		defer server.Close()
	}
	training.Store(true)
	// A run's memory is a few large arrays that live as long as it does; what is thrown away meanwhile comes from
	// scoring. Collecting that early keeps the peak near what is in use, and costs nothing to speak of.
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1)) // which watched may set
	began := time.Now()
	t.ended = modelfile.Observe(t.output, cli.ProgramVersion(), args, t.inputs.Options.Source)
	m, err := t.train(ctx, c, path, r)
	if errors.Is(err, train.ErrInterrupted) {
		t.sayKept(r)
		if t.kept == 0 && t.workers == 0 { // files of a run without a checkpoint are of no use
			err = errors.Join(err, train.RemoveState(t.options))
		}
	}
	if err != nil {
		return t.afterFault(err)
	}
	defer m.Close()
	trained := time.Now()
	if err := t.save(m, c, r); err != nil {
		return err
	}
	if err := train.RemoveState(t.options); err != nil {
		return err
	}
	if path == "" && c.Replaced() && len(args) == 1 && corpus.IsCorpus(args[0]) {
		r.Say("note: " + args[0] + " was replaced during the run; the model was trained on the old file")
	}
	return t.saved(m, time.Since(trained), time.Since(began), r)
}

// checkPlaces looks again at what is there, which may be of an owner that has just ended, before the documents are
// read.
func (t *trainer) checkPlaces() error {
	if err := t.existing(); err != nil {
		return err
	}
	return train.CheckOutput(t.output, nil, t.options, topoi.SaveOptions{Overwrite: t.overwrite})
}

// watched adds to events that the trainer remembers how far the run is.
func (t *trainer) watched(e topoi.Events) topoi.Events {
	e.Start = also(e.Start, func(s topoi.StartInfo) {
		t.kept, t.reached = s.Iteration, s.Iteration
		if s.MemoryLimit > 0 {
			debug.SetMemoryLimit(s.MemoryLimit) // what is free goes back to the system
		}
	})
	e.Iteration = also(e.Iteration, func(i topoi.IterationInfo) { t.reached = i.Iteration })
	e.Checkpoint = also(e.Checkpoint, func(c topoi.CheckpointInfo) { t.kept = c.Iteration })
	e.Done = also(e.Done, func(d topoi.DoneInfo) { t.reached, t.reason = d.Iteration, d.Reason })
	return e
}

// serveMetrics shows the run to Prometheus until the server is closed.
func (t *trainer) serveMetrics(r progress.Reporter) (*metrics.Server, error) {
	show := metrics.NewTraining(filepath.Base(t.output), cli.ProgramVersion())
	server, err := show.Serve(t.metrics)
	if err != nil {
		return nil, err
	}
	if !t.quiet {
		r.Say("metrics are served at http://" + server.Addr + "/metrics")
	}
	t.options.Events.Start = also(t.options.Events.Start, show.Start)
	t.options.Events.Iteration = also(t.options.Events.Iteration, show.Iteration)
	return server, nil
}

// open opens the input; done closes it. Workers need it as a file, whose path is then returned.
func (t *trainer) open(ctx context.Context, args []string,
	r progress.Reporter,
) (c *corpus.Corpus, path string, done func(), err error) {
	remove := func() {}
	if t.workers == 0 {
		engine.Where{Device: t.options.Device}.Ahead()
		c, err = t.inputs.Open(ctx, args, r, t.quiet)
	} else if path, remove, err = t.inputs.CorpusFile(ctx, args, r, t.quiet); err == nil {
		c, err = corpus.Open(path)
	}
	if err != nil {
		remove()
		return nil, "", nil, err
	}
	return c, path, func() {
		_ = c.Close() // it was only read
		remove()
	}, nil
}

// train trains in this process or by workers.
func (t *trainer) train(ctx context.Context, c *corpus.Corpus, path string, r progress.Reporter) (*topoi.Model, error) {
	if !t.quiet {
		t.guide.Say = r.Say
	}
	if t.workers == 0 {
		return t.guide.Train(ctx, c, t.options, train.Run)
	}
	return t.guide.Train(ctx, c, t.options, func(ctx context.Context, c *corpus.Corpus, o topoi.Options) (*topoi.Model,
		error,
	) {
		return t.trainByWorkers(ctx, c, path, o, r)
	})
}

// afterFault makes the failure of a GPU, which shows in many calls, one sentence, and adds how to go on.
func (t *trainer) afterFault(err error) error {
	if _, fault := os.Stat(t.options.Checkpoint); fault != nil {
		return cli.WithoutDevice(err)
	}
	return cli.DeviceFault(err, "the run up to its last checkpoint is kept in "+t.options.Checkpoint+
		": continue with --resume, and add --device cpu to do so without the GPU")
}

// saved tells what there is now, how long saving it and all took, and what can be done with it.
func (t *trainer) saved(m *topoi.Model, saving, all time.Duration, r progress.Reporter) error {
	if j, ok := r.(*progress.JSON); ok {
		j.Write(struct {
			Event       string  `json:"event"`
			Model       string  `json:"model"`
			Fingerprint string  `json:"fingerprint"`
			Saving      float64 `json:"saving_seconds"`
			Wall        float64 `json:"wall_seconds"`
		}{
			"saved", t.output, m.Fingerprint(), saving.Round(time.Microsecond).Seconds(),
			all.Round(time.Microsecond).Seconds(),
		})
		return j.Err()
	}
	if t.quiet {
		return nil
	}
	if t.options.Prior == prior.HDP {
		text := fmt.Sprintf("the model has %s of at most %d", human.Of(m.NumTopics(), "topic"), t.options.Topics)
		if 10*m.NumTopics() > 9*t.options.Topics {
			text += ": the number was limited by -k, not found in the data"
		}
		r.Say(text)
	}
	r.Say(fmt.Sprintf("saved %s, fingerprint %s", t.output, m.Fingerprint()))
	if t.options.Memory > 0 {
		return nil // a look at the topics would read all of the model
	}
	const most = 5
	fmt.Fprintln(t.Stdout)
	if err := look.TopicTable(t.Stdout, m, m.LargestTopics(most), 8); err != nil {
		return err
	}
	if m.NumTopics() > most {
		fmt.Fprintf(t.Stdout, "    … and %d more\n", m.NumTopics()-most)
	}
	name := cli.ShellWord(t.output)
	return cli.NextSteps(t.Stdout, [][2]string{
		{"topoi topics " + name, "all topics"},
		{"topoi explore " + name + " --open", "a page that shows them"},
		{"topoi infer " + name + " NEW.csv", "the topics of new documents"},
		{"topoi export " + name + " --format list", "formats for other programs"},
	})
}
