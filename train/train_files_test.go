package train

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/tier"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/ondisk"
)

// small makes a run believe that a budget of n bytes leaves room for n tokens at a
// time, and no more.
func small(t testing.TB) {
	t.Cleanup(func() { fitBudget = ondisk.Fit })
	fitBudget = func(r ondisk.Run) (*ondisk.Budget, error) {
		if r.Sampler.Files.None(r.Problem) || r.Memory < 1000 {
			return ondisk.Fit(r)
		}
		return &ondisk.Budget{PartTokens: int(r.Memory), SliceBytes: 8 * int(r.Memory), Stage: 2000}, nil
	}
}

// filesOptions train zipf(4000), 240,000 tokens, from files.
func filesOptions(sampler string, dir string) topoi.Options {
	return topoi.Options{
		Topics: 40, Sampler: sampler, Iterations: 5, BurnIn: 1, OptimizeInterval: 2, EvaluateEvery: 2, Seed: 3, Threads: 2,
		Memory: 70_000, Checkpoint: filepath.Join(dir, "checkpoint"),
	}
}

// inMemory is the same run without a budget.
func inMemory(o topoi.Options) topoi.Options {
	o.Memory, o.Checkpoint, o.Resume = 0, "", false
	return o
}

func mustTrain(t testing.TB, c *corpus.Corpus, o topoi.Options) *topoi.Model {
	t.Helper()
	m, err := Run(t.Context(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Models trained from files are those trained in memory, held-out scores and all;
// they can be saved and read like any other.
func TestFilesGiveTheSameModel(t *testing.T) {
	c := zipf(4000)
	small(t)
	for _, name := range []string{"warp", "light"} {
		dir := t.TempDir()
		opts := filesOptions(name, dir)
		opts.Holdout = 0.05
		started := 0
		opts.Events.Start = func(topoi.StartInfo) { started++ }
		want := mustTrain(t, c, inMemory(opts))
		got := mustTrain(t, c, opts)
		pieces, _ := filepath.Glob(filepath.Join(dir, "checkpoint.parts", "*.segments"))
		if parts, _ := filepath.Glob(filepath.Join(dir, "checkpoint.parts", "*.layout")); len(pieces)+len(parts) < 2 {
			t.Fatalf("%s: %d pieces", name, len(pieces)+len(parts))
		}
		if want.Fingerprint() != got.Fingerprint() {
			t.Errorf("%s: another model", name)
		}
		if a, b := fmt.Sprint(want.Manifest().History), fmt.Sprint(got.Manifest().History); len(want.Manifest().History) == 0 || !sameScores(want, got) {
			t.Errorf("%s: scores %s, want %s", name, b, a)
		}
		for i, m := range []*topoi.Model{want, got} {
			if err := m.Save(filepath.Join(dir, fmt.Sprint("model", i)), topoi.SaveOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		sameFiles(t, filepath.Join(dir, "model0"), filepath.Join(dir, "model1"))
		if err := errors.Join(got.Close(), RemoveState(opts)); err != nil {
			t.Error(err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "checkpoint*")); len(left) > 0 {
			t.Errorf("%s: %v is left", name, left)
		}
	}
}

// sameScores compares histories, whose held-out scores are behind pointers.
func sameScores(a, b *topoi.Model) bool {
	x, y := a.Manifest().History, b.Manifest().History
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i].LogLikelihood != y[i].LogLikelihood || *x[i].Heldout != *y[i].Heldout || x[i].AlphaSum != y[i].AlphaSum {
			return false
		}
	}
	return true
}

// sameFiles compares two directories.
func sameFiles(t *testing.T, a, b string) {
	t.Helper()
	entries, err := os.ReadDir(a)
	if err != nil || len(entries) == 0 {
		t.Fatalf("%v, %v", entries, err)
	}
	for _, e := range entries {
		x, errA := os.ReadFile(filepath.Join(a, e.Name()))
		y, errB := os.ReadFile(filepath.Join(b, e.Name()))
		if err := errors.Join(errA, errB); err != nil || string(x) != string(y) {
			t.Errorf("%s differs: %v", e.Name(), err)
		}
	}
}

const trainInFiles = "TOPOI_TEST_TRAIN_IN_FILES"

// A run from files that is killed at any moment goes on from the iteration before,
// with light from the round before, and ends with the same model.
func TestKilledInFiles(t *testing.T) {
	tier.Long(t, "runs from files that stop between rounds go on in TestStopBetweenRounds")
	small(t)
	options := func(sampler, dir string) topoi.Options {
		opts := filesOptions(sampler, dir)
		if sampler == "light" {
			opts.Tuning.Rounds = 3
		} else {
			opts.Iterations = 20 // they are short
		}
		return opts
	}
	if child := os.Getenv(trainInFiles); child != "" {
		sampler, dir, _ := strings.Cut(child, " ")
		opts := options(sampler, dir)
		opts.Resume = true
		opts.Events.Iteration = func(i topoi.IterationInfo) { fmt.Println("iteration", i.Iteration) }
		fmt.Println("fingerprint", mustTrain(t, zipf(4000), opts).Fingerprint())
		return
	}
	for _, sampler := range []string{"warp", "light"} {
		t.Run(sampler, func(t *testing.T) {
			want := "fingerprint " + mustTrain(t, zipf(4000), inMemory(options(sampler, ""))).Fingerprint()
			killAndResume(t, sampler+" "+t.TempDir(), want)
		})
	}
}

// killAndResume runs TestKilledInFiles with an argument for a child, which it kills again and again, until
// one comes to its end.
func killAndResume(t *testing.T, argument, want string) {
	random := rand.New(rand.NewPCG(1, uint64(os.Getpid()))) // the moment differs anyway
	kills, last := 0, 0
	for {
		child := exec.Command(os.Args[0], "-test.run=^TestKilledInFiles$")
		child.Env = append(os.Environ(), trainInFiles+"="+argument)
		var out strings.Builder
		child.Stdout, child.Stderr = &out, &out
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(20+random.IntN(150))*time.Millisecond*time.Duration(1+kills/3), func() { child.Process.Kill() })
		err := child.Wait()
		if !timer.Stop() && err != nil {
			kills++
			last = checkProgress(t, out.String(), last)
			continue
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("after %d kills %s, want %s", kills, out.String(), want)
		}
		t.Logf("killed %d times", kills)
		return
	}
}

// checkProgress fails if a child began more than one iteration behind the last one
// that the child before told of, which it does before it commits.
func checkProgress(t *testing.T, out string, last int) int {
	t.Helper()
	for i, line := range strings.Split(out, "\n") {
		var n int
		if _, err := fmt.Sscanf(line, "iteration %d", &n); err != nil {
			continue
		}
		if i == 0 && n < last {
			t.Errorf("a child began with iteration %d although %d had been done", n, last)
		}
		last = max(last, n)
	}
	return last
}

// Options that cannot be combined with a budget that asks for files.
func TestFilesRefuse(t *testing.T) {
	small(t)
	c := zipf(4000)
	for _, test := range []struct {
		change func(*topoi.Options)
		want   string
	}{
		{func(o *topoi.Options) { o.Memory = 999 }, "the memory budget cannot be kept: 999 bytes were allowed and at least"},
		{func(o *topoi.Options) { o.Sampler = "batch"; o.Topics = 3000 }, `sampler "batch" needs`},
		{func(o *topoi.Options) { o.Tuning.Staleness = 1 }, "cannot be trained from files"},
		{func(o *topoi.Options) { o.Device = "cuda" }, "on the CPU only"},
		{func(o *topoi.Options) { o.Memory = -1 }, "Options.Memory is -1: it must be at least 0"},
	} {
		opts := filesOptions("warp", t.TempDir())
		test.change(&opts)
		if _, err := Run(t.Context(), c, opts); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
	opts := filesOptions("auto", t.TempDir())
	opts.Topics, opts.Iterations = 300, 1
	if m := mustTrain(t, c, opts); m.Manifest().Options.Sampler != "warp" {
		t.Errorf("auto chose %s", m.Manifest().Options.Sampler)
	}
}

// Checkpoints of files and of memory are not mixed up.
func TestFilesResume(t *testing.T) {
	small(t)
	c := zipf(4000)
	dir := t.TempDir()
	opts := filesOptions("warp", dir)
	ctx, cancel := context.WithCancel(t.Context())
	opts.Events.Iteration = func(i topoi.IterationInfo) {
		if i.Iteration == 2 {
			cancel()
		}
	}
	if _, err := Run(ctx, c, opts); !errors.Is(err, ErrInterrupted) {
		t.Fatal(err)
	}
	for _, test := range []struct {
		change func(*topoi.Options)
		want   string
	}{
		{func(o *topoi.Options) { o.Memory = 0 }, "resume with the same memory budget"},
		{func(o *topoi.Options) { o.Memory = 2_000 }, "begun with a larger memory budget"},
		{func(o *topoi.Options) { o.WorkDir = filepath.Join(dir, "other") }, "cannot read the state of the run"},
	} {
		resumed := opts
		resumed.Resume = true
		test.change(&resumed)
		if _, err := Run(t.Context(), c, resumed); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
	memory := inMemory(opts)
	memory.Checkpoint, memory.Iterations, memory.Events = filepath.Join(dir, "memory"), 1, topoi.Events{}
	mustTrain(t, c, memory)
	memory.Resume, memory.Memory = true, opts.Memory
	if _, err := Run(t.Context(), c, memory); err == nil || !strings.Contains(err.Error(), "kept everything in memory") {
		t.Error(err)
	}
	// A machine that stops may lose the last state: the one before goes on. Without
	// that one there is nothing to go on from.
	parts := filepath.Join(dir, "checkpoint.parts")
	before, err := os.ReadFile(filepath.Join(parts, "warp-tokens.2"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, content []byte) {
		if err := os.WriteFile(filepath.Join(parts, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("warp-tokens.2", nil)
	write("warp-tokens.3", nil)
	opts.Resume, opts.Events = true, topoi.Events{}
	if _, err := Run(t.Context(), c, opts); !errors.Is(err, ondisk.ErrDamaged) {
		t.Error(err)
	}
	write("warp-tokens.2", before)
	if mustTrain(t, c, opts).Fingerprint() != mustTrain(t, c, inMemory(opts)).Fingerprint() {
		t.Error("the run that went on from the state before gives another model")
	}
}

// The library tells which limit keeps the budget, and leaves the process as it is.
func TestTrainChangesNoSettings(t *testing.T) {
	settings := func() [2]int64 {
		percent := debug.SetGCPercent(100)
		debug.SetGCPercent(percent)
		return [2]int64{int64(percent), debug.SetMemoryLimit(-1)}
	}
	before := settings()
	small(t)
	opts := filesOptions("warp", t.TempDir())
	limit := int64(0)
	opts.Events.Start = func(s topoi.StartInfo) { limit = s.MemoryLimit }
	opts.Events.Iteration = func(topoi.IterationInfo) {
		if now := settings(); now != before {
			t.Errorf("settings %v, want %v", now, before)
		}
	}
	mustTrain(t, zipf(4000), opts)
	if limit <= 0 || limit > opts.Memory {
		t.Errorf("a limit of %d bytes for a budget of %d", limit, opts.Memory)
	}
}
