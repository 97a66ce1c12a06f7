package registry

import (
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// grouped lists what samplers say to be exact that know groups of documents.
func grouped(t *testing.T) []variant {
	var list []variant
	for _, v := range exact() {
		if samplertest.InfoOf(v.name).Grouped {
			list = append(list, v)
		}
	}
	if len(list) < 2 {
		t.Errorf("only %d exact samplers know groups", len(list))
	}
	return list
}

// inGroups puts documents into three groups: one of all topics, one that must not have topic 1, and one of topic 0
// alone.
func inGroups(p *sampler.Problem, groups ...uint32) (*sampler.Problem, *sampler.Priors) {
	p.Groups = groups
	priors := samplertest.PriorsFor(p.K)
	priors.Groups = []sampler.Group{
		{Topics: []uint32{0, 1, 2}, Alpha: []float64{0.2, 1.9, 0.4}},
		{Topics: []uint32{0, 2}, Alpha: []float64{1.5, 0.3}},
		{Topics: []uint32{0}, Alpha: []float64{1}},
	}
	return p, priors
}

// groupMutations are ways in which a wrong sampler may misread groups.
var groupMutations = map[string]mutation{
	"α exchanged": func(p *sampler.Problem, priors *sampler.Priors) (*sampler.Problem, *sampler.Priors) {
		own := *priors
		own.Groups = slices.Clone(priors.Groups)
		for i, g := range own.Groups {
			own.Groups[i].Alpha = slices.Clone(g.Alpha)
			slices.Reverse(own.Groups[i].Alpha)
		}
		return p, &own
	},
	"documents one on": func(p *sampler.Problem, priors *sampler.Priors) (*sampler.Problem, *sampler.Priors) {
		own := *p
		own.Groups = slices.Clone(p.Groups)
		for d, g := range p.Groups { // those of one topic stay: all others begin with topics that all may have
			if own.Groups[d] = g; g < 2 {
				own.Groups[d] = 1 - g
			}
		}
		return &own, priors
	},
}

// groupFrequencies is the misfit of the states that a sampler comes by in a problem with groups.
func groupFrequencies(t *testing.T, v variant, mutate mutation) float64 {
	t.Helper()
	p, priors := inGroups(samplertest.ProblemOf(2, 3, []uint32{0, 1}, []uint32{0, 1, 1}, []uint32{1}, []uint32{0}), 0, 1, 2, 0)
	p.Tuning, p.Seed = v.tuning, 42
	posterior := samplertest.Enumerate(p, priors)
	observed := make([]int, len(posterior.Q))
	taken, wrong := mutate(p, priors)
	s := samplertest.Start(t, v.name, taken, make([]uint32, p.N()), wrong)
	for i := range samples {
		samplertest.Sweep(t, s, i*thin+1, (i+1)*thin, wrong)
		state := posterior.State(samplertest.TopicsOf(s, p))
		if observed[state]++; posterior.Q[state] == 0 && &taken.Groups[0] == &p.Groups[0] {
			t.Fatalf("topics %v are impossible", posterior.Topics(state))
		}
	}
	return samplertest.ChiSquare(observed, posterior.Q)
}

// With groups the long-run frequency of every state is its posterior probability, for every sampler that is exact.
func TestStateFrequenciesInGroups(t *testing.T) {
	for _, v := range grouped(t) {
		t.Run(v.String(), func(t *testing.T) {
			if x := groupFrequencies(t, v, none); x > 4 {
				t.Errorf("chi-square lies %.1f standard deviations above its mean", x)
			}
			for name, mutate := range groupMutations {
				if x := groupFrequencies(t, v, mutate); x < 40 {
					t.Errorf("%s: chi-square lies only %.1f standard deviations above its mean", name, x)
				}
			}
		})
	}
}

// Geweke's test with groups.
func TestGewekeInGroups(t *testing.T) {
	for _, v := range grouped(t) {
		t.Run(v.String(), func(t *testing.T) {
			p, priors := inGroups(gewekeProblem(), 0, 1, 2, 0)
			if z := gewekeOf(t, v, p, priors, none); z > 4 {
				t.Errorf("largest z-score is %.1f", z)
			}
			p, priors = inGroups(gewekeProblem(), 0, 1, 2, 0)
			if z := gewekeOf(t, v, p, priors, groupMutations["α exchanged"]); z < 6 {
				t.Errorf("α exchanged: largest z-score is only %.1f", z)
			}
		})
	}
}

// A sweep of batch draws the topic of a document of one token with the probabilities that its group, the words of
// others and n_k before the sweep give it:
//
//	p(z = k) ∝ α_gk (n_wk + β) / (n_k + Vβ)
func TestBatchDrawsInGroups(t *testing.T) {
	for _, own := range []string{"", "in"} {
		p, priors := inGroups(samplertest.ProblemOf(2, 3, []uint32{0}, []uint32{0}, []uint32{1}, []uint32{1}), 0, 1, 2, 0)
		p.Tuning = sampler.Tuning{MiniBatches: 1, OwnCount: own}
		first := []uint32{1, 2, 0, 0}
		c := samplertest.RecountOf(p, first)
		const sweeps = 20_000
		observed := make([][]int, p.D())
		for d := range observed {
			observed[d] = make([]int, p.K)
		}
		for i := range sweeps {
			s := samplertest.Start(t, "batch", p, first, priors)
			samplertest.Sweep(t, s, i+1, i+1, priors)
			for d, k := range samplertest.TopicsOf(s, p) {
				observed[d][k]++
			}
		}
		for d, seen := range observed {
			q, sum := make([]float64, p.K), 0.0
			for k, a := range p.AlphaOf(make([]float64, p.K), d, priors) {
				row, doc := float64(c.Nwk[p.Words[d]][k]), 0.0
				if uint32(k) == first[d] && own == "" {
					row--
				} else if uint32(k) == first[d] {
					doc = 1
				}
				if a > 0 {
					q[k] = (doc + a) * (row + priors.Beta) / (float64(c.Nk[k]) + float64(p.V)*priors.Beta)
				}
				sum += q[k]
			}
			for k, n := range seen {
				if want := q[k] / sum * sweeps; (float64(n)-want)*(float64(n)-want) > 25*max(want*(1-want/sweeps), 0) {
					t.Errorf("own count %q, document %d has topic %d %d times, want %.0f", own, d, k, n, want)
				}
			}
		}
	}
}

// manyGroups puts documents into groups at random: every third group has few topics.
func manyGroups(p *sampler.Problem, groups int) *sampler.Priors {
	r := rand.New(rand.NewPCG(9, 9))
	priors := samplertest.PriorsFor(p.K)
	for g := range groups {
		var list sampler.Group
		for k := range p.K {
			if g%3 != 2 || k == g%p.K || r.IntN(4) == 0 {
				list.Topics, list.Alpha = append(list.Topics, uint32(k)), append(list.Alpha, 0.05+r.Float64())
			}
		}
		priors.Groups = append(priors.Groups, list)
	}
	for range p.D() {
		p.Groups = append(p.Groups, uint32(r.IntN(groups)))
	}
	return priors
}

// The topics of batch depend neither on threads, nor on how a corpus is cut into parts, nor on where a run is
// resumed; and no document gets a topic that it must not have.
func TestBatchInGroups(t *testing.T) {
	for _, k := range []int{3, 33, 200} {
		p := samplertest.RandomProblem(5, 300, 60, k, 60)
		p.Tuning.MiniBatches = 3
		priors := manyGroups(p, 7)
		begin := sampler.StartInGroups(p, 0, p.D(), priors.Groups)
		one := samplertest.Start(t, "batch", p, begin, priors)
		samplertest.Sweep(t, one, 1, 2, priors)
		middle := samplertest.TopicsOf(one, p)
		samplertest.Sweep(t, one, 3, 4, priors)
		want := samplertest.TopicsOf(one, p)
		for d := range p.D() {
			for i := p.Offsets[d]; i < p.Offsets[d+1]; i++ {
				if !slices.Contains(priors.Groups[p.Groups[d]].Topics, want[i]) {
					t.Fatalf("K = %d: document %d must not have topic %d", k, d, want[i])
				}
			}
		}
		many := *p
		many.Threads = 5
		other := samplertest.Start(t, "batch", &many, middle, priors)
		samplertest.Sweep(t, other, 3, 4, priors)
		if !slices.Equal(samplertest.TopicsOf(other, p), want) {
			t.Errorf("K = %d: five threads, or resuming, change the topics", k)
		}
		plan, err := sampler.PlanFor(samplertest.InfoOf("batch"), p)
		samplertest.MustDo(t, err)
		parts := partsOf(t, plan, plan.Cut(3), begin, priors)
		model := countAll(p, begin)
		for i := 1; i <= 4; i++ {
			roundsOf(t, plan, parts, model, i, priors)
		}
		if len(parts) < 2 || !slices.Equal(joined(p, parts), want) {
			t.Errorf("K = %d: %d parts change the topics", k, len(parts))
		}
	}
}

// Groups that all have the α of the corpus change nothing.
func TestEqualGroupsAreNone(t *testing.T) {
	for _, k := range []int{3, 100} {
		p := samplertest.RandomProblem(5, 200, 60, k, 60)
		priors := samplertest.PriorsFor(k)
		begin := samplertest.SomeTopics(p)
		plain := samplertest.Start(t, "batch", p, begin, priors)
		samplertest.Sweep(t, plain, 1, 3, priors)
		want := samplertest.TopicsOf(plain, p)
		equal := *p
		same := *priors
		for _, g := range manyGroups(&equal, 5).Groups {
			g.Topics = g.Topics[:0]
			for topic := range k {
				g.Topics = append(g.Topics, uint32(topic))
			}
			same.Groups = append(same.Groups, sampler.Group{Topics: g.Topics, Alpha: priors.Alpha})
		}
		s := samplertest.Start(t, "batch", &equal, begin, &same)
		samplertest.Sweep(t, s, 1, 3, &same)
		if !slices.Equal(samplertest.TopicsOf(s, p), want) {
			t.Errorf("K = %d: groups with equal α change the topics", k)
		}
	}
}

// A GPU refuses groups of few topics in a sentence, and "auto" does not look for one. Samplers without groups refuse
// all.
func TestGroupsStayOnTheCPU(t *testing.T) {
	p := samplertest.RandomProblem(5, 20, 6, 3, 6)
	manyGroups(p, 2)
	p.Few = true
	for _, info := range List() {
		if info.NewOn == nil {
			continue
		}
		all := *p
		all.Few = false
		if info.WorthGPU(p) || info.WorthGPU(&all) != info.Grouped {
			t.Errorf("%s: a GPU is worth it", info.Name)
		}
		if _, err := info.On(p, nil); err == nil {
			t.Errorf("%s: a GPU takes groups of few topics", info.Name)
		}
		if info.Grouped {
			continue
		}
		if _, err := info.On(&all, nil); err == nil {
			t.Errorf("%s: a GPU takes groups", info.Name)
		}
	}
}

// Documents of few topics get the topics that a plain computation of the definition gives them, token by token.
func TestFewTopicsByDefinition(t *testing.T) {
	p := samplertest.RandomProblem(5, 60, 30, 12, 40)
	p.Tuning.MiniBatches = 1
	priors := manyGroups(p, 6)
	begin := sampler.StartInGroups(p, 0, p.D(), priors.Groups)
	s := samplertest.Start(t, "batch", p, begin, priors)
	samplertest.Sweep(t, s, 1, 1, priors)
	got, c, few := samplertest.TopicsOf(s, p), samplertest.RecountOf(p, begin), 0
	random := sampler.Draws{Key: rng.NewKey(p.Seed), Iteration: 1, Purpose: sampler.ForDraw}
	g := grid.New(p.Offsets, p.Words, p.V, samplertest.InfoOf("batch").Cutting.Limits(p))
	at := grid.NewWalker(p.V).Positions(nil, g, g.Blocks[0], p.Words) // of tokens: there is one block
	for d := range p.D() {
		group := priors.Groups[p.Groups[d]]
		var tokens []uint64 // in the order of the grid
		for i := p.Offsets[d]; i < p.Offsets[d+1] && len(group.Topics) < p.K; i++ {
			tokens = append(tokens, i)
		}
		slices.SortFunc(tokens, func(i, j uint64) int { return int(at[i]) - int(at[j]) })
		for _, i := range tokens {
			few++
			c.Ndk[d][begin[i]]--
			sum, sums := 0.0, []float64(nil)
			for j, k := range group.Topics {
				n := float64(c.Nwk[p.Words[i]][k])
				if k == begin[i] {
					n--
				}
				inv := float64(float32(1 / (float64(c.Nk[k]) + float64(p.V)*priors.Beta)))
				sum += (float64(c.Ndk[d][k]) + group.Alpha[j]) * inv * (n + priors.Beta)
				sums = append(sums, sum)
			}
			u := float64(rng.Float32(random.Word(uint64(at[i]))))
			j := min(sort.Search(len(sums), func(j int) bool { return sums[j] > u*sum }), len(sums)-1)
			if want := group.Topics[j]; got[i] != want {
				t.Fatalf("token %d of document %d has topic %d, want %d", i, d, got[i], want)
			}
			c.Ndk[d][got[i]]++
		}
	}
	if few < 200 {
		t.Errorf("only %d tokens of few topics", few)
	}
}
