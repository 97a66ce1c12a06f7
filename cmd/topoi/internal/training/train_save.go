package training

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/guiding"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reading"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/progress"
	"github.com/topoi-lda/topoi/train"
)

// running reports whether another process works at one of the places right now. What it has written there must not be
// taken for the remains of a run that has ended.
func running(places ...claim.Place) bool {
	owned, err := claim.Share(places...)
	owned.Release()
	return errors.Is(err, claim.ErrTaken)
}

// existing refuses outputs that cannot work before hours of training, not after.
func (t *trainer) existing() error {
	if t.output == "" {
		return nil
	}
	path := t.options.Checkpoint
	if running(claim.At(t.output), claim.At(path)) {
		return nil // which the command says when it asks for them
	}
	faults := []error{cli.RefuseModel(t.output, t.overwrite)}
	info, err := os.Stat(path)
	switch {
	case filepath.Clean(t.output) == filepath.Clean(path):
		faults = append(faults, fmt.Errorf("--checkpoint and -o are both %s, but a checkpoint is a file and a model a directory: choose another name for one", path))
	case err == nil && info.IsDir():
		faults = append(faults, fmt.Errorf("--checkpoint %s is a directory: give the name of a file", path))
	case err == nil && !t.options.Resume && !t.force:
		faults = append(faults, fmt.Errorf("%s holds an unfinished run: add --resume to continue it, or --force to start again", path))
	}
	return errors.Join(faults...)
}

// save saves the model, or the checkpoint that was held back and says how the model can still be saved.
func (t *trainer) save(m *topoi.Model, c *corpus.Corpus, r progress.Reporter) error {
	facts, err := json.MarshalIndent(t.ended(), "", "  ")
	if err == nil {
		err = m.Save(t.output, topoi.SaveOptions{Overwrite: t.overwrite, Run: facts})
	}
	if err == nil {
		return nil
	}
	_ = m.WriteCheckpoint() // a warning has told if that failed too
	place := t.elsewhere(c)
	switch {
	case t.kept == m.Manifest().Iterations && place != "":
		r.Say("the model could not be saved, but the run is kept in " + t.options.Checkpoint +
			"; to save its model elsewhere:\n  " + t.saveLine(place))
	case t.kept == m.Manifest().Iterations:
		r.Say("the model could not be saved, but the run is kept in " + t.options.Checkpoint +
			"; to save its model when that is fixed:\n  " + t.saveLine(t.output))
	case place != "" && m.Save(place, topoi.SaveOptions{}) == nil:
		r.Say("neither the model nor the last checkpoint could be written to its place: the model was saved in " +
			place)
	default:
		t.sayKept(r)
	}
	return err
}

// sayKept prints how to go on from the checkpoint, if there is one.
func (t *trainer) sayKept(r progress.Reporter) {
	if _, err := os.Stat(t.options.Checkpoint); err != nil {
		r.Say("there is no checkpoint yet: nothing is kept")
		return
	}
	what := "the run"
	switch {
	case t.workers > 0:
		what = "the run up to its last checkpoint"
	case t.kept < t.reached:
		what = fmt.Sprintf("the run up to iteration %d", t.kept)
	}
	r.Say(what + " is kept in " + t.options.Checkpoint + "; to continue:\n  " + cli.ResumeLine(t.Args))
}

// elsewhere finds another place for the model where it can be saved, or returns "".
func (t *trainer) elsewhere(c *corpus.Corpus) string {
	dirs := []string{".", os.TempDir()}
	if home, err := os.UserHomeDir(); err == nil {
		dirs = slices.Insert(dirs, 1, home)
	}
	o := t.options
	o.Checkpoint = "" // it is there
	for _, dir := range dirs {
		path := filepath.Join(dir, filepath.Base(t.output))
		if _, err := os.Lstat(path); err != nil && !sameDir(dir, filepath.Dir(t.output)) &&
			train.CheckOutput(path, c, o, topoi.SaveOptions{}) == nil {
			return path
		}
	}
	return ""
}

// sameDir reports whether two paths lead to the same directory.
func sameDir(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// saveLine is the command line that saves the model of the finished run at path.
func (t *trainer) saveLine(path string) string {
	args := withoutFlag(t.Args, "-o", "--output")
	args = append(args, "-o", path)
	if !t.command.Flags().Changed("checkpoint") {
		args = append(args, "--checkpoint", t.options.Checkpoint)
	}
	if t.reason == topoi.StopTimeLimit { // which would begin anew
		args = append(withoutFlag(args, "", "--iterations"), "--iterations", strconv.Itoa(t.reached))
	}
	return cli.ResumeLine(args)
}

// withoutFlag removes a flag that takes a value from a command line.
func withoutFlag(args []string, short, long string) []string {
	var rest []string
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--":
			return append(rest, args[i:]...)
		case a == long || a == short && short != "":
			i++ // its value
		case strings.HasPrefix(a, long+"="), short != "" && strings.HasPrefix(a, short) && !strings.HasPrefix(a, "--"):
		default:
			rest = append(rest, a)
		}
	}
	return rest
}

// trainByWorkers trains by processes on this machine and returns the model, which c must outlive.
func (t *trainer) trainByWorkers(ctx context.Context, c *corpus.Corpus, path string, opts topoi.Options,
	r progress.Reporter,
) (*topoi.Model, error) {
	devices, err := workerDevices(t.options.Device)
	if err != nil {
		return nil, err // rather than from a worker
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	started := 0
	local := cluster.Local{
		Workers: t.workers, Program: cli.ProgramVersion(), Tell: r.Say,
		Command: func(job cluster.Job, threads int) *exec.Cmd {
			started++
			return t.workerCommand(program, path, job, threads, devices[(started-1)%len(devices)])
		},
	}
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
	machine, err := cli.Devices()
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

// insideHeading is that of the switches inside the samplers.
const insideHeading = "Inside the samplers"

// tuningFlags adds the switches inside the samplers, but those that are named.
func tuningFlags(c *cobra.Command, o *topoi.Options, without ...string) {
	cli.OptionFlags(c, insideHeading, o, nil, without...)
}

// zeros gives meaning to flags that were set to 0, and returns the faults of flags that were not set or may not be 0.
func zeros(c *cobra.Command, o *topoi.Options) error {
	var missing error
	if !c.Flags().Changed("topics") && (o.Prior == "" || o.Prior == prior.ByCovariates) {
		o.Topics = 1 // one fault for the missing flag is enough
		missing = errors.New("the number of topics is missing: add -k NUMBER, for example -k 50")
	}
	return errors.Join(missing, cli.SettleZeros(c, o))
}

func samplerNames() []string {
	names := []string{"auto\tchosen from the corpus and the number of topics"}
	for _, s := range describeSamplers() {
		names = append(names, s.Name+"\t"+s.Summary)
	}
	return names
}

// trainer is one run of topoi train.
type trainer struct {
	*cli.App
	command                       *cobra.Command
	inputs                        reading.Flags
	ended                         func() modelfile.Facts // ends the observation of the run
	guide                         guiding.Flags
	options                       topoi.Options
	output                        string
	json, quiet, overwrite, force bool
	workers                       int
	metrics                       string

	kept    int              // iteration of the last checkpoint; 0: none
	reached int              // the last iteration
	reason  topoi.StopReason // why it was the last one
}

// also returns a function that calls two, of which the first may be nil.
func also[T any](first, second func(T)) func(T) {
	return func(info T) {
		if first != nil {
			first(info)
		}
		second(info)
	}
}
