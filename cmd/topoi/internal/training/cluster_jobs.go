package training

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/guiding"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/metrics"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/objects"
	"github.com/topoi-lda/topoi/internal/progress"
	"github.com/topoi-lda/topoi/sweep"
	"github.com/topoi-lda/topoi/train"
)

// worker is one run of topoi cluster work.
type worker struct {
	*cli.App
	command              *cobra.Command
	job                  jobFlags
	where                cluster.Job
	how                  cluster.WorkOptions
	corpus, metrics, log string
	memory               int64 // bytes, 0 for no bound
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
		fs.StringVar(&w.how.Device, "device", "auto",
			"`device` to use: auto, cpu, cuda or cuda:N; does not change the result")
		fs.Var(cli.SizeFlag{Bytes: &w.how.DeviceMemory}, "device-memory",
			"`size` of GPU memory to use, such as 8GB (default: what is free)")
		if job {
			fs.Var(cli.SizeFlag{Bytes: &w.memory}, "memory",
				"`size` of memory to use, such as 200GB (default: what is needed)")
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
		debug.SetMemoryLimit(machine.Usable(w.memory))
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
	if errors.Is(err, cluster.ErrRanged) && objects.Is(w.corpus) {
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
		"tokens", r.Tokens, "busy_seconds", r.Busy.Seconds(), "sampling_seconds", r.Sampling.Seconds(),
		"coding_seconds", r.Coding.Seconds(),
		"waiting_seconds", r.Waiting.Seconds(), "sent_bytes", r.Sent, "received_bytes", r.Received,
	}
}

// name is the worker's name in status and logs.
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
	err := sweep.Work(ctx, w.where, w.how, func(job cluster.Job) (*corpus.Corpus,
		error,
	) {
		return openCorpus(ctx, job, w.corpus)
	})
	if err != nil {
		return cli.WithoutDevice(err)
	}
	log.Info("the sweep has ended")
	return nil
}

// guidingHeading is that of the flags that guide topics.
const guidingHeading = "Guiding topics"

// submitter is one run of topoi cluster submit.
type submitter struct {
	*cli.App
	command *cobra.Command
	job     jobFlags
	options topoi.Options
	guide   guiding.Flags
	where   cluster.Job
	how     cluster.SubmitOptions
	quiet   bool
	plan    bool // show what would be submitted
}

func addClusterSubmit(a *cli.App, parent *cobra.Command) {
	s := &submitter{App: a}
	s.command = cli.Describe("cluster submit")
	s.command.Annotations = map[string]string{cli.Streams: cli.Ranges}
	s.job.add(s.command)
	RunFlags(s.command, &s.options, nil)
	cli.Section(s.command, guidingHeading, s.guide.AddKnown)
	cli.Section(s.command, "How to run", func(fs *pflag.FlagSet) {
		fs.IntVar(&s.how.Workers, "workers", 1,
			"`number` of workers to expect: the first worker waits a few seconds for the others; more can join later")
		fs.Var(cli.SizeFlag{Bytes: &s.how.Memory}, "memory",
			"`size` of the memory that each worker may use, such as 200GB (default: what is needed)")
		fs.IntVar(&s.how.Threads, "threads", 1, "`number` of threads of a worker that --memory is to hold")
		fs.TextVar(&s.how.Layout, "layout", cluster.Layout{},
			"`plan` in place of the one that --plan shows, or some of it: rows=whole or apart, parts=N, slices=N, topics=store or DIR, corpus=path or store; such as rows=apart,parts=16,topics=/shared/state")
		fs.DurationVar(&s.how.Lease, "lease", 10*time.Second, "how `long` a silent worker counts as alive")
		fs.StringVar(&s.options.Checkpoint, "checkpoint", "",
			"`file` that keeps the state of the run, on a disk that the workers share")
		fs.IntVar(&s.options.CheckpointEvery, "checkpoint-every", 0,
			"`number` of iterations between checkpoints (default 100, or more if they take less than a minute)")
		fs.BoolVar(&s.options.Resume, "resume", false, "continue from the checkpoint if there is one")
		fs.BoolVar(&s.plan, "plan", false, "show how the job would be split and stored, and submit nothing")
		fs.BoolVar(&s.quiet, "quiet", false, "show errors only")
	})
	tuningFlags(s.command, &s.options, "parts")
	a.AddTo(parent, groupJob, s.command, s.check, cli.Stoppable(s.run))
}

