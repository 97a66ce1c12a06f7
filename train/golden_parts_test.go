package train

import (
	"fmt"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

// problemOf returns the input of a sampler for a corpus.
func problemOf(c *corpus.Corpus, k int, tuning topoi.Tuning) *sampler.Problem {
	return &sampler.Problem{Offsets: c.Offsets(), Words: c.Tokens(), V: c.NumWords(), K: k, Seed: 11, Threads: 2, Tuning: sampler.Tuning(tuning)}
}

// priorsOf are priors that differ from topic to topic.
func priorsOf(k int) *sampler.Priors {
	priors := &sampler.Priors{Alpha: make([]float64, k), Beta: 0.05}
	for i := range priors.Alpha {
		priors.Alpha[i] = 0.05 + 0.01*float64(i%7)
	}
	return priors
}

// parts are runs of which each part is sampled against counts that are kept elsewhere,
// and the same runs as a whole.
func (g *golden) parts() {
	for _, name := range []string{"batch", "warp", "light"} {
		g.add(name+"/whole", func(t *testing.T) string {
			p, priors := problemOf(g.blocks[name], 20, topoi.Tuning{}), priorsOf(20)
			s, err := registry.New(name, p)
			mustBe(t, err)
			mustBe(t, s.Start(nil, priors))
			for i := 1; i <= 3; i++ {
				mustBe(t, s.Sweep(t.Context(), i, priors))
			}
			z := make([]uint32, p.N())
			s.Topics(z)
			return goldenPrint(z)
		})
		for _, n := range []int{1, 3} {
			g.add(fmt.Sprintf("%s/parts=%d", name, n), func(t *testing.T) string {
				return goldenParts(t, name, problemOf(g.blocks[name], 20, topoi.Tuning{}), n, 3, nil)
			})
		}
	}
}

func mustBe(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// goldenParts runs a problem cut into n parts for some iterations, on a device unless
// it is nil, and gives the fingerprint of its topics.
func goldenParts(t *testing.T, name string, p *sampler.Problem, n, iterations int, d *device.Device) string {
	t.Helper()
	priors := priorsOf(p.K)
	info, _ := registry.Find(name)
	plan, err := sampler.PlanFor(info, p)
	mustBe(t, err)
	if d != nil {
		mustBe(t, plan.PlaceOn(d))
		defer func() { mustBe(t, plan.PlaceHere()) }()
	}
	model := goldenCounts{counts.NewTable(p.K, counts.Frequencies(p.Words, p.V)), make([]uint64, p.K)}
	var parts []*sampler.Part
	z := make([]uint32, p.N())
	for _, s := range plan.Cut(n) {
		part, err := plan.NewPart(s, p.Words[s.Begin:s.End])
		mustBe(t, err)
		mustBe(t, part.Start(nil, priors))
		part.Topics(z[s.Begin:s.End])
		parts = append(parts, part)
	}
	for i, w := range p.Words {
		model.add(w, []counts.Change{{Topic: z[i], Delta: 1}})
	}
	for i := 1; i <= iterations; i++ {
		for r := range plan.Rounds(i) {
			model.round(t, plan, parts, sampler.Step{Iteration: i, Round: r}, priors)
		}
	}
	for _, part := range parts {
		part.Topics(z[part.Span().Begin:part.Span().End])
	}
	return goldenPrint(z)
}

// goldenCounts are the counts that parts are sampled against.
type goldenCounts struct {
	*counts.Table
	nk []uint64
}

func (m goldenCounts) add(w uint32, changes []counts.Change) {
	for _, c := range changes {
		m.Add(int(w), int(c.Topic), c.Delta)
		m.nk[c.Topic] += uint64(int64(c.Delta))
	}
}

// round runs a round of all parts that have something in it.
func (m goldenCounts) round(t *testing.T, plan *sampler.Plan, parts []*sampler.Part, at sampler.Step, priors *sampler.Priors) {
	t.Helper()
	parts = slices.DeleteFunc(slices.Clone(parts), func(p *sampler.Part) bool { return !plan.Takes(p.Span(), at) })
	for _, part := range parts {
		mustBe(t, part.Round(t.Context(), at, &sampler.Frozen{Totals: m.nk, Rows: m}, priors))
	}
	for _, part := range parts {
		part.Changes(0, len(part.Words()), m.add)
	}
}
