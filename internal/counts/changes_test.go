package counts

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// rowOf makes a row of counts.
func rowOf(n []int32) []Entry {
	var row []Entry
	for k, c := range n {
		if c > 0 {
			row = append(row, Entry{Topic: uint32(k), Count: uint32(c)})
		}
	}
	return row
}

// changesBetween makes the changes from one row to another.
func changesBetween(a, b []int32) []Change {
	var changes []Change
	for k := range a {
		if a[k] != b[k] {
			changes = append(changes, Change{Topic: uint32(k), Delta: b[k] - a[k]})
		}
	}
	return changes
}

// drawRow draws a row of a word with the given number of tokens.
func drawRow(t *rapid.T, topics, tokens int) []int32 {
	row := make([]int32, topics)
	for range tokens {
		row[rapid.IntRange(0, topics-1).Draw(t, "topic")]++
	}
	return row
}

// Changes take one table to the other and back, and rows to rows.
func TestChangeSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topics := rapid.IntRange(1, 40).Draw(t, "K")
		frequencies := rapid.SliceOfN(rapid.Uint64Range(0, 12), 1, 8).Draw(t, "frequencies")
		before, after := NewTable(topics, frequencies), NewTable(topics, frequencies)
		nk, want := make([]uint64, topics), make([]uint64, topics)
		first, second := &ChangeSet{}, &ChangeSet{}
		for w, n := range frequencies {
			a, b := drawRow(t, topics, int(n)), drawRow(t, topics, int(n))
			for k := range a {
				before.Add(w, k, a[k])
				after.Add(w, k, b[k])
				nk[k] += uint64(a[k])
				want[k] += uint64(b[k])
			}
			changes := changesBetween(a, b)
			if got := Merge(nil, rowOf(a), changes); !slices.Equal(got, rowOf(b)) {
				t.Fatalf("merged %v, want %v", got, rowOf(b))
			}
			if len(changes) > 0 {
				second.Append(uint32(w), changes)
				if !slices.Equal(second.Row(uint32(w)), changes) {
					t.Fatalf("row %v, want %v", second.Row(uint32(w)), changes)
				}
			} else if second.Row(uint32(w)) != nil {
				t.Fatal("a word that did not change has a row")
			}
		}
		first.Join(second)
		first.AddTo(before)
		first.AddTotals(nk)
		if !slices.Equal(nk, want) {
			t.Fatalf("totals %v, want %v", nk, want)
		}
		sameTables(t, before, after, len(frequencies))
		first.TakeFrom(before)
		first.AddTo(before)
		sameTables(t, before, after, len(frequencies))
	})
}

func sameTables(t *rapid.T, a, b *Table, words int) {
	for w := range words {
		if x, y := a.AppendRow(nil, w), b.AppendRow(nil, w); !slices.Equal(x, y) {
			t.Fatalf("row of word %d is %v, want %v", w, x, y)
		}
	}
}

func TestChangeSetFaults(t *testing.T) {
	for name, f := range map[string]func(){
		"words out of order": func() { s := &ChangeSet{}; s.Append(3, nil); s.Append(3, nil) },
		"below zero":         func() { Merge(nil, []Entry{{Topic: 1, Count: 1}}, []Change{{1, -2}}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
