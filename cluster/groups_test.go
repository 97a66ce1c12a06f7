package cluster

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/tier"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/rng"
)

// cells is a column in memory.
type cells []string

func (c cells) Len() int        { return len(c) }
func (c cells) At(i int) string { return c[i] }

// inGroups makes documents with one or two of three labels, or none, and with a number of which there are 40.
func inGroups(t *testing.T, docs int) *corpus.Corpus {
	t.Helper()
	key, b, numbers := rng.NewKey(7), corpus.Builder{}, make(cells, docs)
	names := []string{"cars", "food", "moon"}
	for d := range docs {
		doc := corpus.Document{Label: strings.Join([]string{names[d%3], names[d/3%3]}, "; ")}
		if d%11 == 5 {
			doc.Label = ""
		}
		numbers[d] = fmt.Sprint(d * 7919 % 40)
		for i := range uint32(20 + d%30) {
			x := key.Block(uint32(d), i, 0, 0)
			doc.Tokens = append(doc.Tokens, fmt.Sprint(names[(d+int(x[1]&1)*d/3)%3], rng.Below(x[0], 40)))
		}
		b.Add(doc)
	}
	c, err := b.Corpus().WithColumns([]column.Column{{Name: "number", Kind: column.Number, Values: numbers}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// groupedOptions are those of short runs with a prior by groups of documents.
func groupedOptions(prior string) topoi.Options {
	o := topoi.Options{
		Prior: prior, Sampler: "batch", Seed: 3, Iterations: 24, EvaluateEvery: 7, BurnIn: 1, OptimizeInterval: 2,
		Tolerance: -1, Device: "cpu",
	}
	if prior == "labels" {
		o.Free = 2
	} else {
		o.Topics, o.Formula = 5, "~ number"
	}
	return o
}

// Priors by groups of documents give the model of one process, with its λ, its scores and its names of topics.
func TestGroupedJobsGiveTheSameModel(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := inGroups(t, 2500)
	for name, test := range map[string]struct {
		opts topoi.Options
		how  SubmitOptions
	}{
		"covariates": {groupedOptions("covariates"), SubmitOptions{Layout: Layout{Parts: 5}}},
		"labels":     {groupedOptions("labels"), SubmitOptions{Layout: Layout{Parts: 5}}},
	} {
		t.Run(name, func(t *testing.T) {
			want := mustTrain(t, c, test.opts)
			got := trainByCluster(t, c, test.opts, testJob{Job{Store: server.SocketURL(), Name: "grouped"}, test.how}, 2)
			sameBytes(t, got, want)
			a := fmt.Sprint(got.Manifest().Covariates, got.Manifest().History)
			b := fmt.Sprint(want.Manifest().Covariates, want.Manifest().History)
			if a != b {
				t.Errorf("λ and scores\n%s, want\n%s", a, b)
			}
			if got.Label(0) != want.Label(0) {
				t.Errorf("topic 0 is called %q, want %q", got.Label(0), want.Label(0))
			}
		})
	}
}

// A job with groups goes on from its checkpoint after the store has lost everything.
func TestGroupedJobsAreMended(t *testing.T) {
	tier.Long(t, "TestClusterMendsWhatTheStoreLost mends a job")
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	c := inGroups(t, 2500)
	o := groupedOptions("covariates")
	o.Iterations = damageOptions().Iterations
	want := mustTrain(t, c, o)
	submit := SubmitOptions{Workers: 2, Lease: 500 * time.Millisecond, Layout: Layout{Slices: 5}}
	where := testJob{Job{Store: server.URL(), Name: "mended"}, submit}
	o.Checkpoint, o.CheckpointEvery = filepath.Join(t.TempDir(), "job.checkpoint"), 10
	if err := where.submit(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	said := workDisturbed(t, c, where, func() { server.Do("FLUSHALL") })
	collectSame(t, c, where, want, said)
}
