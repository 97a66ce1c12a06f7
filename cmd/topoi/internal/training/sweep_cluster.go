package training

import (
	"context"
	"log/slog"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/sweep"
)

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
