package warp

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// heldCase is parts whose topics and rows stay on a device, beside parts on the CPU.
type heldCase struct {
	samplertest.DeviceCase
	plan        *sampler.Plan
	stays       heldLoads
	here, there []*sampler.Part // on the CPU and on the device
	rows        sampler.RowsOn
	frequencies []uint64
	begins      []int // of slices
}

func (c *heldCase) id(kind blob.Kind) func(slice int) blob.ID {
	return func(slice int) blob.ID {
		return blob.ID{Kind: kind, Slice: uint32(slice), Topics: uint32(c.Problem.K)}
	}
}

// open makes the parts of a case, in loads of most tokens, of which some stay on the device.
func (c *heldCase) open(t testing.TB, d *device.Device, limits warpLimits, parts, most int, stays heldLoads) {
	t.Helper()
	p := c.Problem
	c.frequencies = counts.Frequencies(p.Words, p.V)
	c.begins = []int{0, p.V / 3, p.V / 3, p.V}
	on := newPartsWithin(p, d, limits)
	on.most, on.stays, c.stays = most, stays, stays
	for place := range 2 {
		plan, err := sampler.PlanFor(Info, p)
		samplertest.MustDo(t, err)
		if place == 1 {
			plan.On = on.parts()
			c.plan = plan
		}
		for _, span := range plan.Cut(parts) {
			part, err := plan.NewPart(span, p.Words[span.Begin:span.End])
			samplertest.MustDo(t, err)
			if place == 0 {
				c.here = append(c.here, part)
			} else {
				c.there = append(c.there, part)
			}
		}
	}
	rows, err := c.plan.RowsOn(c.frequencies, c.begins)
	samplertest.MustDo(t, err)
	if rows == nil {
		t.Fatal("no rows on the device")
	}
	c.rows = rows
}

// compare lets parts sample in lock-step on the device, and the sampler the whole corpus.
func (c *heldCase) compare(t testing.TB) error {
	p := c.Problem
	whole, err := newWarp(p)
	samplertest.MustDo(t, err)
	var z []uint32
	if c.Given {
		z = samplertest.SomeTopics(p)
	}
	samplertest.MustDo(t, whole.Start(slices.Clone(z), c.Priors))
	for _, parts := range [][]*sampler.Part{c.here, c.there} {
		for _, part := range parts {
			var own []uint32
			if z != nil {
				own = slices.Clone(z[part.Span().Begin:part.Span().End])
			}
			samplertest.MustDo(t, part.Start(own, c.Priors))
		}
	}
	for i := 1; i <= c.Iterations; i++ {
		priors := c.Priors
		if i >= 3 && c.Later != nil {
			priors = c.Later
		}
		if i == 1 || i == 3 { // rows are loaded again in the middle
			samplertest.MustDo(t, c.rows.Load(c.decode(t, blob.Counts, c.encodeRows(whole))))
		}
		if err := c.round(t, i, whole, priors); err != nil {
			return fmt.Errorf("%v: in iteration %d: %w", &c.DeviceCase, i, err)
		}
	}
	return nil
}

// round samples an iteration, compares what changed, and brings the rows to the next version.
func (c *heldCase) round(t testing.TB, iteration int, whole sampler.Sampler, priors *sampler.Priors) error {
	p := c.Problem
	before := &snapshot{rows: make([][]counts.Entry, p.V), totals: whole.TopicTotals()}
	for w := range p.V {
		before.rows[w] = whole.AppendRow(nil, w)
	}
	samplertest.MustDo(t, whole.Sweep(t.Context(), iteration, priors))
	want := samplertest.TopicsOf(whole, p)
	var layers []sampler.Layer
	for i, part := range c.there {
		step := sampler.Step{Iteration: iteration}
		samplertest.MustDo(t, c.here[i].Round(t.Context(), step, &sampler.Frozen{Totals: before.totals, Rows: before}, priors))
		samplertest.MustDo(t, part.Round(t.Context(), step, sampler.FrozenOn(c.rows), priors))
		bodies, totals := part.Bodies()
		blobs := make([][]byte, len(bodies))
		for slice, body := range bodies {
			blobs[slice] = body.Encode(c.id(blob.Changes)(slice))
		}
		if !slices.EqualFunc(blobs, c.encodeChanges(c.here[i]), bytes.Equal) {
			return fmt.Errorf("part %d tells other changes", i)
		}
		layers = append(layers, sampler.Layer{Slices: c.decode(t, blob.Changes, blobs)})
		span := part.Span()
		z, narrow := make([]uint32, span.Tokens()), make([]uint16, span.Tokens())
		ok, err := part.NarrowTopics(narrow)
		docs, fault := part.CountDocs()
		samplertest.MustDo(t, errors.Join(err, fault, part.Fetch()))
		part.Topics(z)
		wanted := &counts.Histograms{Topic: make([][]uint32, p.K)}
		part.AddDocs(wanted)
		if (docs != nil) != ok || docs != nil && (fmt.Sprint(docs.Topic) != fmt.Sprint(wanted.Topic) || !slices.Equal(docs.DocLengths, wanted.DocLengths)) {
			return fmt.Errorf("part %d counts documents %v without Fetch, want %v", i, docs, wanted)
		}
		if ok == (c.stays == heldNone && len(z) > 0) {
			return fmt.Errorf("part %d: topics without Fetch: %v", i, ok)
		}
		for i, k := range narrow {
			if ok && uint32(k) != z[i] {
				return fmt.Errorf("part %d has topic %d of token %d without Fetch, want %d", i, k, i, z[i])
			}
		}
		if !slices.Equal(z, want[span.Begin:span.End]) {
			return fmt.Errorf("part %d has other topics", i)
		}
		for k, n := range totals {
			before.added(k, n)
		}
	}
	if !slices.Equal(before.now, whole.TopicTotals()) {
		return fmt.Errorf("n_k becomes %v, want %v", before.now, whole.TopicTotals())
	}
	if err := c.rows.Add(layers); err != nil {
		return err
	}
	for s, want := range c.encodeRows(whole) {
		got, err := c.rows.Encode(s, c.id(blob.Counts)(s))
		if err != nil || !bytes.Equal(got, want) {
			return fmt.Errorf("slice %d has other rows (%v)", s, err)
		}
	}
	return nil
}

