package registry

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/light"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
	"github.com/topoi-lda/topoi/internal/sampler/warp"
)

// smallBlocks makes the blocks of warp and light small, so that small problems
// have many.
func smallBlocks(t testing.TB, docs int) {
	warpBlocks, lightBlocks := warp.BlockLimits, light.BlockLimits
	t.Cleanup(func() { warp.BlockLimits, light.BlockLimits = warpBlocks, lightBlocks })
	warp.BlockLimits.Docs, light.BlockLimits.Docs = docs, docs
}

// denseCounts is Frozen counts as plain as can be.
type denseCounts struct {
	nwk [][]int
	nk  []uint64
}

func (c *denseCounts) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	for k, n := range c.nwk[w] {
		if n > 0 {
			dst = append(dst, counts.Entry{Topic: uint32(k), Count: uint32(n)})
		}
	}
	return dst
}

func (c *denseCounts) frozen() *sampler.Frozen { return &sampler.Frozen{Totals: c.nk, Rows: c} }

// add adds a part's changes.
func (c *denseCounts) add(w uint32, changes []counts.Change) {
	for _, x := range changes {
		c.nwk[w][x.Topic] += int(x.Delta)
		c.nk[x.Topic] += uint64(int64(x.Delta))
	}
}

func countAll(p *sampler.Problem, z []uint32) *denseCounts {
	c := samplertest.RecountOf(p, z)
	all := &denseCounts{nwk: c.Nwk, nk: make([]uint64, p.K)}
	for k, n := range c.Nk {
		all.nk[k] = uint64(n)
	}
	return all
}

// partsOf makes all parts of a cut and starts them.
func partsOf(t testing.TB, plan *sampler.Plan, spans []sampler.Span, z []uint32, priors *sampler.Priors) []*sampler.Part {
	t.Helper()
	var parts []*sampler.Part
	for _, s := range spans {
		part, err := plan.NewPart(s, plan.P.Words[s.Begin:s.End])
		samplertest.MustDo(t, err)
		var own []uint32
		if z != nil {
			own = z[s.Begin:s.End]
		}
		samplertest.MustDo(t, part.Start(own, priors))
		parts = append(parts, part)
	}
	return parts
}

// joined returns the topics of all parts.
func joined(p *sampler.Problem, parts []*sampler.Part) []uint32 {
	z := make([]uint32, p.N())
	for _, part := range parts {
		part.Topics(z[part.Span().Begin:part.Span().End])
	}
	return z
}

// roundsOf runs an iteration by parts.
func roundsOf(t testing.TB, plan *sampler.Plan, parts []*sampler.Part, model *denseCounts, iteration int, priors *sampler.Priors) {
	t.Helper()
	for r := range plan.Rounds(iteration) {
		at := sampler.Step{Iteration: iteration, Round: r}
		var took []*sampler.Part
		for _, part := range parts {
			if plan.Takes(part.Span(), at) {
				samplertest.MustDo(t, part.Round(t.Context(), at, model.frozen(), priors))
				took = append(took, part)
			}
		}
		for _, part := range took {
			middle := len(part.Words()) / 2
			part.Changes(0, middle, model.add)
			part.Changes(middle, len(part.Words()), model.add)
		}
	}
}

// partCase is a sampler, a problem and a cut.
type partCase struct {
	variant
	p *sampler.Problem
}

func randomPartCase(seed uint64) partCase {
	r := rand.New(rand.NewPCG(seed, 5))
	v := []variant{
		{"warp", sampler.Tuning{}},
		{"warp", sampler.Tuning{MHSteps: 1}},
		{"warp", sampler.Tuning{MHSteps: 3}},
		{"warp", sampler.Tuning{MHSteps: 5}},
		{"batch", sampler.Tuning{}},
		{"batch", sampler.Tuning{MiniBatches: 3, OwnCount: "in"}},
		{"light", sampler.Tuning{}},
		{"light", sampler.Tuning{Rounds: 3, MHSteps: 2}},
		{"light", sampler.Tuning{Rounds: 5, Proposal: "word"}},
	}[r.IntN(9)]
	k := []int{1, 2, 31, 33, 1000, 3000}[r.IntN(6)]
	if v.name == "warp" && r.IntN(8) == 0 {
		k = 1<<16 + 1 // 32-bit topics
	}
	p := samplertest.RandomProblem(seed, 1+r.IntN(90), 1+r.IntN(40), k, []int{1, 5, 40, 200}[r.IntN(4)])
	p.Seed, p.Tuning, p.Threads = r.Uint64(), v.tuning, 1+r.IntN(3)
	if v.guided(p) && seed%3 == 0 {
		p = samplertest.Guide(p, seed)
	}
	return partCase{v, p}
}

