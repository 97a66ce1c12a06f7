package train

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/ondisk"
)

// goldenRuns lists the runs: every sampler with its options by one and three threads,
// with and without vector instructions, from files, in parts, late, on an emulated
// GPU in all its forms, killed and resumed, and inference.
func goldenRuns(t *testing.T) []goldenRun {
	g := &golden{small: zipf(60), blocks: map[string]*corpus.Corpus{"batch": zipf(1500), "warp": zipf(1500), "light": zipf(600)}}
	g.emulate(t)
	g.tunings()
	g.vectors()
	g.priors()
	g.files()
	g.stale()
	g.parts()
	g.resumed()
	g.devices()
	g.inference()
	return g.runs
}

// golden collects runs.
type golden struct {
	small  *corpus.Corpus            // 3,600 tokens, one block
	blocks map[string]*corpus.Corpus // by sampler: 36,000 or 90,000 tokens, several blocks
	ready  chan error                // gives what came of compiling them, again and again
	runs   []goldenRun
}

func (g *golden) add(name string, make func(t *testing.T) string) {
	g.runs = append(g.runs, goldenRun{name, make})
}

// goldenOptions are those of a run that sets none of its own: six sweeps, two
// estimations of the priors, two scores.
func goldenOptions(sampler string, k, threads int) topoi.Options {
	return topoi.Options{
		Topics: k, Sampler: sampler, Seed: 11, Threads: threads, Device: "cpu", Iterations: 6,
		BurnIn: 1, OptimizeInterval: 3, EvaluateEvery: 3,
	}
}

// train adds a run of Train in memory.
func (g *golden) train(name string, c *corpus.Corpus, o topoi.Options) {
	g.add(name, func(t *testing.T) string { return goldenModel(mustTrain(t, c, o)) })
}

// goldenTunings are the choices inside samplers that select other code.
var goldenTunings = map[string][]topoi.Tuning{
	"gibbs":  {{}},
	"sparse": {{}},
	"panel":  {{}, {MiniBatches: 3}},
	"batch": {
		{},
		{MiniBatches: 3},
		{OwnCount: "in"},
		{StartTopics: 2},
		{Fresh: "word=immediate", OwnCount: "in"},
		{Fresh: "doc=delayed,word=delayed,topic=delayed", MiniBatches: 3},
		{Fresh: "doc=delayed,word=delayed,topic=immediate", MiniBatches: 3},
		{Fresh: "doc=delayed,word=immediate,topic=delayed", MiniBatches: 3},
		{Fresh: "doc=delayed,word=immediate,topic=immediate", MiniBatches: 3},
		{Fresh: "doc=immediate,word=delayed,topic=immediate", MiniBatches: 3},
		{Fresh: "doc=immediate,word=immediate,topic=delayed", MiniBatches: 3},
		{Fresh: "doc=immediate,word=immediate,topic=immediate", MiniBatches: 3},
	},
	"alias": {{}, {AliasEvery: 1, MHSteps: 1}},
	"light": {{}, {Proposal: "doc", MHSteps: 1}, {Proposal: "word", Rounds: 3}, {MHSteps: 3, Rounds: 2}, {StartTopics: 2}, {StartLift: 5}},
	"warp":  {{}, {MHSteps: 1}, {MHSteps: 3}, {StartTopics: 2}, {StartLift: 5}},
	"grid":  {{}, {Partitions: 1}, {Partitions: 3}},
	"cvb":   {{}, {Partitions: 1}, {CVB: "zero", Partitions: 3}, {CVB: "zero", ExactSweeps: 2}, {CVB: "zero", ExactSweeps: 2, Adapt: true}, {Step: 0.5, Partitions: 3}},
	"mean": {
		{},
		{Uncollapsed: true},
		{Draw: "binary"},
		{Draw: "alias"},
		{Draw: "butterfly"},
		{Draw: "butterfly-plain"},
		{Draw: "transposed"},
		{Precision: "float32"},
		{Precision: "float32", Draw: "butterfly", Uncollapsed: true},
	},
}

// goldenSamplers are those that the file knows.
func goldenSamplers() []string { return slices.Sorted(maps.Keys(goldenTunings)) }

