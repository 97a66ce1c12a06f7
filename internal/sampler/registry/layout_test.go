package registry

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// slicedCounts opens a denseCounts slice by slice.
type slicedCounts struct {
	*denseCounts
	slices []int
	fault  error // of the last slice
}

func (s *slicedCounts) frozen() *sampler.Frozen {
	return &sampler.Frozen{Totals: s.nk, Rows: s.denseCounts, Sliced: &sampler.Sliced{Begins: s.slices, Open: s.open}}
}

func (s *slicedCounts) open(i int) (counts.Rows, func(), error) {
	if i == len(s.slices)-2 && s.fault != nil {
		return nil, nil, s.fault
	}
	return s.denseCounts, func() {}, nil
}

// passThrough samples a part after the other in the memory of one, from layouts
// kept as bytes and topics kept elsewhere, against counts in slices, as training
// with files does.
func passThrough(t testing.TB, plan *sampler.Plan, spans []sampler.Span, layouts, states [][]byte, z []uint32, model *slicedCounts, at sampler.Step, restored int, priors *sampler.Priors) {
	next := &denseCounts{nwk: samplertest.Table(plan.P.V, plan.P.K), nk: make([]uint64, plan.P.K)}
	var part *sampler.Part
	for i, s := range spans {
		layout, err := sampler.ParseLayout(layouts[i])
		samplertest.MustDo(t, err)
		part = plan.NewPartOf(s, layout, part)
		if states[i] == nil {
			samplertest.MustDo(t, part.Start(z[s.Begin:s.End], priors))
		} else {
			copy(part.Memory(), states[i])
			part.Restore(restored)
		}
		if plan.Takes(s, at) {
			samplertest.MustDo(t, part.Round(t.Context(), at, model.frozen(), priors))
		}
		part.Topics(z[s.Begin:s.End])
		states[i] = slices.Clone(part.Memory())
		for j, k := range z[s.Begin:s.End] {
			next.nwk[plan.P.Words[s.Begin+j]][k]++
			next.nk[k]++
		}
	}
	model.denseCounts = next
}

func TestPartsInOneMemory(t *testing.T) {
	smallBlocks(t, 4)
	rapid.Check(t, func(rt *rapid.T) {
		c := randomPartCase(rapid.Uint64Range(0, 1<<40).Draw(rt, "seed"))
		p := c.p
		p.Pseudo = nil // passThrough counts the rows of every round from the parts
		plan, err := sampler.PlanFor(samplertest.InfoOf(c.name), p)
		samplertest.MustDo(t, err)
		plan.ForgetChanges()
		plan.SetStage(rapid.SampledFrom([]int{0, 1, 10, 100}).Draw(rt, "stage"))
		spans := plan.Cut(rapid.IntRange(1, 6).Draw(rt, "parts"))
		var layouts [][]byte
		for _, s := range spans {
			layout, err := plan.NewLayout(s, p.Words[s.Begin:s.End])
			samplertest.MustDo(t, err)
			layouts = append(layouts, bytesOf(t, layout))
		}
		priors := samplertest.SymmetricPriors(p.K)
		whole := samplertest.Start(t, c.name, p, nil, priors)
		z := samplertest.TopicsOf(whole, p)
		middle := rapid.IntRange(0, p.V).Draw(rt, "middle")
		model := &slicedCounts{denseCounts: countAll(p, z), slices: []int{0, middle, p.V}}
		states := make([][]byte, len(spans))
		for i := 1; i <= 4; i++ {
			restored := i - 1
			if i == 3 {
				priors, restored = samplertest.PriorsFor(p.K), 0
			}
			samplertest.Sweep(t, whole, i, i, priors)
			for r := range plan.Rounds(i) {
				passThrough(t, plan, spans, layouts, states, z, model, sampler.Step{Iteration: i, Round: r}, restored, priors)
			}
			if !slices.Equal(z, samplertest.TopicsOf(whole, p)) {
				rt.Fatalf("%v: iteration %d differs from the whole", c, i)
			}
		}
	})
}

func TestSliceThatCannotBeOpened(t *testing.T) {
	p := samplertest.RandomProblem(1, 30, 20, 5, 30)
	fault := errors.New("cannot be opened")
	for _, name := range []string{"warp", "light"} {
		plan, err := sampler.PlanFor(samplertest.InfoOf(name), p)
		samplertest.MustDo(t, err)
		part := partsOf(t, plan, plan.Cut(1), nil, samplertest.PriorsFor(p.K))[0]
		model := &slicedCounts{countAll(p, joined(p, []*sampler.Part{part})), []int{0, 7, p.V}, fault}
		if err := part.Round(t.Context(), sampler.Step{Iteration: 1, Round: 0}, model.frozen(), samplertest.PriorsFor(p.K)); !errors.Is(err, fault) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParseLayoutRefuses(t *testing.T) {
	p := samplertest.RandomProblem(1, 30, 20, 5, 30)
	plan, err := sampler.PlanFor(samplertest.InfoOf("warp"), p)
	samplertest.MustDo(t, err)
	layout, err := plan.NewLayout(plan.Whole(), p.Words)
	samplertest.MustDo(t, err)
	good := bytesOf(t, layout)
	for i := range good {
		bad := append(mapfile.Aligned(len(good))[:0], good...)
		bad[i] ^= 1
		if _, err := sampler.ParseLayout(bad); err == nil {
			t.Fatalf("byte %d altered, and no error", i)
		}
	}
	for n := range len(good) {
		if _, err := sampler.ParseLayout(append(mapfile.Aligned(n)[:0], good[:n]...)); err == nil {
			t.Fatalf("cut after %d bytes, and no error", n)
		}
	}
}

// bytesOf returns what a layout writes, at an aligned address.
func bytesOf(t testing.TB, layout *sampler.Layout) []byte {
	var b bytes.Buffer
	samplertest.MustDo(t, layout.Write(&b))
	return append(mapfile.Aligned(b.Len())[:0], b.Bytes()...)
}
