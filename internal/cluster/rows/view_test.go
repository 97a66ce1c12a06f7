package rows

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
)

// viewCase is a model, and what a part whose words are some of the model's has
// changed in some rounds.
type viewCase struct {
	model *Model
	place []uint32
	own   []*ChangeSet
	want  [][]int32 // V × K: what the part sees
}

// drawView draws a case with frequent and rare words.
func drawView(t *rapid.T) *viewCase {
	const words, topics = 9, 20
	frequencies := rapid.SliceOfN(rapid.Uint64Max(2*topics/denseShare), words, words).Draw(t, "frequencies")
	c := &viewCase{model: NewModel(NewCut(frequencies, topics, 3), topics), place: make([]uint32, words)}
	mine := uint32(0)
	for w := range words {
		c.want = append(c.want, rapid.SliceOfN(rapid.Int32Range(0, 2), topics, topics).Draw(t, "counts"))
		if rapid.Bool().Draw(t, "a word of the part") {
			mine++
			c.place[w] = mine
		}
	}
	id := func(slice int) blob.ID { return blob.ID{Kind: blob.Counts, Slice: uint32(slice), Topics: topics} }
	var e blob.Encoder
	var blobs [][]byte
	for i, own := range c.model.cut.Words {
		e.Begin(nil, id(i))
		for _, w := range own {
			e.Counts(w, appendDense(nil, c.want[w]))
		}
		blobs = append(blobs, e.Finish())
	}
	if err := c.model.Load(0, blobs, id, unnamed); err != nil {
		t.Fatal(err)
	}
	for range rapid.IntRange(0, 3).Draw(t, "rounds") {
		c.own = append(c.own, c.drawRound(t, int(mine)))
	}
	return c
}

// drawRound draws what the part changes in a round, and puts it into want.
func (c *viewCase) drawRound(t *rapid.T, words int) *ChangeSet {
	var e blob.Encoder
	var blobs [][]byte
	id := func(slice int) blob.ID {
		return blob.ID{Kind: blob.Changes, Slice: uint32(slice), Topics: uint32(c.model.topics)}
	}
	for i, own := range c.model.cut.Words {
		e.Begin(nil, id(i))
		for _, w := range own {
			if c.place[w] == 0 {
				continue
			}
			every := rapid.IntRange(1, 2*c.model.topics).Draw(t, "every")
			var changes []counts.Change
			for k := every - 1; k < c.model.topics; k += every {
				if d := rapid.Int32Range(-c.want[w][k], 2).Draw(t, "change"); d != 0 {
					changes = append(changes, counts.Change{Topic: uint32(k), Delta: d})
					c.want[w][k] += d
				}
			}
			e.Changes(w, changes)
		}
		blobs = append(blobs, e.Finish())
	}
	own := NewChangeSet(words, c.model.topics)
	if err := own.Read(blobs, c.place, id, unnamed); err != nil {
		t.Fatal(err)
	}
	return own
}

// A part sees the model's rows with its own changes of all rounds, in either form.
func TestOwnView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawView(t)
		view := NewView(c.model, c.place, c.own)
		totals := make([]uint64, c.model.topics)
		room := make([]int32, c.model.topics)
		for w, want := range c.want {
			if got := view.AppendRow(nil, w); !slices.Equal(got, appendDense(nil, want)) {
				t.Fatalf("word %d: %v, want %v", w, got, want)
			}
			row := view.denseRow(w, room)
			if (row != nil) != (c.model.DenseRow(w, nil) != nil) || row != nil && !slices.Equal(row, want) {
				t.Fatalf("word %d: %v by topic, want %v", w, row, want)
			}
			for k, n := range want {
				totals[k] += uint64(n)
			}
		}
		if !slices.Equal(view.totals, totals) {
			t.Fatalf("totals %v, want %v", view.totals, totals)
		}
	})
}
