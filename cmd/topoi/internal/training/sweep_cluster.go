package training

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/progress"
	"github.com/topoi-lda/topoi/sweep"
)

// clusterFlags adds the flags that spread the runs over a cluster.
func (s *sweeper) clusterFlags() {
	cli.Section(s.command, "Runs by a cluster", func(fs *pflag.FlagSet) {
		fs.StringVar(&s.store.store, "store", "", "`URL` of a Redis or Valkey whose workers do the runs, as for topoi cluster (default: run here)")
		fs.StringVar(&s.store.job, "job", "", "`name` of the sweep in the store (default: that of the directory)")
		fs.IntVar(&s.cluster.AtOnce, "at-once", 8, "`number` of runs in the store at a time")
		fs.TextVar(&s.cluster.Layout, "layout", cluster.Layout{}, "`plan` of the jobs in place of the one that is chosen, as for topoi cluster submit; corpus=store is for workers that do not see the directory")
		fs.StringVar(&s.store.ca, "store-ca", "", "`file` with the certificate of the authority that signed the store's")
		fs.StringVar(&s.store.cert, "store-cert", "", "`file` with this machine's certificate, if the store asks for one")
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
			"store: give it a short name with --job: up to 40 letters, digits, dots, dashes and underscores", s.store.job))
}

// sayWaiting tells how workers are started.
func (s *sweeper) sayWaiting(r progress.Reporter) {
	s.cluster.Waiting = func() {
		r.Say("waiting for workers; on every machine that should work on it:\n  topoi cluster runs --store URL --job " + cli.ShellWord(s.store.job))
	}
}

func addClusterRuns(a *cli.App, parent *cobra.Command) {
	w := &worker{App: a}
	w.command = cli.Describe("cluster runs")
	w.job.add(w.command)
	cli.Section(w.command, "How to work", func(fs *pflag.FlagSet) {
		fs.StringVar(&w.corpus, "corpus", "", "`file` of the corpus (default: the path that the sweep was started with)")
		fs.IntVar(&w.how.Threads, "threads", 0, "`number` of threads; does not change the result (default: all cores)")
		fs.StringVar(&w.how.Device, "device", "auto", "`device` to use: auto, cpu, cuda or cuda:N; does not change the result")
		fs.Var(cli.SizeFlag{Bytes: &w.how.DeviceMemory}, "device-memory", "`size` of GPU memory to use, such as 8GB (default: what is free)")
		fs.StringVar(&w.how.Name, "name", "", "`name` of this worker in status (default: host and process)")
		fs.StringVar(&w.log, "log", "text", "`format` of the log on standard error: text, json or none")
	})
	cli.Complete(w.command, "log", cli.Fixed(cli.LogFormats...))
	cli.Complete(w.command, "device", cli.Fixed("auto", "cpu", "cuda"))
	a.AddTo(parent, groupJob, w.command, w.check, w.runs)
}

// runs does runs of a sweep until it has ended.
func (w *worker) runs(ctx context.Context, _ []string) error {
	log := w.Logger(w.log, slog.LevelInfo).With("sweep", w.where.Name, "worker", w.name())
	ctx, stop := cli.Interruptible(ctx, func() { log.Info("interrupted: leaving the sweep") })
	defer stop()
	w.how.Name = w.name()
	w.how.Tell = func(text string) { log.Info(text) }
	w.how.Events = topoi.Events{Done: func(d topoi.DoneInfo) {
		log.Info("a run is complete", slog.Int("iterations", d.Iteration), slog.String("reason", string(d.Reason)))
	}}
	log.Info("waiting for runs")
	err := sweep.Work(ctx, w.where, w.how, func(job cluster.Job) (*corpus.Corpus, error) { return openCorpus(ctx, job, w.corpus) })
	if err != nil {
		return cli.WithoutDevice(err)
	}
	log.Info("the sweep has ended")
	return nil
}
