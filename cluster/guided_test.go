package cluster

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/tier"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/guide"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/topic"
)

// guided returns options with pseudo-counts, among them some of words that are rare and of many topics, with topics to begin
// with if placed is set.
func guided(c *corpus.Corpus, o topoi.Options, placed bool) topoi.Options {
	o.Pseudo = topic.NewPseudoCounts(c.NumWords(), o.Topics, func(w int) (row []topic.Count) {
		for k := w % 3; k < o.Topics && w%4 != 1; k += 1 + w%7 {
			row = append(row, topic.Count{Topic: uint32(k), Count: uint32(1 + (w+k)%40)})
		}
		return row
	})
	o.Lineage = []topoi.Ancestor{{Kind: "seeds", Detail: "some words"}}
	if placed {
		o.Start = &topoi.Start{Topics: make([]uint32, c.NumTokens()), Alpha: make([]float64, o.Topics), Beta: 0.02, Iteration: 1}
		for i := range o.Start.Topics {
			o.Start.Topics[i] = uint32(i*i) % uint32(o.Topics)
		}
		for k := range o.Start.Alpha {
			o.Start.Alpha[k] = 0.1 + float64(k%5)
		}
	}
	return o
}

// Pseudo-counts, and topics to begin with, give the model of one process, lineage and names included.
func TestGuidedJobsGiveTheSameModel(t *testing.T) {
	tier.Long(t, "TestGuidedJobsAreMended trains guided jobs")
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := blocks(2)
	for _, test := range []struct {
		name   string
		opts   topoi.Options
		how    SubmitOptions
		placed bool
	}{
		{"warp", topoi.Options{Sampler: "warp"}, SubmitOptions{}, false},
		{"warp, placed", topoi.Options{Sampler: "warp", Holdout: 0.1}, SubmitOptions{}, true},
		{"warp, sparse rows", topoi.Options{Sampler: "warp", Topics: 1000}, SubmitOptions{Layout: Layout{Slices: 5}}, true},
		{"batch", topoi.Options{Sampler: "batch", Holdout: 0.1}, SubmitOptions{}, true},
		{"batch, many parts", topoi.Options{Sampler: "batch"}, SubmitOptions{Layout: Layout{Parts: 12}}, false},
		{"stale warp", topoi.Options{Sampler: "warp", Tuning: topoi.Tuning{Staleness: 2, Parts: 2}}, SubmitOptions{}, true},
		{"stale batch", topoi.Options{Sampler: "batch", Tuning: topoi.Tuning{Staleness: 1, Parts: 3}}, SubmitOptions{}, true},
		{"warp, rows apart", topoi.Options{Sampler: "warp"}, SubmitOptions{Layout: Layout{Rows: rowsApart, Slices: 7}}, true},
		{"stale warp, rows apart", topoi.Options{Sampler: "warp", Tuning: topoi.Tuning{Staleness: 2, Parts: 2}}, SubmitOptions{Layout: Layout{Rows: rowsApart, Slices: 3}}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := test.opts
			if o.Topics == 0 {
				o.Topics = 20
			}
			o.Seed, o.Iterations, o.EvaluateEvery, o.BurnIn, o.OptimizeInterval, o.Device = 3, 8, 3, 1, 2, "cpu"
			o = guided(c, o, test.placed)
			want := mustTrain(t, c, o)
			test.how.Names = map[int]string{3: "third"}
			got := trainByCluster(t, c, o, testJob{Job{Store: server.SocketURL(), Name: "guided"}, test.how}, 2)
			sameBytes(t, got, want)
			if labels, err := got.Labels(); err != nil || labels.Name(3) != "third" {
				t.Errorf("topic 3 is called %q, %v", labels.Name(3), err)
			}
			if left := server.Left(); len(left) > 0 {
				t.Errorf("keys are left: %s", left)
			}
		})
	}
}

// A guided job survives what the store loses, and goes on from a checkpoint; without one, the topics that it began with are
// gone, and nobody goes on with others.
func TestGuidedJobsAreMended(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := blocks(2)
	o := guided(c, damageOptions(), true)
	want := mustTrain(t, c, o)
	for name, happen := range map[string][]string{"everything": {"FLUSHALL"}, "head": {"DEL", "topoi:{mended:s3}:head"}} {
		t.Run(name, func(t *testing.T) {
			where := testJob{Job{Store: server.URL(), Name: "mended"}, SubmitOptions{Workers: 2, Lease: 500 * time.Millisecond, Layout: Layout{Slices: 5}}}
			o := o
			o.Checkpoint, o.CheckpointEvery = filepath.Join(t.TempDir(), "job.checkpoint"), 10
			if err := where.submit(t.Context(), c, o); err != nil {
				t.Fatal(err)
			}
			said := workDisturbed(t, c, where, func() { server.Do(happen...) })
			collectSame(t, c, where, want, said)
		})
	}
}

// An update that a cluster trains is the one of a single process.
func TestUpdateByCluster(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	old := mustTrain(t, themed(90), topoi.Options{Topics: 4, Sampler: "batch", Iterations: 20, Device: "cpu"})
	o := guide.UpdateOptions{NewTopics: 1, Options: topoi.Options{Sampler: "batch", Iterations: 10, Device: "cpu"}}
	want, err := guide.Update(t.Context(), old, themed(40), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Train = func(_ context.Context, c *corpus.Corpus, opts topoi.Options) (*topoi.Model, error) {
		return trainByCluster(t, c, opts, testJob{Job{Store: server.SocketURL(), Name: "update"}, SubmitOptions{}}, 2), nil
	}
	got, err := guide.Update(t.Context(), old, themed(40), o)
	if err != nil {
		t.Fatal(err)
	}
	sameBytes(t, got.Model, want.Model)
}

// What guides a job must be in the store, and pass its checksums.
func TestGuidedJobsMissNothing(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := themed(30)
	o := guided(c, topoi.Options{Topics: 3, Sampler: "warp", Iterations: 5}, true)
	for i, test := range []struct{ happen, want string }{
		{"DEL topoi:{lost0:s3}:pseudo", "the store has lost the pseudo-counts of the job, or has others: submit the job again"},
		{"SETRANGE topoi:{lost1:s3}:pseudo 40 ?", "topoi:{lost1:s3}:pseudo in the store is damaged"},
	} {
		job := testJob{Job{Store: server.URL(), Name: fmt.Sprint("lost", i)}, SubmitOptions{}}
		if err := job.submit(t.Context(), c, o); err != nil {
			t.Fatal(err)
		}
		server.Do(strings.Fields(test.happen)...)
		one(t, job.Work(t.Context(), c, WorkOptions{}), test.want)
	}
	p, err := newPlan(c, o.WithDefaults(), nil, SubmitOptions{Workers: 1, Layout: Layout{Parts: 1}})
	if err != nil {
		t.Fatal(err)
	}
	p.options().Start = nil // as workers have it
	_, err = p.run.Begin()
	one(t, errors.Join(err), "the job began with topics that nobody has any more")
}
