package training

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/progress"
)

// trainByWorkers trains by processes on this machine and returns the model, which c
// must outlive.
func (t *trainer) trainByWorkers(ctx context.Context, c *corpus.Corpus, path string, r progress.Reporter) (*topoi.Model, error) {
	devices, err := workerDevices(t.options.Device)
	if err != nil {
		return nil, err // rather than from a worker
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	started := 0
	local := cluster.Local{Workers: t.workers, Program: cli.ProgramVersion(), Tell: r.Say, Command: func(job cluster.Job, threads int) *exec.Cmd {
		started++
		return t.workerCommand(program, path, job, threads, devices[(started-1)%len(devices)])
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

// workerDevices returns what workers are given in turn: the one device there is, or each of several GPUs.
func workerDevices(name string) ([]string, error) {
	numbers, gpu := strings.CutPrefix(name, "cuda")
	if !gpu {
		return []string{name}, nil
	}
	machine, err := topoi.Devices()
	if err != nil {
		return nil, err
	}
	var devices []string
	if numbers != ":all" {
		for n := range strings.SplitSeq(strings.TrimPrefix(numbers, ":"), ",") {
			devices = append(devices, strings.TrimSuffix("cuda:"+n, ":"))
		}
		return devices, nil
	}
	for _, d := range machine {
		if d.Usable && d.Name != "cpu" {
			devices = append(devices, d.Name)
		}
	}
	if len(devices) == 0 {
		return []string{"cuda"}, nil // whose worker says what is wrong with it
	}
	return devices, nil
}

// workerCommand is the command of a worker process.
func (t *trainer) workerCommand(program, corpus string, job cluster.Job, threads int, device string) *exec.Cmd {
	cmd := exec.Command(program, "cluster", "work", "--job", job.Name, "--corpus", corpus, "--log", "none",
		"--threads", strconv.Itoa(threads), "--patience", job.Patience.String(), "--device", device)
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

// RunFlags adds the flags that say what is trained and when it stops; output adds those
// of the same heading that say where to.
func RunFlags(c *cobra.Command, o *topoi.Options, output func(fs *pflag.FlagSet)) {
	cli.OptionFlags(c, "What to train", o, output)
	cli.OptionFlags(c, "When to stop", o, nil)
	cli.Complete(c, "sampler", samplerNames)
}

// tuningFlags adds the switches inside the samplers.
func tuningFlags(c *cobra.Command, o *topoi.Options) {
	cli.OptionFlags(c, "Inside the samplers", o, nil)
}

// zeros gives meaning to flags that were set to 0, and returns the faults of flags that
// were not set or may not be 0.
func zeros(c *cobra.Command, o *topoi.Options) error {
	var missing error
	if !c.Flags().Changed("topics") {
		o.Topics = 1 // one fault for the missing flag is enough
		missing = errors.New("the number of topics is missing: add -k NUMBER, for example -k 50")
	}
	return errors.Join(missing, cli.SettleZeros(c, o))
}

func samplerNames() []string {
	names := []string{"auto\tchosen from the corpus and the number of topics"}
	for _, s := range topoi.DescribeSamplers() {
		names = append(names, s.Name+"\t"+s.Summary)
	}
	return names
}
