package warp

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// Parts whose tokens go to whoever has all of a word, and come back, end with the topics of a sweep: with any number of parts and slices,
// proposals that are drawn anew where α changes, records of any kind, and a document that is a block by itself.
func TestHalves(t *testing.T) {
	long := make([]uint32, warpBlockTokens+7)
	for i := range long {
		long[i] = uint32(i / 20_000)
	}
	const k = 1<<16 + 5
	for name, test := range map[string]struct {
		p             *sampler.Problem
		steps         int
		parts, slices int
	}{
		"packed": {zipfProblem(1, 1500, 500, k, 100), 0, 3, 4},
		"wide":   {zipfProblem(2, 1500, 500, k, 100), 3, 2, 7},
		"long":   {samplertest.ProblemOf(10, k, []uint32{1, 2, 3}, long, []uint32{2, 2, 9}), 0, 2, 3},
	} {
		t.Run(name, func(t *testing.T) {
			test.p.Tuning.MHSteps = test.steps
			h := newHalves(t, test.p, test.parts, test.slices)
			whole, err := newWarp(test.p)
			samplertest.MustDo(t, err)
			priors := &sampler.Priors{Alpha: slices.Repeat([]float64{0.1}, k), Beta: 0.01}
			samplertest.MustDo(t, whole.Start(nil, priors))
			for _, part := range h.parts {
				samplertest.MustDo(t, part.Start(nil, priors))
			}
			for iteration := 1; iteration <= 4; iteration++ {
				if iteration == 3 {
					priors = &sampler.Priors{Alpha: slices.Repeat([]float64{0.3}, k), Beta: 0.01}
				}
				h.round(t, iteration, whole.TopicTotals(), priors)
				samplertest.MustDo(t, whole.Sweep(t.Context(), iteration, priors))
				h.check(t, whole)
			}
		})
	}
}

// halves is a corpus cut into parts and slices.
type halves struct {
	p      *sampler.Problem
	plan   *sampler.Plan
	spans  []sampler.Span
	parts  []sampler.Part
	begins []int
	words  []*sampler.WordTokens
	half   sampler.WordHalf
	tiles  map[sampler.Part][]sampler.Tile
}

func newHalves(t *testing.T, p *sampler.Problem, parts, slices int) *halves {
	plan, err := sampler.PlanFor(Info, p)
	samplertest.MustDo(t, err)
	h := &halves{p: p, plan: plan, spans: plan.Cut(parts), half: plan.NewWordHalf(), tiles: map[sampler.Part][]sampler.Tile{}}
	own := func(i int) ([]uint32, error) { return p.Words[h.spans[i].Begin:h.spans[i].End], nil }
	for i, span := range h.spans {
		words, _ := own(i)
		part, err := plan.NewPart(span, words)
		samplertest.MustDo(t, err)
		h.parts = append(h.parts, part)
	}
	slice := make([]uint32, p.V)
	var wanted []int
	for i := range slices {
		h.begins = append(h.begins, p.V*i/slices)
		wanted = append(wanted, i)
		for w := p.V * i / slices; w < p.V*(i+1)/slices; w++ {
			slice[w] = uint32(i)
		}
	}
	h.begins = append(h.begins, p.V)
	h.words, err = plan.LayWords(wanted, h.begins, slice, h.spans, own, SegmentTokens)
	samplertest.MustDo(t, err)
	one, err := plan.LayWords(wanted[1:2], h.begins, slice, h.spans, own, SegmentTokens)
	samplertest.MustDo(t, err)
	if one[0] != nil || !equalTokens(one[1], h.words[1]) {
		t.Error("a slice is laid out otherwise by itself")
	}
	return h
}

func equalTokens(a, b *sampler.WordTokens) bool {
	return slices.Equal(a.First, b.First) && slices.Equal(a.Segments, b.Segments) && slices.Equal(a.Begins, b.Begins) && slices.Equal(a.Starts, b.Starts)
}

