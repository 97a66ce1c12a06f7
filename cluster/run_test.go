package cluster

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/tier"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/redistest"
)

// A job that ended by a condition, and is resumed with the same one, has nothing left to do.
func TestResumeAfterTheEnd(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := themed(60)
	opts := topoi.Options{Topics: 3, Sampler: "warp", Iterations: 5000, EvaluateEvery: 2, Checkpoint: filepath.Join(t.TempDir(), "ckpt"), Resume: true}
	want := mustTrain(t, c, opts)
	if want.Manifest().Stopped != topoi.StopPlateau {
		t.Fatalf("stopped by %s", want.Manifest().Stopped)
	}
	job := testJob{Job{Store: server.SocketURL(), Name: "end"}, SubmitOptions{Workers: 1}}
	if err := errors.Join(job.submit(t.Context(), c, opts), job.Work(t.Context(), c, WorkOptions{})); err != nil {
		t.Fatal(err)
	}
	got, err := job.Collect(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	sameBytes(t, got, want)
}

// The status of a job tells of checkpoints that could not be written.
func TestJobTellsOfCheckpoints(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := zipf(400)
	job := testJob{Job{Store: server.SocketURL(), Name: "unwritten"}, SubmitOptions{Workers: 1}}
	opts := topoi.Options{Topics: 5, Sampler: "warp", Iterations: 6, EvaluateEvery: 2, CheckpointEvery: 2, Checkpoint: filepath.Join(t.TempDir(), "no", "ckpt")}
	if err := job.submit(t.Context(), c, opts); err != nil {
		t.Fatal(err)
	}
	warned := 0
	if err := job.Work(t.Context(), c, WorkOptions{Events: topoi.Events{Warning: func(topoi.WarningInfo) { warned++ }}}); err != nil {
		t.Fatal(err)
	}
	s, err := job.Status(t.Context())
	if err != nil || warned != 3 || !strings.Contains(s.Warning, "the checkpoint of iteration 6 cannot be written") {
		t.Errorf("%d warnings, %+v, %v", warned, s, err)
	}
}

// Workers of a cluster hold out the same documents, and their model knows them.
func TestClusterHoldsOutTheSame(t *testing.T) {
	tier.Long(t, "internal/holdout draws documents")
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := zipf(1500)
	for name, opts := range map[string]topoi.Options{
		"warp":  {Sampler: "warp", Holdout: 0.2},
		"batch": {Sampler: "batch", Holdout: 0.2, HoldoutSeed: 8},
		"light": {Sampler: "light", Holdout: 0.2, HoldoutLast: true},
	} {
		opts.Topics, opts.Iterations, opts.EvaluateEvery, opts.BurnIn, opts.OptimizeInterval = 10, 4, 2, 1, 2
		want := mustTrain(t, c, opts)
		got := trainByCluster(t, c, opts, testJob{Job{Store: server.SocketURL(), Name: name}, SubmitOptions{Layout: Layout{Parts: 2}}}, 2)
		sameBytes(t, got, want)
		if a, b := documents(t, got), documents(t, want); a != b {
			t.Errorf("%s: other documents: %s, want %s", name, a, b)
		}
	}
}

// documents are the numbers of a model's held-out documents.
func documents(t *testing.T, m *topoi.Model) string {
	t.Helper()
	held, err := m.Heldout()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for d := range held.NumDocs() {
		fmt.Fprint(&b, held.Number(d), " ")
	}
	return b.String()
}

// A worker whose small runs give something else does not take part, whatever it
// calls itself.
func TestClusterRefusesOtherResults(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	c := themed(30)
	job := testJob{Job{Store: server.URL(), Name: "mine", Program: "built from source"}, SubmitOptions{}}
	if err := job.submit(t.Context(), c, topoi.Options{Topics: 3, Sampler: "warp", Iterations: 5}); err != nil {
		t.Fatal(err)
	}
	whole := results
	defer func() { results = whole }()
	results = func(string) (string, error) { return "0123456789abcdef", nil }
	for _, err := range []error{job.Work(t.Context(), c, WorkOptions{}), func() error { _, err := job.Collect(t.Context(), c); return err }()} {
		one(t, err, "was submitted by topoi built from source whose small runs give "+wantResults["warp"]+", and those of this topoi built from source give 0123456789abcdef, so that it would make another model: run the same program everywhere")
	}
}
