package registry

import (
	"fmt"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/batch"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

func init() { samplertest.Use(List()...) }

// variant is a sampler with the choices a test makes for it.
type variant struct {
	name   string
	tuning sampler.Tuning
}

func (v variant) String() string { return v.name + fmt.Sprintf("%+v", v.tuning) }

// variants lists every sampler of the registry with its defaults, and the
// samplers whose switches select other code.
func variants() []variant {
	var all []variant
	for _, info := range List() {
		all = append(all, variant{name: info.Name})
	}
	for i := range 8 {
		f := batch.Freshness{Doc: i&1 > 0, Word: i&2 > 0, Topic: i&4 > 0}
		all = append(all, variant{"batch", sampler.Tuning{Fresh: f.String(), MiniBatches: 3}})
	}
	return append(all, switched...)
}

// switched lists samplers away from their defaults.
var switched = []variant{
	{"alias", sampler.Tuning{AliasEvery: 1, MHSteps: 1}},
	{"light", sampler.Tuning{Proposal: "doc", MHSteps: 1}},
	{"light", sampler.Tuning{Proposal: "word", Rounds: 3}},
	{"light", sampler.Tuning{Rounds: 3, Staleness: 2, Parts: 3}},
	{"warp", sampler.Tuning{Staleness: 1, Parts: 4}},
	{"batch", sampler.Tuning{Staleness: 3, MiniBatches: 2}},
	{"warp", sampler.Tuning{MHSteps: 1}},
	{"warp", sampler.Tuning{MHSteps: 3}},
	{"batch", sampler.Tuning{Fresh: "word=immediate", OwnCount: "in"}},
	{"grid", sampler.Tuning{Partitions: 1}},
	{"grid", sampler.Tuning{Partitions: 3}},
	{"cvb", sampler.Tuning{Partitions: 1}},
	{"mean", sampler.Tuning{Uncollapsed: true}},
	{"mean", sampler.Tuning{Draw: "binary"}},
	{"mean", sampler.Tuning{Draw: "alias"}},
	{"mean", sampler.Tuning{Draw: "butterfly"}},
	{"mean", sampler.Tuning{Draw: "transposed"}},
	{"mean", sampler.Tuning{Precision: "float32"}},
	{"mean", sampler.Tuning{Precision: "float32", Draw: "butterfly", Uncollapsed: true}},
	{"cvb", sampler.Tuning{CVB: "zero"}},
	{"cvb", sampler.Tuning{CVB: "zero", Partitions: 3, ExactSweeps: 2}},
	{"cvb", sampler.Tuning{CVB: "zero", Partitions: 3, ExactSweeps: 2, Adapt: true}},
	{"cvb", sampler.Tuning{CVB: "zero", Partitions: 3, Step: 0.3}},
	{"cvb", sampler.Tuning{Step: 0.5, Partitions: 3}},
}

// guided tells whether a variant takes pseudo-counts.
func (v variant) guided(p *sampler.Problem) bool {
	own := *p
	own.Tuning = v.tuning
	info := samplertest.InfoOf(v.name)
	return info.Guided != nil && info.Guided(&own)
}

// forEach runs a test for every sampler variant and every shape.
func forEach(t *testing.T, test func(t *testing.T, v variant, p *sampler.Problem)) {
	for _, v := range variants() {
		for name, p := range samplertest.Problems() {
			p.Tuning = v.tuning
			t.Run(v.String()+"/"+name, func(t *testing.T) { test(t, v, p) })
			if name == "random" && v.guided(p) {
				t.Run(v.String()+"/pseudo-counts", func(t *testing.T) { test(t, v, samplertest.Guide(p, 3)) })
			}
		}
	}
}

func TestNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, info := range List() {
		if seen[info.Name] || info.Summary == "" || info.Cost == "" || info.Source == "" || info.MaxK < 1 {
			t.Errorf("bad entry %+v", info)
		}
		seen[info.Name] = true
	}
	if _, err := New("nosuch", samplertest.ProblemOf(1, 1)); err == nil {
		t.Error("an unknown name must be an error")
	}
}

