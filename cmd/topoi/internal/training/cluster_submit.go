package training

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/guiding"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/remote"
)

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
		fs.IntVar(&s.how.Workers, "workers", 1, "`number` of workers to expect: the first worker waits a few seconds for the others; more can join later")
		fs.Var(cli.SizeFlag{Bytes: &s.how.Memory}, "memory", "`size` of the memory that each worker may use, such as 200GB (default: what is needed)")
		fs.IntVar(&s.how.Threads, "threads", 1, "`number` of threads of a worker that --memory is to hold")
		fs.TextVar(&s.how.Layout, "layout", cluster.Layout{}, "`plan` in place of the one that --plan shows, or some of it: rows=whole or apart, parts=N, slices=N, topics=store or DIR, corpus=path or store; such as rows=apart,parts=16,topics=/shared/state")
		fs.DurationVar(&s.how.Lease, "lease", 10*time.Second, "how `long` a silent worker counts as alive")
		fs.StringVar(&s.options.Checkpoint, "checkpoint", "", "`file` that keeps the state of the run, on a disk that the workers share")
		fs.IntVar(&s.options.CheckpointEvery, "checkpoint-every", 0, "`number` of iterations between checkpoints (default 100, or more if they take less than 20 s)")
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
	case len(args) == 1 && remote.Is(args[0]):
		guided := false
		s.command.Flags().Visit(func(f *pflag.Flag) {
			guided = guided || len(f.Annotations[cli.HeadingKey]) > 0 && f.Annotations[cli.HeadingKey][0] == guidingHeading
		})
		faults = append(faults, human.FaultIf(guided, "guiding topics needs the corpus on a disk: fetch %s first", remote.Name(args[0])))
	case len(args) > 1 || !corpus.IsCorpus(args[0]):
		faults = append(faults, fmt.Errorf("%s is not a corpus file: make one with topoi import, so that all workers read the same file", args[min(1, len(args)-1)]))
	}
	return errors.Join(append(faults,
		human.FaultIf(s.how.Workers < 1 || s.how.Threads < 1 || s.how.Lease < time.Millisecond,
			"--workers, --threads and --lease must be above 0"),
		human.FaultIf(s.options.Checkpoint == "" && s.options.Resume,
			"--resume needs --checkpoint FILE, the checkpoint to continue from"),
		human.FaultIf(s.options.CheckpointEvery == math.MaxInt, "--checkpoint-every is 0: it must be above 0"),
		s.options.Validate(), s.guide.Check(s.command.Flags(), s.how.Workers))...)
}

func (s *submitter) run(ctx context.Context, args []string) error {
	c, err := openFile(args[0])
	if err != nil {
		return err
	}
	defer c.Close()
	if s.how.CorpusPath = args[0]; !corpus.Ranged(c) {
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
	fmt.Fprintf(s.Stderr, "submitted job %s: %s, %s, %s\n", s.job.job, human.Of(s.options.Topics, "topic"), human.Of(c.NumDocs(), "document"), human.Of(c.NumTokens(), "token"))
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
	a.AddFamily(cli.GroupTrain, c)
	addClusterSubmit(a, c)
	addClusterWork(a, c)
	addClusterRuns(a, c)
	addClusterStatus(a, c)
	addClusterTop(a, c)
	addClusterResult(a, c)
	addClusterCancel(a, c)
}