func (c partCase) String() string {
	return fmt.Sprintf("%v: D = %d, V = %d, K = %d, N = %d", c.variant, c.p.D(), c.p.V, c.p.K, c.p.N())
}

// Rounds by parts, however the corpus is cut, give the bytes of whole sweeps.
func TestPartsGiveTheWhole(t *testing.T) {
	smallBlocks(t, 4)
	rapid.Check(t, func(rt *rapid.T) {
		c := randomPartCase(rapid.Uint64Range(0, 1<<40).Draw(rt, "seed"))
		p := c.p
		plan, err := sampler.PlanFor(samplertest.InfoOf(c.name), p)
		samplertest.MustDo(t, err)
		var spans []sampler.Span
		for first := 0; first < plan.Blocks(); {
			last := rapid.IntRange(first+1, plan.Blocks()).Draw(rt, "last")
			spans = append(spans, plan.Span(first, last))
			first = last
		}
		priors := samplertest.SymmetricPriors(p.K)
		var given []uint32
		if rapid.Bool().Draw(rt, "given") {
			given = samplertest.SomeTopics(p)
		}
		whole := samplertest.Start(t, c.name, p, given, priors)
		parts := partsOf(t, plan, spans, given, priors)
		model := countAll(p, joined(p, parts))
		for i := 1; i <= 3; i++ {
			if i == 3 {
				priors = samplertest.PriorsFor(p.K)
			}
			samplertest.Sweep(t, whole, i, i, priors)
			roundsOf(t, plan, parts, model, i, priors)
			if !slices.Equal(samplertest.TopicsOf(whole, p), joined(p, parts)) {
				rt.Fatalf("%v: parts %v differ from the whole after iteration %d", c, spans, i)
			}
		}
		comparePartCounts(rt, p, whole, parts, model)
	})
}

// comparePartCounts compares the counts that changes add up to, and the
// documents' histograms, with those of a whole sampler.
func comparePartCounts(t *rapid.T, p *sampler.Problem, whole sampler.Sampler, parts []*sampler.Part, model *denseCounts) {
	if !slices.Equal(whole.TopicTotals(), model.nk) {
		t.Fatalf("topic totals %v, want %v", model.nk, whole.TopicTotals())
	}
	for w := range p.V {
		if got, want := model.AppendRow(nil, w), whole.AppendRow(nil, w); !slices.Equal(got, want) {
			t.Fatalf("row of word %d is %v, want %v", w, got, want)
		}
	}
	h := &counts.Histograms{Topic: make([][]uint32, p.K)}
	for _, part := range parts {
		part.AddDocs(h)
	}
	want := whole.Histograms()
	if !reflect.DeepEqual(h.Topic, want.Topic) || !slices.Equal(h.DocLengths, want.DocLengths) {
		t.Fatalf("histograms of documents differ")
	}
}

// A document longer than a block has one of its own, whose tokens warp numbers
// in another way.
func TestPartsOfLongDocuments(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	docs := make([][]uint32, 4)
	for i := range docs {
		docs[i] = make([]uint32, []int{70_000, 10, 66_000, 400}[i])
		for j := range docs[i] {
			docs[i][j] = uint32(r.IntN(300))
		}
	}
	p := samplertest.ProblemOf(300, 20, docs...)
	for _, name := range []string{"warp", "batch", "light"} {
		plan, err := sampler.PlanFor(samplertest.InfoOf(name), p)
		samplertest.MustDo(t, err)
		priors := samplertest.PriorsFor(p.K)
		whole, parts := samplertest.Start(t, name, p, nil, priors), partsOf(t, plan, plan.Cut(3), nil, priors)
		if len(parts) < 2 {
			t.Fatalf("%s: %d parts", name, len(parts))
		}
		model := countAll(p, joined(p, parts))
		for i := 1; i <= 2; i++ {
			samplertest.Sweep(t, whole, i, i, priors)
			roundsOf(t, plan, parts, model, i, priors)
		}
		if !slices.Equal(samplertest.TopicsOf(whole, p), joined(p, parts)) {
			t.Errorf("%s: parts differ from the whole", name)
		}
	}
}

// Cuts cover the corpus with whole blocks.
func TestCuts(t *testing.T) {
	smallBlocks(t, 3)
	p := samplertest.RandomProblem(1, 100, 20, 5, 30)
	for _, name := range []string{"warp", "batch", "light"} {
		plan, err := sampler.PlanFor(samplertest.InfoOf(name), p)
		samplertest.MustDo(t, err)
		for n := 1; n < 40; n += 3 {
			checkCut(t, plan, plan.Cut(n))
			if got := len(plan.Cut(n)); got > n {
				t.Errorf("%s: %d parts instead of %d", name, got, n)
			}
			spans := plan.CutTokens(n * 20)
			checkCut(t, plan, spans)
			for _, s := range spans {
				if s.Tokens() > n*20 && s.LastBlock-s.FirstBlock > 1 {
					t.Errorf("%s: part %+v has more than %d tokens", name, s, n*20)
				}
			}
		}
	}
}

