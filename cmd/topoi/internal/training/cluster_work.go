package training

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/metrics"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/remote"
	"github.com/topoi-lda/topoi/progress"
	"github.com/topoi-lda/topoi/sweep"
)

// worker is one run of topoi cluster work.
type worker struct {
	*cli.App
	command *cobra.Command
	job     jobFlags
	where   cluster.Job
	how     cluster.WorkOptions
	corpus  string
	metrics string
	log     string
	memory  int64 // bytes, 0 for no bound
}

func addClusterWork(a *cli.App, parent *cobra.Command) {
	w := &worker{App: a}
	w.command = cli.Describe("cluster work")
	w.command.Annotations = map[string]string{cli.Streams: cli.Ranges}
	w.job.add(w.command)
	w.flags("the path that was submitted", true)
	a.AddTo(parent, groupJob, w.command, w.check, w.run)
}

// flags adds the flags of a worker, and those of a worker on one job if job is set.
func (w *worker) flags(corpus string, job bool) {
	cli.Section(w.command, "How to work", func(fs *pflag.FlagSet) {
		fs.StringVar(&w.corpus, "corpus", "", "`file` of the corpus (default: "+corpus+")")
		fs.IntVar(&w.how.Threads, "threads", 0, "`number` of threads; does not change the result (default: all cores)")
		fs.StringVar(&w.how.Device, "device", "auto", "`device` to use: auto, cpu, cuda or cuda:N; does not change the result")
		fs.Var(cli.SizeFlag{Bytes: &w.how.DeviceMemory}, "device-memory", "`size` of GPU memory to use, such as 8GB (default: what is free)")
		if job {
			fs.Var(cli.SizeFlag{Bytes: &w.memory}, "memory", "`size` of memory to use, such as 200GB (default: what is needed)")
		}
		fs.StringVar(&w.how.Name, "name", "", "`name` of this worker in status (default: host and process)")
		if job {
			fs.StringVar(&w.metrics, "metrics", "", "`address` for Prometheus metrics, such as :9100 (default: none)")
		}
		fs.StringVar(&w.log, "log", "text", "`format` of the log on standard error: text, json or none")
	})
	cli.Complete(w.command, "log", cli.Fixed(cli.LogFormats...))
	cli.Complete(w.command, "device", cli.Fixed("auto", "cpu", "cuda"))
}

func (w *worker) check(args []string) error {
	var err error
	w.where, err = w.job.where()
	return errors.Join(err, w.how.Validate(), cli.CheckLog(w.log), cli.NoArguments(w.command)(args))
}

func (w *worker) run(ctx context.Context, _ []string) error {
	if w.memory > 0 {
		debug.SetMemoryLimit(cluster.Usable(w.memory))
	}
	log := w.Logger(w.log, slog.LevelInfo).With("job", w.where.Name, "worker", w.name())
	ctx, stop := cli.Interruptible(ctx, func() { log.Info("interrupted: leaving the job") })
	defer stop()
	show := metrics.New(w.where.Name, cli.ProgramVersion())
	if w.metrics != "" {
		server, err := show.Serve(w.metrics)
		if err != nil {
			return err
		}
		defer server.Close()
		log.Info("metrics", "address", server.Addr)
	}
	w.how.Name = w.name()
	w.how.Tell = func(text string) { log.Info(text) }
	var last atomic.Pointer[cluster.Report]
	w.how.Reports = func(r cluster.Report) {
		show.Report(r)
		last.Store(&r)
	}
	w.how.Events = progress.NewStructured(log).Events()
	told := w.how.Events.Iteration
	w.how.Events.Iteration = func(i topoi.IterationInfo) {
		show.Iteration(i)
		told(i)
	}
	err := w.work(ctx, log)
	if errors.Is(err, cluster.ErrRanged) && remote.Is(w.corpus) {
		log.Info("fetching the whole corpus, because documents are held out")
		var remove func()
		if w.corpus, remove, err = copyOf(w.corpus); err != nil {
			return err
		}
		defer remove()
		err = w.work(ctx, log)
	}
	if err != nil {
		if cli.DeviceFailed(err) {
			log.Error("the GPU failed: this worker has left the job; other workers continue")
		}
		return cli.WithoutDevice(err)
	}
	log.Info("the model is complete", numbers(last.Load())...)
	return nil
}

// work opens the corpus and works on the job.
func (w *worker) work(ctx context.Context, log *slog.Logger) error {
	c, err := openCorpus(ctx, w.where, w.corpus)
	if err != nil {
		return err
	}
	defer c.Close()
	log.Info("working", "tokens", c.NumTokens(), "threads", w.how.Threads)
	return w.where.Work(ctx, c, w.how)
}

// numbers are a worker's totals as attributes of a log record.
func numbers(r *cluster.Report) []any {
	if r == nil {
		return nil // there was nothing left to do
	}
	return []any{
		"tokens", r.Tokens, "busy_seconds", r.Busy.Seconds(), "sampling_seconds", r.Sampling.Seconds(), "coding_seconds", r.Coding.Seconds(),
		"waiting_seconds", r.Waiting.Seconds(), "sent_bytes", r.Sent, "received_bytes", r.Received,
	}
}

// name is what the worker is called in status and logs.
func (w *worker) name() string {
	if w.how.Name != "" {
		return w.how.Name
	}
	host, err := os.Hostname()
	if err != nil {
		host = "worker"
	}
	return fmt.Sprintf("%s/%d", host, os.Getpid())
}

func addClusterRuns(a *cli.App, parent *cobra.Command) {
	w := &worker{App: a}
	w.command = cli.Describe("cluster runs")
	w.job.add(w.command)
	w.flags("the path that the sweep was started with", false)
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
