package cluster

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/redistest"
)

// Workers that have rows by slice give the model of one process, whatever the number of workers,
// parts and slices, and the staleness.
func TestRowsApartGiveTheSameModel(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := zipf(4000) // a few blocks of 65,536 tokens
	for _, test := range []struct {
		name            string
		opts            topoi.Options
		workers, slices int
	}{
		{"warp", topoi.Options{Sampler: "warp"}, 1, 5},
		{"warp", topoi.Options{Sampler: "warp", Topics: 1000}, 2, 40},
		{"warp", topoi.Options{Sampler: "warp", Holdout: 0.1}, 4, 1},
		{"light", topoi.Options{Sampler: "light", Tuning: topoi.Tuning{Rounds: 3}}, 3, 7},
		{"stale warp", topoi.Options{Sampler: "warp", Tuning: topoi.Tuning{Staleness: 1, Parts: 3}}, 2, 16},
		{"stale warp", topoi.Options{Sampler: "warp", Topics: 1000, Tuning: topoi.Tuning{Staleness: 2, Parts: 2}}, 2, 9},
		{"stale light", topoi.Options{Sampler: "light", Tuning: topoi.Tuning{Staleness: 1, Rounds: 2, Parts: 12}}, 3, 4},
	} {
		if test.opts.Topics == 0 {
			test.opts.Topics = 20
		}
		test.opts.Seed, test.opts.Iterations = 3, 8
		test.opts.EvaluateEvery, test.opts.BurnIn, test.opts.OptimizeInterval = 6, 1, 5
		t.Run(fmt.Sprint(test.name, test.workers, "-", test.slices), func(t *testing.T) {
			want := mustTrain(t, c, test.opts)
			where := testJob{Job{Store: server.SocketURL(), Name: "apart"}, SubmitOptions{Rows: RowsApart, Slices: test.slices}}
			sameBytes(t, trainByCluster(t, c, test.opts, where, test.workers), want)
			if left := server.Do("KEYS", "*"); left != "" {
				t.Errorf("keys are left: %s", left)
			}
		})
	}
}

// A job whose rows are apart goes on from a checkpoint, with changes that others have not seen.
func TestRowsApartResume(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := zipf(3000)
	opts := topoi.Options{Sampler: "warp", Topics: 20, Iterations: 14, EvaluateEvery: 3, OptimizeInterval: 4, BurnIn: 2, Tuning: topoi.Tuning{Staleness: 2, Parts: 3}}
	want := mustTrain(t, c, opts)
	opts.Checkpoint, opts.Resume, opts.Iterations = filepath.Join(t.TempDir(), "checkpoint"), true, 6
	where := testJob{Job{Store: server.URL(), Name: "resumed"}, SubmitOptions{Rows: RowsApart, Slices: 6}}
	trainByCluster(t, c, opts, where, 2)
	opts.Iterations = 14
	// Evaluation also follows the last iteration, so the histories differ there.
	if got := trainByCluster(t, c, opts, where, 2); got.Fingerprint() != want.Fingerprint() {
		t.Error("resuming changes the model")
	}
}
