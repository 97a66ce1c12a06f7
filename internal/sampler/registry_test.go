package sampler

import (
	"fmt"
	"slices"
	"testing"
)

// variant is a sampler with the choices a test makes for it.
type variant struct {
	name   string
	tuning Tuning
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
		f := Freshness{Doc: i&1 > 0, Word: i&2 > 0, Topic: i&4 > 0}
		all = append(all, variant{"batch", Tuning{Fresh: f.String(), MiniBatches: 3}})
	}
	return append(all, switched...)
}

// switched lists samplers away from their defaults.
var switched = []variant{
	{"alias", Tuning{AliasEvery: 1, MHSteps: 1}},
	{"light", Tuning{Proposal: "doc", MHSteps: 1}},
	{"light", Tuning{Proposal: "word", Rounds: 3}},
	{"light", Tuning{Rounds: 3, Staleness: 2, Parts: 3}},
	{"warp", Tuning{Staleness: 1, Parts: 4}},
	{"batch", Tuning{Staleness: 3, MiniBatches: 2}},
	{"warp", Tuning{MHSteps: 1}},
	{"warp", Tuning{MHSteps: 3}},
	{"batch", Tuning{Fresh: "word=immediate", OwnCount: "in"}},
	{"grid", Tuning{Partitions: 1}},
	{"grid", Tuning{Partitions: 3}},
	{"cvb", Tuning{Partitions: 1}},
	{"mean", Tuning{Uncollapsed: true}},
	{"mean", Tuning{Draw: "binary"}},
	{"mean", Tuning{Draw: "alias"}},
	{"mean", Tuning{Draw: "fenwick"}},
	{"mean", Tuning{Draw: "butterfly"}},
	{"mean", Tuning{Draw: "transposed"}},
	{"mean", Tuning{Precision: "float32"}},
	{"mean", Tuning{Precision: "float32", Draw: "butterfly", Uncollapsed: true}},
	{"cvb", Tuning{CVB: "zero"}},
	{"cvb", Tuning{CVB: "zero", Partitions: 3, ExactSweeps: 2}},
	{"cvb", Tuning{CVB: "zero", Partitions: 3, Step: 0.3}},
	{"cvb", Tuning{Step: 0.5, Partitions: 3}},
}

// problems are the shapes that every sampler must survive.
func problems() map[string]*Problem {
	return map[string]*Problem{
		"random":          randomProblem(1, 40, 30, 7, 25),
		"more topics":     randomProblem(2, 10, 5, 70, 9),
		"one topic":       randomProblem(3, 10, 5, 1, 9),
		"one word":        randomProblem(4, 10, 1, 4, 9),
		"one-token docs":  problemOf(3, 4, []uint32{0}, []uint32{1}, []uint32{2}, []uint32{0}),
		"empty documents": problemOf(3, 4, nil, []uint32{1, 2}, nil, nil, []uint32{0}, nil),
		"nothing at all":  problemOf(3, 4, nil, nil),
		"no documents":    problemOf(3, 4),
		"one document":    problemOf(9, 3, []uint32{8, 0, 1, 8, 8, 2, 8, 3, 8, 4, 8}),
	}
}

// forEach runs a test for every sampler variant and every shape.
func forEach(t *testing.T, test func(t *testing.T, v variant, p *Problem)) {
	for _, v := range variants() {
		for name, p := range problems() {
			p.Tuning = v.tuning
			t.Run(v.String()+"/"+name, func(t *testing.T) { test(t, v, p) })
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
	if _, err := New("nosuch", problemOf(1, 1)); err == nil {
		t.Error("an unknown name must be an error")
	}
}

func TestCountsFollowTopics(t *testing.T) {
	forEach(t, func(t *testing.T, v variant, p *Problem) {
		priors := priorsFor(p.K)
		s := start(t, v.name, p, nil, priors)
		checkCounts(t, p, s)
		for i := 1; i <= 4; i++ {
			sweep(t, s, i, i, priors)
			checkCounts(t, p, s)
		}
	})
}

func TestThreadsDoNotMatter(t *testing.T) {
	forEach(t, func(t *testing.T, v variant, p *Problem) {
		priors := priorsFor(p.K)
		var want []uint32
		for _, threads := range []int{1, 2, 3, 8} {
			p.Threads = threads
			s := start(t, v.name, p, nil, priors)
			sweep(t, s, 1, 4, priors)
			z := topicsOf(s, p)
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
	forEach(t, func(t *testing.T, v variant, p *Problem) {
		priors := priorsFor(p.K)
		whole := start(t, v.name, p, nil, priors)
		sweep(t, whole, 1, last, priors)
		want := topicsOf(whole, p)
		for stop := range last {
			first := start(t, v.name, p, nil, priors)
			sweep(t, first, 1, stop, priors)
			second := start(t, v.name, p, topicsOf(first, p), priors)
			passExtra(t, first, second)
			checkCounts(t, p, second)
			sweep(t, second, stop+1, last, priors)
			if !slices.Equal(topicsOf(second, p), want) {
				t.Fatalf("stopping after iteration %d changes the result", stop)
			}
		}
	})
}

func passExtra(t *testing.T, from, to Sampler) {
	t.Helper()
	if extra, ok := from.(Extra); ok {
		if err := to.(Extra).LoadExtra(extra.SaveExtra()); err != nil {
			t.Fatal(err)
		}
	}
}

// Given topics must be taken as they are.
func TestStartKeepsGivenTopics(t *testing.T) {
	forEach(t, func(t *testing.T, v variant, p *Problem) {
		z := make([]uint32, p.N())
		for i := range z {
			z[i] = uint32(i*i+i/3) % uint32(p.K)
		}
		s := start(t, v.name, p, z, priorsFor(p.K))
		if !slices.Equal(topicsOf(s, p), z) {
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
				p := randomProblem(1, 40, 30, 7, 25)
				p.Tuning, p.Seed = v.tuning, uint64(seed)
				s := start(t, v.name, p, nil, priorsFor(p.K))
				sweep(t, s, 1, 3, priorsFor(p.K))
				runs[seed] = topicsOf(s, p)
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
	p := problemOf(1, 1)
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