func TestCountsFollowTopics(t *testing.T) {
	forEach(t, func(t *testing.T, v variant, p *sampler.Problem) {
		priors := samplertest.PriorsFor(p.K)
		s := samplertest.Start(t, v.name, p, nil, priors)
		samplertest.CheckCounts(t, p, s)
		for i := 1; i <= 4; i++ {
			samplertest.Sweep(t, s, i, i, priors)
			samplertest.CheckCounts(t, p, s)
		}
	})
}

func TestThreadsDoNotMatter(t *testing.T) {
	forEach(t, func(t *testing.T, v variant, p *sampler.Problem) {
		priors := samplertest.PriorsFor(p.K)
		var want []uint32
		for _, threads := range []int{1, 2, 3, 8} {
			p.Threads = threads
			s := samplertest.Start(t, v.name, p, nil, priors)
			samplertest.Sweep(t, s, 1, 4, priors)
			z := samplertest.TopicsOf(s, p)
			if want == nil {
				want = z
			}
			if !slices.Equal(z, want) {
				t.Fatalf("%d threads give another result than 1", threads)
			}
		}
	})
}

// A run stopped after any iteration and started again from its topics (and
// extra state, where a sampler has any) ends with the bytes of one that ran through.
func TestResume(t *testing.T) {
	const last = 5
	forEach(t, func(t *testing.T, v variant, p *sampler.Problem) {
		priors := samplertest.PriorsFor(p.K)
		whole := samplertest.Start(t, v.name, p, nil, priors)
		samplertest.Sweep(t, whole, 1, last, priors)
		want := samplertest.TopicsOf(whole, p)
		for stop := range last {
			first := samplertest.Start(t, v.name, p, nil, priors)
			samplertest.Sweep(t, first, 1, stop, priors)
			second := samplertest.Start(t, v.name, p, samplertest.TopicsOf(first, p), priors)
			passExtra(t, first, second)
			samplertest.CheckCounts(t, p, second)
			samplertest.Sweep(t, second, stop+1, last, priors)
			if !slices.Equal(samplertest.TopicsOf(second, p), want) {
				t.Fatalf("stopping after iteration %d changes the result", stop)
			}
		}
	})
}

func passExtra(t *testing.T, from, to sampler.Sampler) {
	t.Helper()
	if can := from.Capabilities(); can.SaveExtra != nil {
		if err := to.Capabilities().LoadExtra(can.SaveExtra()); err != nil {
			t.Fatal(err)
		}
	}
}

// Given topics must be taken as they are.
func TestStartKeepsGivenTopics(t *testing.T) {
	forEach(t, func(t *testing.T, v variant, p *sampler.Problem) {
		z := make([]uint32, p.N())
		for i := range z {
			z[i] = uint32(i*i+i/3) % uint32(p.K)
		}
		s := samplertest.Start(t, v.name, p, z, samplertest.PriorsFor(p.K))
		if !slices.Equal(samplertest.TopicsOf(s, p), z) {
			t.Fatal("topics changed by Start")
		}
	})
}

// Different seeds must give different runs.
func TestSeedMatters(t *testing.T) {
	for _, v := range variants() {
		t.Run(v.String(), func(t *testing.T) {
			var runs [2][]uint32
			for seed := range runs {
				p := samplertest.RandomProblem(1, 40, 30, 7, 25)
				p.Tuning, p.Seed = v.tuning, uint64(seed)
				s := samplertest.Start(t, v.name, p, nil, samplertest.PriorsFor(p.K))
				samplertest.Sweep(t, s, 1, 3, samplertest.PriorsFor(p.K))
				runs[seed] = samplertest.TopicsOf(s, p)
			}
			if slices.Equal(runs[0], runs[1]) {
				t.Fatal("two seeds, one result")
			}
		})
	}
}

// Where the device is not chosen by the user, only a GPU that gives the same bytes, and
// that has enough to do, may be taken.
func TestWorthGPU(t *testing.T) {
	p := samplertest.ProblemOf(1, 1)
	for name, want := range map[string]bool{"batch": true, "warp": true, "mean": true, "panel": false, "grid": false, "gibbs": false} {
		if info, _ := Find(name); info.WorthGPU(p) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	p.Tuning.Partitions = 128
	if info, _ := Find("grid"); !info.WorthGPU(p) {
		t.Error("grid with 128 tiles at once is not worth a GPU")
	}
}
