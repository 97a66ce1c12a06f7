package draw32

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/grid"
)

// A plan is a permutation that keeps each document's tokens in order, and its
// quads and their neighbours share no document.
func checkPlan(t *testing.T, order, docs []uint16, quads int) {
	t.Helper()
	seen := make([]bool, len(docs))
	last := map[uint16]int{}
	for _, i := range order {
		if seen[i] {
			t.Fatalf("token %d comes twice", i)
		}
		seen[i] = true
		if before, ok := last[docs[i]]; ok && before > int(i) {
			t.Fatalf("document %d: token %d comes after token %d", docs[i], i, before)
		}
		last[docs[i]] = int(i)
	}
	for q := range quads {
		var near []uint16
		for _, i := range order[4*q : min(4*quads, 4*(q+quadGap))] {
			near = append(near, docs[i])
		}
		slices.Sort(near)
		if len(slices.Compact(near)) != 4*min(quadGap, quads-q) {
			t.Fatalf("quad %d of %d shares a document with itself or the next", q, quads)
		}
	}
}

func TestPlan(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var p Planner
	for _, numDocs := range []int{1, 2, 3, 4, 5, 8, 9, 50, 1000} {
		for range 50 {
			docs := make([]uint16, r.IntN(3000))
			for i := range docs {
				docs[i] = uint16(r.IntN(1 + r.IntN(numDocs)))
			}
			order := make([]uint16, len(docs))
			checkPlan(t, order, docs, p.plan(order, docs, numDocs))
		}
	}
}

// Many documents leave few tokens out of quads.
func TestPlanFillsQuads(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	docs := make([]uint16, 1000)
	for i := range docs {
		docs[i] = uint16(r.IntN(100))
	}
	order := make([]uint16, len(docs))
	if quads := new(Planner).plan(order, docs, 100); 4*quads < 900 {
		t.Errorf("only %d of %d tokens are in quads", 4*quads, len(docs))
	}
}

// Tiles cover every token of a grid once, with at most so many words; a
// segment too long for one tile goes on in the next.
func TestScheduleCoversGrid(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	offsets, words := []uint64{0}, []uint32{}
	for d := range 300 {
		n := r.IntN(200)
		if d == 7 {
			n = 150000
		}
		doc := make([]uint32, n)
		for i := range doc {
			doc[i] = uint32(r.IntN(1 + r.IntN(500)))
		}
		if d == 7 {
			for i := range doc[:140000] {
				doc[i] = 3
			}
		}
		slices.Sort(doc)
		words = append(words, doc...)
		offsets = append(offsets, uint64(len(words)))
	}
	g := grid.New(offsets, words, 500, grid.Limits{Tokens: 5000, Docs: 40})
	s := NewSchedule(g, 8, 3)
	for i, b := range g.Blocks {
		at, seg := b.Begin, b.FirstSeg
		for _, c := range s.Tiles[i] {
			if c.Begin != at || c.End <= c.Begin || c.End-c.Begin > tileTokens || c.LastSeg-c.FirstSeg > 8 {
				t.Fatalf("block %d: tile %+v after token %d", i, c, at)
			}
			if first := g.Segments[c.FirstSeg]; c.FirstSeg > seg || b.Begin+int(first.Begin) > c.Begin || b.Begin+int(first.End) <= c.Begin {
				t.Fatalf("block %d: tile %+v does not begin in segment %+v", i, c, first)
			}
			if last := g.Segments[c.LastSeg-1]; b.Begin+int(last.Begin) >= c.End || b.Begin+int(last.End) < c.End {
				t.Fatalf("block %d: tile %+v does not end in segment %+v", i, c, last)
			}
			checkPlan(t, s.Order[c.Begin:c.End], g.Docs[c.Begin:c.End], c.Quads)
			for i := c.Begin; i < c.End; i++ {
				if own := g.Segments[c.FirstSeg+int(s.Rows[i])]; b.Begin+int(own.Begin) > i || b.Begin+int(own.End) <= i {
					t.Fatalf("token %d has the word of segment %+v", i, own)
				}
			}
			at, seg = c.End, c.LastSeg
		}
		if at != b.End {
			t.Fatalf("block %d ends at %d, its tiles at %d", i, b.End, at)
		}
	}
}