// tile is where a part has the tokens of a slice.
func (h *halves) tile(part sampler.Part, slice int) sampler.Tile {
	if h.tiles[part] == nil {
		at := func(w int) int { i, _ := slices.BinarySearch(part.Words(), uint32(w)); return i }
		var bounds [][2]int
		for i := range h.words {
			bounds = append(bounds, [2]int{at(h.begins[i]), at(h.begins[i+1])})
		}
		h.tiles[part] = part.Halves().Tiles(bounds)
	}
	return h.tiles[part][slice]
}

// gather brings the tokens of a slice together.
func (h *halves) gather(t *testing.T, slice int) []byte {
	records := mapfile.Aligned(0)
	for _, part := range h.parts {
		before := len(records)
		records = part.Halves().AppendTile(records, h.tile(part, slice))
		if n := h.tile(part, slice).Tokens(); len(records) != before+n*h.half.RecordBytes() {
			t.Fatalf("%d tokens in %d bytes", n, len(records)-before)
		}
	}
	if len(records) != h.words[slice].Tokens()*h.half.RecordBytes() || !h.half.Sound(records) {
		t.Fatalf("%d bytes for %d tokens", len(records), h.words[slice].Tokens())
	}
	return records
}

// round runs a round.
func (h *halves) round(t *testing.T, iteration int, totals []uint64, priors *sampler.Priors) {
	for _, part := range h.parts {
		samplertest.MustDo(t, part.Halves().Propose(t.Context(), iteration, totals, priors))
	}
	h.half.Freeze(totals, priors)
	for slice, words := range h.words {
		records := h.gather(t, slice)
		h.half.Walk(0, words, records, iteration)
		for i, part := range h.parts {
			size := h.half.RecordBytes()
			own := records[size*words.Starts[h.spans[i].FirstBlock] : size*words.Starts[h.spans[i].LastBlock]]
			if !part.Halves().SetTile(h.tile(part, slice), own) {
				t.Fatal("the tokens that come back are not sound")
			}
		}
	}
	for _, part := range h.parts {
		samplertest.MustDo(t, part.Halves().Settle(t.Context(), iteration))
	}
}

// check compares topics and rows with those of the whole corpus.
func (h *halves) check(t *testing.T, whole sampler.Sampler) {
	want, got := make([]uint32, h.p.N()), make([]uint32, h.p.N())
	whole.Topics(want)
	for i, part := range h.parts {
		part.Topics(got[h.spans[i].Begin:h.spans[i].End])
	}
	if !slices.Equal(got, want) {
		t.Fatal("other topics than those of a sweep")
	}
	for slice, words := range h.words {
		records := h.gather(t, slice)
		for i := range h.begins[slice+1] - h.begins[slice] {
			w := h.begins[slice] + i
			if row := h.half.Row(0, nil, words, records, i); !slices.Equal(row, whole.(counts.Rows).AppendRow(nil, w)) {
				t.Fatalf("word %d has row %v", w, row)
			}
		}
	}
}

// Records with a topic that is not below K are refused, wherever it is.
func TestSoundRecords(t *testing.T) {
	for _, k := range []int{1<<16 + 1, 1_000_000, 1 << 20} {
		for _, steps := range []int{0, 3} {
			p := &sampler.Problem{K: k, Tuning: sampler.Tuning{MHSteps: steps}}
			size := RecordBytes(p)
			put := func(record, place int, topic uint64) []byte {
				b := mapfile.Aligned(5 * size)
				if size == 8 {
					x := mapfile.View[uint64](b)
					for i := range x {
						x[i] = uint64(k-1) * (1 + 1<<21 + 1<<42)
					}
					x[record] &^= (1<<21 - 1) << (21 * place)
					x[record] |= topic << (21 * place)
				} else {
					mapfile.View[uint32](b)[record*size/4+place] = uint32(topic)
				}
				return b
			}
			for record := range 5 {
				for place := range 3 {
					if !soundRecords(p, put(record, place, uint64(k-1))) {
						t.Errorf("topic %d of %d is refused", k-1, k)
					}
					for _, topic := range []int{k, k + 1, 1<<20 + 1, 1<<21 - 1} {
						if soundRecords(p, put(record, place, uint64(topic))) {
							t.Errorf("topic %d of %d in place %d of record %d", topic, k, place, record)
						}
					}
				}
			}
			if soundRecords(p, make([]byte, size+1)) {
				t.Error("part of a record")
			}
		}
	}
}
