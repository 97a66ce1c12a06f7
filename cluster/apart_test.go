package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/tier"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/redistest"
)

// Workers that have rows by slice give the model of one process, whatever the number of workers,
// parts and slices, and the staleness.
func TestRowsApartGiveTheSameModel(t *testing.T) {
	tier.Long(t, "rows apart are exchanged in the tests of internal/cluster/rows, and resumed in TestRowsApartResume")
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := blocks(3) // for four workers as well: one has rows alone
	for _, test := range []struct {
		name            string
		opts            topoi.Options
		workers, slices int
		state           string
	}{
		{"warp", topoi.Options{Sampler: "warp"}, 1, 5, ""},
		{"warp", topoi.Options{Sampler: "warp", Topics: 1000}, 2, 40, ""},
		{"warp", topoi.Options{Sampler: "warp", Holdout: 0.1}, 4, 1, ""},
		{"light", topoi.Options{Sampler: "light", Tuning: topoi.Tuning{Rounds: 3}}, 3, 7, ""},
		{"stale warp", topoi.Options{Sampler: "warp", Tuning: topoi.Tuning{Staleness: 1, Parts: 3}}, 2, 16, ""},
		{"stale warp", topoi.Options{
			Sampler: "warp", Topics: 1000, Tuning: topoi.Tuning{Staleness: 2, Parts: 2, StartLift: 30},
		}, 2, 9, ""},
		{"stale light", topoi.Options{Sampler: "light", Tuning: topoi.Tuning{Staleness: 1, Rounds: 2, Parts: 12}}, 3, 4, ""},
		{"warp with many topics", topoi.Options{Sampler: "warp", Topics: 1<<16 + 1, Holdout: 0.002}, 2, 3, ""}, // few documents: scores take long
		{"warp in files", topoi.Options{Sampler: "warp"}, 3, 2, t.TempDir()},
	} {
		if testing.Short() && test.opts.Topics > 0 {
			continue // many topics are only more work
		}
		test.opts.Topics = cmp.Or(test.opts.Topics, 20)
		test.opts.Seed, test.opts.Iterations = 3, 8
		test.opts.EvaluateEvery, test.opts.BurnIn, test.opts.OptimizeInterval = 6, 1, 5
		t.Run(fmt.Sprint(test.name, test.workers, "-", test.slices), func(t *testing.T) {
			want := mustTrain(t, c, test.opts)
			where := testJob{Job{Store: server.SocketURL(), Name: "apart"}, SubmitOptions{Layout: Layout{Rows: rowsApart, Slices: test.slices, Topics: test.state}}}
			sameBytes(t, trainByCluster(t, c, test.opts, where, test.workers), want)
			if left := server.Left(); len(left) > 0 {
				t.Errorf("keys are left: %s", left)
			}
			if test.state != "" {
				if left, err := os.ReadDir(test.state); err != nil || len(left) > 0 {
					t.Errorf("files are left: %v, %v", left, err)
				}
			}
		})
	}
}

// A job whose rows are apart goes on from a checkpoint, with changes that others have not seen.
func TestRowsApartResume(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := blocks(3)
	opts := topoi.Options{Sampler: "warp", Topics: 20, Iterations: 14, EvaluateEvery: 3, OptimizeInterval: 4, BurnIn: 2, Tuning: topoi.Tuning{Staleness: 2, Parts: 3}}
	want := mustTrain(t, c, opts)
	opts.Checkpoint, opts.Resume, opts.Iterations = filepath.Join(t.TempDir(), "checkpoint"), true, 6
	where := testJob{Job{Store: server.URL(), Name: "resumed"}, SubmitOptions{Layout: Layout{Rows: rowsApart, Slices: 6, Topics: t.TempDir()}}}
	trainByCluster(t, c, opts, where, 2)
	opts.Iterations = 14
	// Evaluation also follows the last iteration, so the histories differ there.
	if got := trainByCluster(t, c, opts, where, 2); got.Fingerprint() != want.Fingerprint() {
		t.Error("resuming changes the model")
	}
}

// Topics in files are not in the store, and one that is lost or damaged is noticed and named.
func TestTopicsInFiles(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := zipf(1000)
	opts := topoi.Options{Sampler: "warp", Topics: 10, Iterations: 5}
	want := mustTrain(t, c, opts)
	where := testJob{Job{Store: server.URL(), Name: "files"}, SubmitOptions{Layout: Layout{Topics: t.TempDir()}}}
	if err := errors.Join(where.submit(t.Context(), c, opts), where.Work(t.Context(), c, WorkOptions{Threads: 1})); err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(server.Keys(), func(key string) bool { return strings.Contains(key, "}:z:") }); i >= 0 {
		t.Errorf("topics are in the store under %s", server.Keys()[i])
	}
	got, err := where.Collect(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	sameBytes(t, got, want)
	files, _ := filepath.Glob(filepath.Join(where.Layout.Topics, "files-*", "part-0.topics-*"))
	if len(files) != 1 {
		t.Fatalf("files %q", files)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(files[0], b, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = where.Collect(t.Context(), c)
	one(t, err, files[0]+" is damaged (")
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	_, err = where.Collect(t.Context(), c)
	one(t, err, files[0]+" is missing, and with it the model of job files")
}

// A budget decides where rows are and in how many slices, and says why it does not suffice.
func TestBudget(t *testing.T) {
	c := zipf(1000)
	opts := topoi.Options{Sampler: "warp", Topics: 5000, Iterations: 5}.WithDefaults()
	p, err := newPlan(c, opts, nil, SubmitOptions{Workers: 2, Layout: Layout{Parts: 2}})
	if err != nil {
		t.Fatal(err)
	}
	n := needsOf(p, 2, 1)
	budget := func(data int64) int64 { return data*8/7 + 1 } // of which data is usable
	cut := func(memory int64, rows string) (protocol.Spec, error) {
		spec := protocol.Spec{Words: c.NumWords(), Topics: opts.Topics, Sampler: "warp"}
		return spec, SubmitOptions{Memory: memory, Workers: 2, Layout: Layout{Rows: rows}}.cutRows(p, &spec)
	}
	before := 0
	for _, test := range []struct {
		memory int64
		apart  bool
	}{{0, false}, {budget(n.tokens + n.whole), false}, {budget(n.tokens + n.whole - 2), true}} {
		spec, err := cut(test.memory, "")
		if err != nil || spec.Apart != test.apart || spec.Slices < before {
			t.Errorf("%d bytes: %+v, %v", test.memory, spec, err)
		}
		before = spec.Slices
	}
	least := n.tokens + n.share + max(n.scoring, n.row*2*entryBytes)
	if spec, err := cut(budget(max(least, n.laying)), rowsApart); err != nil || !spec.Apart || spec.Slices < before {
		t.Errorf("%+v, %v", spec, err)
	}
	_, err = cut(budget(n.laying-10), "")
	one(t, err, "while its tokens are laid out, which is more than the")
	n.laying = max(n.laying, n.tokens+n.share)
	_, err = cut(budget(n.laying), "")
	one(t, err, "for its share of the rows")
	if spec, err := cut(1, rowsWhole); err != nil || spec.Apart {
		t.Errorf("%+v, %v", spec, err)
	}
}
