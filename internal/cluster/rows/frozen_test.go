package rows

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Whoever reads rows sees the same in each form that they can be read in.
func TestFrozenForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawView(t)
		view := NewView(c.model, c.place, c.own)
		for name, f := range map[string]*sampler.Frozen{"model": c.model.Frozen(), "view": view.Frozen()} {
			totals := make([]uint64, c.model.topics)
			for w := range c.place {
				row := f.Rows.AppendRow(nil, w)
				if dense := f.DenseRow(w, make([]int32, c.model.topics)); dense != nil {
					if got := appendDense(nil, dense); !slices.Equal(got, row) {
						t.Fatalf("%s, word %d: %v by topic, %v in a list", name, w, got, row)
					}
				}
				for _, e := range row {
					totals[e.Topic] += uint64(e.Count)
				}
			}
			if !slices.Equal(f.Totals, totals) {
				t.Fatalf("%s: n_k is %v, and its rows have %v", name, f.Totals, totals)
			}
		}
	})
}

// What a part has changed is in its view, and not in the model, which other parts see.
func TestViewLeavesModel(t *testing.T) {
	m := model(t)
	before, row := slices.Clone(m.Totals), slices.Clone(m.DenseRow(1, nil))
	own := NewChangeSet(3, 12)
	if err := own.Read([][]byte{changesTo(0, 4)}, []uint32{1, 2, 3}, idOf(blob.Changes, 12), unnamed); err != nil {
		t.Fatal(err)
	}
	view := NewView(m, []uint32{1, 2, 3}, []*ChangeSet{own})
	if got := view.AppendRow(nil, 1); !slices.Equal(got, entries(0, 5, 11, 2)) {
		t.Errorf("the view has the row %v", got)
	}
	if !slices.Equal(m.Totals, before) || !slices.Equal(m.DenseRow(1, nil), row) {
		t.Error("the model has changed")
	}
}

// Dense rows take at most 4 · denseShare bytes a token, and are all those with K / denseShare tokens or more.
func TestDenseRowsTakeBoundedMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topics := rapid.IntRange(1, 50).Draw(t, "topics")
		frequencies := rapid.SliceOfN(rapid.Uint64Max(60), 1, 30).Draw(t, "frequencies")
		m := NewModel(NewCut(frequencies, topics, 2), topics)
		tokens, sparse := uint64(0), int64(0)
		for w, n := range frequencies {
			tokens += n
			if dense := m.DenseRow(w, nil) != nil; dense != (denseShare*n >= uint64(topics)) {
				t.Fatalf("a word occurs %d times, among %d topics: dense is %v", n, topics, dense)
			} else if !dense {
				sparse += 16 * int64(n)
			}
		}
		if size := 4 * uint64(len(m.dense)); size > 4*denseShare*tokens {
			t.Fatalf("dense rows take %d bytes for %d tokens", size, tokens)
		}
		if got, want := WholeBytes(frequencies, topics), 4*int64(len(m.dense))+sparse; got != want {
			t.Fatalf("a model is said to take %d bytes, and takes %d", got, want)
		}
	})
}
