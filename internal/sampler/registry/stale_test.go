package registry

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// plainStale is the definition of stale with nothing clever: every version of
// all topics is kept, and a part's counts are counted anew.
type plainStale struct {
	t        testing.TB
	p        *sampler.Problem
	plan     *sampler.Plan
	parts    []*sampler.Part
	versions [][]uint32 // z after each round, the first at the start
}

func (s *plainStale) sweep(iteration int, priors *sampler.Priors) {
	for r := range s.plan.Rounds(iteration) {
		now := s.versions[len(s.versions)-1]
		seen := s.versions[max(0, len(s.versions)-1-s.p.Tuning.Staleness)]
		for _, part := range s.parts {
			at, span := sampler.Step{Iteration: iteration, Round: r}, part.Span()
			if !s.plan.Takes(span, at) {
				continue
			}
			z := slices.Clone(seen)
			copy(z[span.Begin:span.End], now[span.Begin:])
			samplertest.MustDo(s.t, part.Round(s.t.Context(), at, countAll(s.p, z).frozen(), priors))
		}
		s.versions = append(s.versions, joined(s.p, s.parts))
	}
}

func TestStaleFollowsItsDefinition(t *testing.T) {
	smallBlocks(t, 3)
	rapid.Check(t, func(rt *rapid.T) {
		c := randomPartCase(rapid.Uint64Range(0, 1<<40).Draw(rt, "seed"))
		if c.p.K = min(c.p.K, 1000); c.p.Pseudo != nil {
			c.p = samplertest.Guide(c.p, 1)
		}
		c.p.Tuning.Staleness = rapid.IntRange(0, 4).Draw(rt, "staleness")
		c.p.Tuning.Parts = rapid.IntRange(1, 6).Draw(rt, "parts")
		s, err := sampler.NewStale(samplertest.InfoOf(c.name), c.p)
		samplertest.MustDo(t, err)
		priors := samplertest.SymmetricPriors(c.p.K)
		samplertest.MustDo(t, s.Start(nil, priors))
		plan, err := sampler.PlanFor(samplertest.InfoOf(c.name), c.p)
		samplertest.MustDo(t, err)
		plain := &plainStale{t: t, p: c.p, plan: plan, parts: partsOf(t, plan, plan.Cut(c.p.Tuning.Parts), nil, priors)}
		plain.versions = append(plain.versions, joined(c.p, plain.parts))
		whole := samplertest.Start(t, c.name, withoutStaleness(c.p), nil, priors)
		for i := 1; i <= 4; i++ {
			samplertest.Sweep(t, s, i, i, priors)
			samplertest.Sweep(t, whole, i, i, priors)
			plain.sweep(i, priors)
			z := samplertest.TopicsOf(s, c.p)
			if !slices.Equal(z, joined(c.p, plain.parts)) {
				rt.Fatalf("%v: iteration %d does not follow the definition", c, i)
			}
			if c.p.Tuning.Staleness == 0 && !slices.Equal(z, samplertest.TopicsOf(whole, c.p)) {
				rt.Fatalf("%v: without staleness iteration %d is another than the sampler's", c, i)
			}
		}
	})
}

func withoutStaleness(p *sampler.Problem) *sampler.Problem {
	q := *p
	q.Tuning.Staleness, q.Tuning.Parts = 0, 0
	return &q
}

// staleVariants have several parts on the problems below.
var staleVariants = []variant{
	{"warp", sampler.Tuning{Staleness: 1, Parts: 4}},
	{"warp", sampler.Tuning{Staleness: 3, Parts: 2, MHSteps: 1}},
	{"light", sampler.Tuning{Staleness: 2, Parts: 5, Rounds: 3}},
	{"batch", sampler.Tuning{Staleness: 1, Parts: 3, MiniBatches: 1}},
}

// staleProblem has several blocks for each of them.
func staleProblem(v variant) *sampler.Problem {
	p := samplertest.RandomProblem(7, 180, 40, 3000, 60)
	p.Tuning, p.Threads = v.tuning, 2
	return p
}

