package training

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/remote"
)

// collector is one run of topoi cluster result.
type collector struct {
	*cli.App
	command   *cobra.Command
	job       jobFlags
	where     cluster.Job
	corpus    string
	output    string
	overwrite bool
	wait      bool
	keep      bool
	quiet     bool
}

func addClusterResult(a *cli.App, parent *cobra.Command) {
	r := &collector{App: a}
	r.command = cli.Describe("cluster result")
	r.job.add(r.command)
	cli.Section(r.command, "What to save", func(fs *pflag.FlagSet) {
		fs.StringVarP(&r.output, "output", "o", "", "`directory` to save the model in (required)")
		fs.StringVar(&r.corpus, "corpus", "", "`file` of the corpus (default: the path that was submitted)")
		fs.BoolVar(&r.overwrite, "overwrite", false, "replace the model if it exists")
		fs.BoolVar(&r.wait, "wait", false, "wait until the model is complete")
		fs.BoolVar(&r.keep, "keep", false, "leave the job in the store")
		fs.BoolVar(&r.quiet, "quiet", false, "show errors only")
	})
	a.AddTo(parent, groupJob, r.command, r.check, cli.Stoppable(r.run))
}

func (r *collector) check(args []string) (err error) {
	r.where, err = r.job.where()
	return errors.Join(err, cli.NeedOutput(r.output, "MODEL"), cli.RefuseModel(r.output, r.overwrite), cli.NoArguments(r.command)(args))
}

func (r *collector) run(ctx context.Context, _ []string) error {
	if err := cli.Writable(r.output); err != nil {
		return err
	}
	if r.wait {
		if err := r.where.Watch(ctx, time.Second, func(s *cluster.Status) (more bool, err error) { return !s.Complete, nil }); err != nil {
			return err
		}
	}
	if status, _ := r.where.Status(ctx); r.corpus == "" && status != nil && remote.Is(status.CorpusPath) {
		local, remove, err := copyOf(status.CorpusPath)
		if err != nil {
			return err
		}
		defer remove()
		r.corpus = local
	}
	c, err := openCorpus(ctx, r.where, r.corpus)
	if err != nil {
		return err
	}
	defer c.Close() // after saving: the model has its words
	m, err := r.where.Collect(ctx, c)
	if err != nil {
		return err
	}
	if err := m.Save(r.output, topoi.SaveOptions{Overwrite: r.overwrite}); err != nil {
		return err
	}
	if !r.keep {
		if _, err := r.where.Cancel(ctx); err != nil {
			return fmt.Errorf("the model is saved, but the job is still in the store: %w", err)
		}
	}
	if !r.quiet {
		fmt.Fprintf(r.Stderr, "saved %s, fingerprint %s\n", r.output, m.Fingerprint())
	}
	return nil
}

func addClusterCancel(a *cli.App, parent *cobra.Command) {
	c := cli.Describe("cluster cancel")
	var job jobFlags
	var where cluster.Job
	job.add(c)
	check := func(args []string) (err error) {
		where, err = job.where()
		return errors.Join(err, cli.NoArguments(c)(args))
	}
	run := func(ctx context.Context, _ []string) error {
		n, err := where.Cancel(ctx)
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("the store has no job called %s: nothing was removed", where.Name)
		}
		_, err = fmt.Fprintf(a.Stderr, "removed job %s: %s\n", where.Name, human.Of(n, "key"))
		return err
	}
	a.AddTo(parent, groupJob, c, check, cli.Stoppable(run))
}
