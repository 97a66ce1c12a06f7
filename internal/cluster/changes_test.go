package cluster

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/counts"
)

// viewCase is a model, and what a part whose words are some of the model's has
// changed.
type viewCase struct {
	model *model
	place []uint32
	own   *changeRows
	want  [][]int32 // V × K: what the part sees
}

// drawView draws a case with frequent and rare words.
func drawView(t *rapid.T) *viewCase {
	const words, topics = 9, 20
	frequencies := rapid.SliceOfN(rapid.Uint64Max(2*topics/denseShare), words, words).Draw(t, "frequencies")
	c := &viewCase{model: newModel(newCut(frequencies, 3), topics), place: make([]uint32, words), own: &changeRows{}}
	for w := range words {
		c.want = append(c.want, make([]int32, topics))
		var changes []counts.Change
		mine := rapid.Bool().Draw(t, "a word of the part")
		for k := range topics {
			n := rapid.Int32Range(0, 2).Draw(t, "count")
			c.want[w][k] = n
			if d := rapid.Int32Range(-n, 2).Draw(t, "change"); mine && d != 0 {
				changes = append(changes, counts.Change{Topic: uint32(k), Delta: d})
			}
		}
		if mine {
			c.own.append(changes)
			c.place[w] = uint32(len(c.own.ends))
		}
	}
	for i, own := range c.model.cut.words {
		s := &c.model.slices[i]
		for _, w := range own {
			c.model.put(s, w, appendDense(nil, c.want[w]), c.model.totals)
			s.ends = append(s.ends, len(s.entries))
		}
	}
	for w, at := range c.place {
		if at > 0 {
			for _, x := range c.own.row(int(at - 1)) {
				c.want[w][x.Topic] += x.Delta
			}
		}
	}
	return c
}

// A part sees the model's rows with its own changes, in either form.
func TestOwnView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawView(t)
		view := newOwnView(c.model, c.place, c.own)
		totals := make([]uint64, c.model.topics)
		room := make([]int32, c.model.topics)
		for w, want := range c.want {
			if got := view.AppendRow(nil, w); !slices.Equal(got, appendDense(nil, want)) {
				t.Fatalf("word %d: %v, want %v", w, got, want)
			}
			row := view.DenseRow(w, room)
			if (row != nil) != (c.model.denseRow(uint32(w)) != nil) || row != nil && !slices.Equal(row, want) {
				t.Fatalf("word %d: %v by topic, want %v", w, row, want)
			}
			for k, n := range want {
				totals[k] += uint64(n)
			}
		}
		if !slices.Equal(view.TopicTotals(), totals) {
			t.Fatalf("totals %v, want %v", view.TopicTotals(), totals)
		}
	})
}