func TestStaleResumes(t *testing.T) {
	smallBlocks(t, 5)
	for _, v := range staleVariants {
		p := staleProblem(v)
		priors := samplertest.PriorsFor(p.K)
		whole := samplertest.Start(t, v.name, p, nil, priors)
		if n := len(whole.(*sampler.Stale).Parts); n < 2 {
			t.Fatalf("%v: %d parts", v, n)
		}
		samplertest.Sweep(t, whole, 1, 5, priors)
		for stop := range 5 {
			first := samplertest.Start(t, v.name, p, nil, priors)
			samplertest.Sweep(t, first, 1, stop, priors)
			second := samplertest.Start(t, v.name, p, samplertest.TopicsOf(first, p), priors)
			passExtra(t, first, second)
			samplertest.CheckCounts(t, p, second)
			samplertest.Sweep(t, second, stop+1, 5, priors)
			if !slices.Equal(samplertest.TopicsOf(second, p), samplertest.TopicsOf(whole, p)) {
				t.Errorf("%v: stopping after iteration %d changes the result", v, stop)
			}
		}
	}
}

// Staleness, and the cut into parts with it, change the result: otherwise the
// tests above compare nothing.
func TestStalenessMatters(t *testing.T) {
	smallBlocks(t, 5)
	for _, v := range staleVariants {
		p := staleProblem(v)
		priors := samplertest.PriorsFor(p.K)
		seen := map[string]bool{}
		for _, tuning := range []func(*sampler.Tuning){
			func(t *sampler.Tuning) { t.Staleness = 0 },
			func(t *sampler.Tuning) { t.Staleness = 1 },
			func(t *sampler.Tuning) { t.Staleness = 2 },
			func(t *sampler.Tuning) { t.Staleness, t.Parts = 2, 8 },
		} {
			tuning(&p.Tuning)
			s := samplertest.Start(t, v.name, p, nil, priors)
			samplertest.Sweep(t, s, 1, 4, priors)
			var text strings.Builder
			for _, k := range samplertest.TopicsOf(s, p) {
				text.WriteRune(rune(k))
			}
			if seen[text.String()] {
				t.Errorf("%v: %+v gives what another choice gave", v, p.Tuning)
			}
			seen[text.String()] = true
		}
	}
}

func TestStaleRefusesOtherExtras(t *testing.T) {
	smallBlocks(t, 5)
	v := staleVariants[0]
	p := staleProblem(v)
	s := samplertest.Start(t, v.name, p, nil, samplertest.PriorsFor(p.K)).(*sampler.Stale)
	samplertest.Sweep(t, s, 1, 2, samplertest.PriorsFor(p.K))
	extra, z := s.SaveExtra(), samplertest.TopicsOf(s, p)
	for name, bad := range map[string][]byte{
		"none":        nil,
		"cut short":   extra[:len(extra)-1],
		"longer":      append(slices.Clone(extra), 0),
		"more rounds": append([]byte{9}, extra[1:]...),
		"altered":     append(slices.Clone(extra[:len(extra)-9]), append([]byte{extra[len(extra)-9] ^ 1}, extra[len(extra)-8:]...)...),
	} {
		other := samplertest.Start(t, v.name, p, z, samplertest.PriorsFor(p.K)).(*sampler.Stale)
		if err := other.LoadExtra(bad); !errors.Is(err, sampler.ErrExtra) {
			t.Errorf("%s: %v", name, err)
		}
	}
	other := samplertest.Start(t, v.name, p, make([]uint32, p.N()), samplertest.PriorsFor(p.K)).(*sampler.Stale)
	if err := other.LoadExtra(extra); !errors.Is(err, sampler.ErrExtra) {
		t.Errorf("changes of other topics: %v", err)
	}
}

// Samplers that cannot work on parts say so.
func TestStaleRefuses(t *testing.T) {
	p := samplertest.RandomProblem(1, 3, 3, 3, 3)
	p.Tuning.Staleness = 1
	if _, err := New("gibbs", p); err == nil || !strings.Contains(err.Error(), "choose batch, warp or light") {
		t.Error(err)
	}
	if _, err := samplertest.InfoOf("warp").On(p, nil); !errors.Is(err, sampler.ErrNotOnDevice) {
		t.Error(err)
	}
}

func TestChangesOfNothing(t *testing.T) {
	p := samplertest.RandomProblem(1, 30, 3, 3, 3)
	plan, err := sampler.PlanFor(samplertest.InfoOf("warp"), p)
	samplertest.MustDo(t, err)
	part := partsOf(t, plan, plan.Cut(1), nil, samplertest.PriorsFor(p.K))[0]
	sampler.ChangesOf(part, 2).Each(func(w uint32, changes []counts.Change) { t.Errorf("word %d changed without a round", w) })
}