// check settles the options.
func (s *submitter) check(args []string) error {
	var err error
	s.where, err = s.job.where()
	faults := []error{err, s.guide.Settle(s.command.Flags(), &s.options), zeros(s.command, &s.options)}
	switch {
	case len(args) == 0:
		faults = append(faults, errors.New("the corpus is missing: try topoi cluster submit news.topoi -k 1000"))
	case len(args) == 1 && objects.Is(args[0]):
		guided := false
		s.command.Flags().Visit(func(f *pflag.Flag) {
			guided = guided || len(f.Annotations[cli.HeadingKey]) > 0 &&
				f.Annotations[cli.HeadingKey][0] == guidingHeading
		})
		faults = append(faults, human.FaultIf(guided, "guiding topics needs the corpus on a disk: fetch %s first",
			objects.Name(args[0])))
	case len(args) > 1 || !corpus.IsCorpus(args[0]):
		faults = append(faults, fmt.Errorf("%s is not a corpus file: make one with topoi import, so that all workers read the same file", args[min(1, len(args)-1)]))
	}
	return errors.Join(append(faults,
		human.FaultIf(s.how.Workers < 1 || s.how.Threads < 1 || s.how.Lease < time.Millisecond,
			"--workers, --threads and --lease must be above 0"),
		human.FaultIf(s.options.Checkpoint == "" && s.options.Resume,
			"--resume needs --checkpoint FILE, the checkpoint to continue from"),
		human.FaultIf(s.options.CheckpointEvery == math.MaxInt, "--checkpoint-every is 0: it must be above 0"),
		train.Validate(s.options), s.guide.Check(s.command.Flags(), s.how.Workers))...)
}

func (s *submitter) run(ctx context.Context, args []string) error {
	c, err := openFile(args[0])
	if err != nil {
		return err
	}
	defer c.Close()
	if s.how.CorpusPath = args[0]; !c.Ranged() {
		if s.how.CorpusPath, err = filepath.Abs(args[0]); err != nil {
			return err
		}
	}
	if s.options.Checkpoint != "" {
		if err := cli.Writable(s.options.Checkpoint); err != nil {
			return err
		}
		if s.options.Checkpoint, err = filepath.Abs(s.options.Checkpoint); err != nil {
			return err
		}
	}
	if !s.quiet {
		s.guide.Say = func(text string) { fmt.Fprintln(s.Stderr, text) }
	}
	if s.how.Names, err = s.guide.Guide(c, &s.options); err != nil {
		return err
	}
	if s.plan {
		plan, err := s.where.Plan(ctx, c, s.options, s.how)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(s.Stdout, strings.Join(plan.Lines(), "\n"))
		return err
	}
	if err := s.where.Submit(ctx, c, s.options, s.how); err != nil {
		return err
	}
	if s.quiet {
		return nil
	}
	fmt.Fprintf(s.Stderr, "submitted job %s: %s, %s, %s\n", s.job.job, human.Of(s.options.Topics, "topic"),
		human.Of(c.NumDocs(), "document"), human.Of(c.NumTokens(), "token"))
	name := cli.ShellWord(s.job.job)
	return cli.NextSteps(s.Stdout, [][2]string{
		{"topoi cluster work --job " + name, "on every machine that should work on it"},
		{"topoi cluster status --job " + name + " --watch", "show its progress"},
		{"topoi cluster result --job " + name + " -o " + name + ".model", "fetch the model when it is complete"},
	})
}

// AddCluster adds the family of commands about training on many machines.
func AddCluster(a *cli.App) {
	c := cli.Describe("cluster")
	c.AddGroup(
		&cobra.Group{ID: groupJob, Title: "A job from beginning to end:"},
		&cobra.Group{ID: groupPlan, Title: "Before it:"},
	)
	a.AddFamily(c)
	addClusterStore(a, c)
	addClusterSubmit(a, c)
	addClusterWork(a, c)
	addClusterRuns(a, c)
	addClusterStatus(a, c)
	addClusterTop(a, c)
	addClusterResult(a, c)
	addClusterCancel(a, c)
}