// tuned names a choice: what differs from the default.
func tuned(tuning topoi.Tuning) string {
	var list []string
	for pair := range strings.FieldsSeq(strings.Trim(fmt.Sprintf("%+v", tuning), "{}")) {
		if name, value, _ := strings.Cut(pair, ":"); value != "" && value != "0" && value != "false" {
			list = append(list, name+"="+value)
		}
	}
	if list == nil {
		return "default"
	}
	return strings.Join(list, ";")
}

func (g *golden) tunings() {
	for _, name := range goldenSamplers() {
		for _, tuning := range goldenTunings[name] {
			for _, threads := range []int{1, 3} {
				o := goldenOptions(name, 20, threads)
				o.Tuning = tuning
				g.train(fmt.Sprintf("%s/%s/threads=%d", name, tuned(tuning), threads), g.small, o)
			}
		}
	}
}

// vectors are runs with other instructions, and numbers of topics that fill registers
// and rows of counts in other ways.
func (g *golden) vectors() {
	for _, name := range goldenSamplers() {
		topics := []int{33}
		if name == "batch" || name == "warp" {
			topics = []int{1, 32, 33, 200}
		}
		for _, k := range topics {
			for _, set := range []string{"off", "avx2", "best"} {
				g.add(fmt.Sprintf("%s/K=%d/simd=%s", name, k, set), func(t *testing.T) string {
					return instructions(set, func() string { return goldenModel(mustTrain(t, g.small, goldenOptions(name, k, 2))) })
				})
			}
		}
	}
	for _, set := range []string{"off", "best"} { // topics that do not fit 16 bits
		o := goldenOptions("warp", 1<<16+1, 2)
		o.Iterations = 3
		g.add("warp/K=65537/simd="+set, func(t *testing.T) string {
			return instructions(set, func() string { return goldenModel(mustTrain(t, g.small, o)) })
		})
	}
}

// priors are runs with fixed priors, held-out documents and rules for stopping.
func (g *golden) priors() {
	for _, name := range goldenSamplers() {
		fixed := goldenOptions(name, 20, 2)
		fixed.OptimizeInterval, fixed.AlphaSum, fixed.Beta = -1, 2, 0.1
		g.train(name+"/fixed", g.small, fixed)
	}
	for _, name := range []string{"batch", "warp"} {
		for _, threads := range []int{1, 3} {
			hdp := goldenOptions(name, 60, threads)
			hdp.Prior, hdp.Iterations = "hdp", 30
			g.train(fmt.Sprintf("%s/hdp/threads=%d", name, threads), g.small, hdp)
		}
	}
	held := goldenOptions("warp", 20, 2)
	held.Holdout, held.HoldoutSeed, held.Iterations, held.EvaluateEvery, held.Tolerance = 0.2, 3, 60, 2, 0.01
	g.train("warp/heldout;plateau", g.small, held)
	last := goldenOptions("batch", 20, 2)
	last.Holdout, last.HoldoutLast, last.UntilHeldout, last.EvaluateEvery = 0.2, true, -5.4, 1
	g.train("batch/heldout-last;until", g.small, last)
	auto := goldenOptions("auto", 20, 2)
	auto.BurnIn, auto.UntilLL, auto.EvaluateEvery = -1, -6, 1
	g.train("auto/until-ll", g.small, auto)
}

// goldenFiles trains from files in parts and slices of small size.
func goldenFiles(t *testing.T, c *corpus.Corpus, o topoi.Options) string {
	before := ondisk.Forced
	defer func() { ondisk.Forced = before }()
	ondisk.Forced = &ondisk.Budget{PartTokens: 17_000, SliceBytes: 300_000, Stage: 2000}
	o.Memory = 1 << 20
	m := mustTrain(t, c, o)
	defer m.Close()
	return goldenModel(m)
}

func (g *golden) files() {
	for _, name := range []string{"warp", "light"} {
		for _, threads := range []int{1, 3} {
			o := goldenOptions(name, 40, threads)
			g.train(fmt.Sprintf("%s/blocks/threads=%d", name, threads), g.blocks[name], o)
			g.add(fmt.Sprintf("%s/files/threads=%d", name, threads), func(t *testing.T) string { return goldenFiles(t, g.blocks[name], o) })
		}
		held := goldenOptions(name, 40, 2)
		held.Holdout, held.Tuning.MHSteps, held.Tuning.Rounds = 0.05, 3, 2
		g.train(name+"/blocks;heldout", g.blocks[name], held)
		g.add(name+"/files;heldout", func(t *testing.T) string { return goldenFiles(t, g.blocks[name], held) })
	}
}