// snapshot is the counts of a moment.
type snapshot struct {
	rows        [][]counts.Entry
	totals, now []uint64
}

func (s *snapshot) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return append(dst, s.rows[w]...)
}

// added adds to what the totals become.
func (s *snapshot) added(k int, n uint64) {
	if s.now == nil {
		s.now = slices.Clone(s.totals)
	}
	s.now[k] += n
}

// encodeRows writes the rows of a sampler as blobs.
func (c *heldCase) encodeRows(s sampler.Sampler) [][]byte {
	return c.encode(blob.Counts, func(e *blob.Encoder, slice int) {
		for w := c.begins[slice]; w < c.begins[slice+1]; w++ {
			e.Counts(uint32(w), s.AppendRow(nil, w))
		}
	})
}

// encodeChanges writes what a part on the CPU changed as blobs.
func (c *heldCase) encodeChanges(part *sampler.Part) [][]byte {
	return c.encode(blob.Changes, func(e *blob.Encoder, slice int) {
		part.Changes(0, len(part.Words()), func(w uint32, changes []counts.Change) {
			if int(w) >= c.begins[slice] && int(w) < c.begins[slice+1] {
				e.Changes(w, changes)
			}
		})
	})
}

func (c *heldCase) encode(kind blob.Kind, write func(e *blob.Encoder, slice int)) (blobs [][]byte) {
	for s := range len(c.begins) - 1 {
		var e blob.Encoder
		e.Begin(nil, c.id(kind)(s))
		write(&e, s)
		blobs = append(blobs, e.Finish())
	}
	return blobs
}

func (c *heldCase) decode(t testing.TB, kind blob.Kind, blobs [][]byte) []blob.Decoder {
	t.Helper()
	decoders := make([]blob.Decoder, len(blobs))
	for s, b := range blobs {
		var err error
		decoders[s], err = blob.Open(b, c.id(kind)(s))
		samplertest.MustDo(t, err)
	}
	return decoders
}

// compareHeld compares a random case.
func compareHeld(t testing.TB, d *device.Device, seed uint64, limits func(c *heldCase, r *rand.Rand) warpLimits) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 31))
	c := &heldCase{DeviceCase: warpCase(seed)}
	c.open(t, d, limits(c, r), 1+r.IntN(4), []int{0, 1, 300}[seed%3], heldLoads(seed%4%3))
	samplertest.MustDo(t, c.compare(t))
	for _, part := range c.there {
		samplertest.MustDo(t, part.Close())
	}
	samplertest.MustDo(t, c.plan.PlaceHere())
}

// Parts whose topics and rows stay on a device are those of the CPU, and so is every byte that they tell.
func TestEmulatedHeldParts(t *testing.T) {
	d := samplertest.Emulation(t)
	for seed := range uint64(6) {
		compareHeld(t, d, seed, func(_ *heldCase, r *rand.Rand) warpLimits { return tinyWarpLimits(r) })
	}
}

func TestHeldPartsOnGPUEqualGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for seed := range samplertest.DeviceCases() {
		compareHeld(t, d, seed, func(c *heldCase, r *rand.Rand) warpLimits {
			if seed%2 == 0 {
				return tinyWarpLimits(r)
			}
			return defaultWarpLimits(c.Problem.K, d)
		})
	}
}
