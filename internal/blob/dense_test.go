package blob

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/counts"
)

// drawByTopic draws the changes of a word by topic: few or many, small or not.
func drawByTopic(t *rapid.T, topics int) []int32 {
	delta := make([]int32, topics)
	value := rapid.SampledFrom([]*rapid.Generator[int32]{
		rapid.Int32Range(-1, 1), rapid.Int32Range(-127, 127), rapid.Int32Range(-129, 128), rapid.Int32Range(-math.MaxInt32, math.MaxInt32),
	}).Draw(t, "values")
	every := rapid.SampledFrom([]int{1, 2, 7, 8, 9, 40}).Draw(t, "every")
	for k := range delta {
		if k%every == 0 {
			delta[k] = value.Draw(t, "value")
		}
	}
	return delta
}

// A row by topic is written as the list of its changes is, whatever its form, and
// comes back as a list and as a sum.
func TestChangesByTopic(t *testing.T) {
	var a, b Encoder // kept, so that a row that leaves something behind is found out
	rapid.Check(t, func(t *rapid.T) {
		topics := rapid.SampledFrom([]int{1, 7, 8, 15, 16, 17, 31, 100, 1000}).Draw(t, "K")
		id := ID{Kind: Changes, Job: 5, Topics: uint32(topics)}
		a.Begin(nil, id)
		b.Begin(nil, id)
		var rows [][]int32
		var lists [][]counts.Change
		var places []Place
		for w := range rapid.IntRange(1, 3).Draw(t, "words") {
			delta := drawByTopic(t, topics)
			var list []counts.Change
			for k, d := range delta {
				if d != 0 {
					list = append(list, counts.Change{Topic: uint32(k), Delta: d})
				}
			}
			row, totals := make([]int32, topics), make([]uint64, topics)
			a.ChangesByTopic(uint32(w), delta, row, totals)
			for k, d := range delta {
				if row[k] != d || totals[k] != uint64(int64(d)) {
					t.Fatalf("word %d: %d and %d were added for topic %d, want %d", w, row[k], totals[k], k, d)
				}
			}
			b.Changes(uint32(w), list)
			if a.Place() != b.Place() || a.Place().Empty() != (len(list) == 0) {
				t.Fatalf("word %d is at %v by topic and at %v as a list", w, a.Place(), b.Place())
			}
			places = append(places, a.Place())
			rows, lists = append(rows, delta), append(lists, list)
		}
		blob := a.Finish()
		if !bytes.Equal(blob, b.Finish()) {
			t.Fatal("a row by topic gives other bytes than its list")
		}
		d, err := Open(blob, id)
		if err != nil {
			t.Fatal(err)
		}
		for d.Next() {
			w := d.Word()
			if got := d.Changes(nil); !slices.Equal(got, lists[w]) {
				t.Fatalf("word %d: %v, want %v", w, got, lists[w])
			}
			row, totals := make([]int32, topics), make([]uint64, topics)
			d.AddTo(row, totals, 1)
			if !slices.Equal(row, rows[w]) {
				t.Fatalf("word %d: added %v, want %v", w, row, rows[w])
			}
			for k, n := range totals {
				if n != uint64(int64(rows[w][k])) {
					t.Fatalf("word %d: total %d of topic %d, want %d", w, n, k, rows[w][k])
				}
			}
			at := At(blob, topics, places[w])
			if got := at.Changes(nil); d.Place() != places[w] || !slices.Equal(got, lists[w]) {
				t.Fatalf("word %d is at %v, where %v is", w, d.Place(), got)
			}
			alone := make([]int32, topics)
			if at.AddTo(alone, nil, 1); !slices.Equal(alone, rows[w]) {
				t.Fatalf("word %d: added %v without totals, want %v", w, alone, rows[w])
			}
			d.AddTo(row, totals, -1)
			if slices.ContainsFunc(row, func(n int32) bool { return n != 0 }) || slices.ContainsFunc(totals, func(n uint64) bool { return n != 0 }) {
				t.Fatalf("word %d: something is left after taking out what was added", w)
			}
		}
		if d.Err() != nil {
			t.Fatal(d.Err())
		}
	})
}

// Vector code does what Go does.
func TestDenseKernels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		delta := drawByTopic(t, rapid.IntRange(1, 100).Draw(t, "K"))
		width := denseBits(uint32(len(delta)))
		set, wantSet := bytes.Repeat([]byte{0xAA}, width), make([]byte, width)
		values, wantValues := make([]byte, len(delta)+denseSlack), make([]byte, len(delta)+denseSlack)
		n, small := packDense(set, values, delta)
		want, wantSmall := packDenseGo(wantSet, wantValues, delta)
		if n != want || small != wantSmall || !bytes.Equal(set, wantSet) || !bytes.Equal(values[:n], wantValues[:n]) {
			t.Fatalf("%d changes, small %v, bits %x, values %x; want %d, %v, %x, %x", n, small, set, values[:n], want, wantSmall, wantSet, wantValues[:n])
		}
		sign := rapid.SampledFrom([]int32{1, -1}).Draw(t, "sign")
		row, wantRow := make([]int32, len(delta)), make([]int32, len(delta))
		totals, wantTotals := make([]uint64, len(delta)), make([]uint64, len(delta))
		addDense(row, totals, set, values[:n:n], sign)
		addDenseGo(wantRow, wantTotals, set, values[:n], sign)
		if !slices.Equal(row, wantRow) || !slices.Equal(totals, wantTotals) {
			t.Fatalf("added %v and %v, want %v and %v", row, totals, wantRow, wantTotals)
		}
	})
}

// Dense rows whose bits and values do not belong together are refused.
func TestDenseDamage(t *testing.T) {
	id := ID{Kind: Changes, Topics: 12}
	var e Encoder
	e.Begin(nil, id)
	e.ChangesByTopic(3, []int32{0, 1, 0, -5, 0, 0, 0, 0, 0, 0, 0, 9}, nil, nil)
	whole := e.Finish()
	row := headerBytes + 3 // after the word, the 0 and the length
	for name, change := range map[string]func(b []byte){
		"a bit too many":          func(b []byte) { b[row] |= 1 },
		"a bit too few":           func(b []byte) { b[row] &^= 2 },
		"a topic beyond the last": func(b []byte) { b[row] &^= 2; b[row+1] |= 1 << 4 },
		"a value of nothing":      func(b []byte) { b[row+2] = 0 },
		"no length":               func(b []byte) { b[row-1] = 0 },
		"too long":                func(b []byte) { b[row-1] = 99 },
		"shorter than its bits":   func(b []byte) { b[row-1] = 1 },
	} {
		d, err := Open(resealed(whole, change), id)
		if err != nil {
			t.Fatal(err)
		}
		for d.Next() {
			d.Changes(nil)
		}
		if !errors.Is(d.Err(), ErrDamaged) {
			t.Errorf("%s: %v", name, d.Err())
		}
	}
}