func (g *golden) stale() {
	for _, name := range []string{"batch", "warp", "light"} {
		for _, staleness := range []int{1, 2} {
			o := goldenOptions(name, 40, staleness)
			o.Tuning = topoi.Tuning{Staleness: staleness, Parts: 3, Rounds: staleness, MiniBatches: staleness}
			g.train(fmt.Sprintf("%s/stale=%d", name, staleness), g.blocks[name], o)
		}
	}
}

// resumed are runs that go on from what a killed process would have left.
func (g *golden) resumed() {
	for _, name := range goldenSamplers() {
		g.add(name+"/killed", func(t *testing.T) string { return goldenKilled(t, g.small, goldenOptions(name, 20, 2), mustTrain) })
	}
	for _, name := range []string{"warp", "light"} {
		o := goldenOptions(name, 40, 2)
		g.add(name+"/files;killed", func(t *testing.T) string {
			return goldenKilled(t, g.blocks[name], o, func(t testing.TB, c *corpus.Corpus, o topoi.Options) *topoi.Model {
				before := ondisk.Forced
				defer func() { ondisk.Forced = before }()
				ondisk.Forced = &ondisk.Budget{PartTokens: 17_000, SliceBytes: 300_000, Stage: 2000}
				o.Memory = 1 << 20
				return mustTrain(t, c, o)
			})
		})
		stale := o
		stale.Tuning = topoi.Tuning{Staleness: 2, Parts: 3}
		g.add(name+"/stale;killed", func(t *testing.T) string { return goldenKilled(t, g.blocks[name], stale, mustTrain) })
	}
}

// goldenKilled trains, copies what is on the disk in the fifth iteration, and goes on
// from the copy.
func goldenKilled(t *testing.T, c *corpus.Corpus, o topoi.Options, train func(testing.TB, *corpus.Corpus, topoi.Options) *topoi.Model) string {
	t.Helper()
	before, after := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	o.Checkpoint, o.CheckpointEvery = filepath.Join(before, "checkpoint"), 4
	o.Events.Iteration = func(i topoi.IterationInfo) {
		if i.Iteration == 5 {
			mustBe(t, os.CopyFS(after, os.DirFS(before)))
		}
	}
	mustBe(t, train(t, c, o).Close())
	o.Checkpoint, o.Resume, o.Events = filepath.Join(after, "checkpoint"), true, topoi.Events{}
	m := train(t, c, o)
	defer m.Close()
	return goldenModel(m)
}

// inference is that of new documents by models of two sizes.
func (g *golden) inference() {
	docs := g.small
	infer := func(t *testing.T, k int, o topoi.InferOptions) string {
		m := mustTrain(t, g.small, goldenOptions("batch", k, 2))
		var all []any
		mustBe(t, m.Infer(t.Context(), docs, o, func(d *topoi.DocTopics) error {
			all = append(all, d.Doc, d.Tokens, fmt.Sprint(d.Topics))
			return nil
		}))
		return goldenPrint(all...)
	}
	for _, k := range []int{20, 200} {
		for _, set := range []string{"off", "avx2", "best"} {
			for _, threads := range []int{1, 3} {
				g.add(fmt.Sprintf("infer/K=%d/simd=%s/threads=%d", k, set, threads), func(t *testing.T) string {
					return instructions(set, func() string {
						return infer(t, k, topoi.InferOptions{Iterations: 10, BurnIn: 2, Seed: 5, Threads: threads, Device: "cpu"})
					})
				})
			}
		}
		g.add(fmt.Sprintf("infer/K=%d/gpu", k), func(t *testing.T) string {
			return g.onEmulator(t, func(func(int) (*device.Device, error)) string {
				return infer(t, k, topoi.InferOptions{Iterations: 10, BurnIn: 2, Seed: 5, Threads: 2, Device: "cuda"})
			})
		})
	}
}