func checkCut(t *testing.T, plan *sampler.Plan, spans []sampler.Span) {
	t.Helper()
	at := sampler.Span{}
	for _, s := range spans {
		if s.FirstDoc != at.LastDoc || s.Begin != at.End || s.FirstBlock != at.LastBlock || s.LastBlock <= s.FirstBlock {
			t.Fatalf("part %+v follows %+v", s, at)
		}
		at = s
	}
	if whole := plan.Whole(); at.LastDoc != whole.LastDoc || at.End != whole.End || at.LastBlock != plan.Blocks() {
		t.Fatalf("the last part is %+v, the whole %+v", at, whole)
	}
}

// Rounds of a part: a document belongs to one round of an iteration.
func TestEveryDocumentHasOneRound(t *testing.T) {
	p := samplertest.RandomProblem(3, 100, 20, 4000, 60)
	for _, v := range []variant{{"warp", sampler.Tuning{}}, {"batch", sampler.Tuning{}}, {"batch", sampler.Tuning{MiniBatches: 5}}, {"light", sampler.Tuning{Rounds: 7}}} {
		p.Tuning = v.tuning
		plan, err := sampler.PlanFor(samplertest.InfoOf(v.name), p)
		samplertest.MustDo(t, err)
		for _, iteration := range []int{1, 11} {
			at := 0
			for r := range plan.Rounds(iteration) {
				first, last := plan.Docs(plan.Whole(), sampler.Step{Iteration: iteration, Round: r})
				if first != at {
					t.Errorf("%v: round %d begins with document %d, not %d", v, r, first, at)
				}
				at = last
			}
			if at != p.D() {
				t.Errorf("%v: the rounds end with document %d of %d", v, at, p.D())
			}
		}
	}
}

// A part asks for no rows but those of its own words, and takes words in other
// numbers than it has tokens for a fault.
func TestPartAsksForItsOwnWords(t *testing.T) {
	smallBlocks(t, 2)
	p := samplertest.RandomProblem(5, 8, 500, 10, 30)
	for _, name := range []string{"warp", "batch", "light"} {
		plan, err := sampler.PlanFor(samplertest.InfoOf(name), p)
		samplertest.MustDo(t, err)
		spans := plan.Cut(4)
		for i, part := range partsOf(t, plan, spans, nil, samplertest.PriorsFor(p.K)) {
			s := spans[i]
			model := onlyWords{t, countAll(p, samplertest.TopicsOf(samplertest.Start(t, name, p, nil, samplertest.PriorsFor(p.K)), p)), p.Words[s.Begin:s.End]}
			samplertest.MustDo(t, part.Round(t.Context(), sampler.Step{Iteration: 1, Round: 0}, model.frozen(), samplertest.PriorsFor(p.K)))
		}
		if _, err := plan.NewPart(spans[0], p.Words[:spans[0].Tokens()+1]); err == nil {
			t.Error("a part with a word too many")
		}
	}
}

type onlyWords struct {
	t *testing.T
	*denseCounts
	words []uint32
}

func (o onlyWords) frozen() *sampler.Frozen { return &sampler.Frozen{Totals: o.nk, Rows: o} }

func (o onlyWords) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	if !slices.Contains(o.words, uint32(w)) {
		o.t.Errorf("asked for word %d", w)
	}
	return o.denseCounts.AppendRow(dst, w)
}

func TestPlanRefuses(t *testing.T) {
	p := samplertest.RandomProblem(1, 3, 3, 3, 3)
	for _, c := range []struct {
		variant
		want string
	}{
		{variant{"gibbs", sampler.Tuning{}}, "cannot work on a part"},
		{variant{"batch", sampler.Tuning{Fresh: "word=immediate"}}, "leave out fresh"},
	} {
		p.Tuning = c.tuning
		if _, err := sampler.PlanFor(samplertest.InfoOf(c.name), p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.variant, err)
		}
	}
}

// The blocks of a run of whole blocks are those of the corpus.
func TestBlocksOfARun(t *testing.T) {
	p := samplertest.RandomProblem(9, 200, 5, 2, 50)
	limits := grid.Limits{Tokens: 100, Docs: 7}
	all := grid.Cut(p.Offsets, limits)
	from := len(all) / 3
	for i, b := range grid.Cut(p.Offsets[all[from].FirstDoc:], limits) {
		if want := all[from+i]; b.Docs() != want.Docs() || b.Tokens() != want.Tokens() {
			t.Fatalf("block %d is %+v, in the corpus %+v", i, b, want)
		}
	}
}
