package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/progress"
)

// trainByWorkers trains by processes on this machine and returns the model, which c
// must outlive.
func (t *trainer) trainByWorkers(ctx context.Context, c *corpus.Corpus, path string, r progress.Reporter) (*topoi.Model, error) {
	if strings.HasPrefix(t.options.Device, "cuda") {
		if _, err := topoi.Devices(); err != nil {
			return nil, err // rather than from a worker
		}
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	local := cluster.Local{Workers: t.workers, Program: programVersion(), Tell: r.Say, Command: func(job cluster.Job, threads int) *exec.Cmd {
		return t.workerCommand(program, path, job, threads)
	}}
	opts := t.options
	unwritten := false // the last checkpoint
	opts.Events.Iteration = also(opts.Events.Iteration, func(topoi.IterationInfo) { unwritten = false })
	opts.Events.Warning = also(opts.Events.Warning, func(topoi.WarningInfo) { unwritten = true })
	m, err := local.Train(ctx, c, path, opts)
	if err == nil && !unwritten { // the leader keeps the last iteration
		t.kept = t.reached
	}
	return m, err
}

// workerCommand is the command of a worker process.
func (t *trainer) workerCommand(program, corpus string, job cluster.Job, threads int) *exec.Cmd {
	cmd := exec.Command(program, "cluster", "work", "--job", job.Name, "--corpus", corpus, "--log", "none",
		"--threads", strconv.Itoa(threads), "--patience", job.Patience.String(), "--device", t.options.Device)
	if n := t.options.DeviceMemory; n > 0 {
		cmd.Args = append(cmd.Args, "--device-memory", strconv.FormatInt(n, 10))
	}
	if n := t.options.Memory; n > 0 {
		cmd.Args = append(cmd.Args, "--memory", strconv.FormatInt(n, 10))
	}
	cmd.Args[0] = os.Args[0]
	cmd.Env = append(os.Environ(), storeVariable+"="+job.Store)
	return cmd
}

// corpusFile returns the path of a corpus file that holds what inputs give: theirs,
// or a temporary one, which remove removes.
func (in *inputFlags) corpusFile(ctx context.Context, inputs []string, r progress.Reporter, quiet bool) (path string, remove func(), err error) {
	nothing := func() {}
	o := in.options
	chooses := o.MinDF > 0 || o.MaxDF > 0 || o.MinCF > 0 || o.MaxWords > 0 || o.DropEmpty || o.Phrases != nil
	if len(inputs) == 1 && corpus.IsCorpus(inputs[0]) {
		if err := in.refuseFlags(inputs[0]); err != nil {
			return "", nothing, err
		}
		if !chooses {
			path, err := filepath.Abs(inputs[0])
			return path, nothing, err
		}
	}
	made, err := wholefile.TempDir("corpus")
	if err != nil {
		return "", nothing, err
	}
	dir := made.Temporary
	remove = made.Abort
	in.options.Progress = importProgress(r)
	path = filepath.Join(dir, "corpus.topoi")
	report, err := corpus.Import(ctx, inputs, path, in.options)
	if err != nil {
		remove()
		return "", nothing, err
	}
	if !quiet {
		tellImport(report, "", r)
	}
	return path, remove, nil
}
