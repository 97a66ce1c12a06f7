package counts

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// concurrentTable is a table whose rows several goroutines may ask for.
type concurrentTable struct{ *Table }

func (concurrentTable) Concurrent() {}

// Rows that are copied by several goroutines are those that one copies, and words that
// are not marked have none. Some rows are longer than what is left of a slab.
func TestInPlaceOfTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const topics, words = 10_000, 40
	table := NewTable(topics, slices.Repeat([]uint64{20_000}, words))
	marked := make([]bool, words)
	for w := range marked {
		marked[w] = r.IntN(3) > 0
		for range r.IntN(12_000) {
			table.Add(w, r.IntN(topics), 1)
		}
	}
	want := InPlaceOf(table, marked, 1)
	for _, threads := range []int{1, 2, 5} {
		got := InPlaceOf(concurrentTable{table}, marked, threads)
		for w := range marked {
			if !slices.Equal(got.Row(w), want.Row(w)) || len(got.Row(w)) > 0 && !marked[w] {
				t.Errorf("%d threads: row %d differs", threads, w)
			}
		}
	}
}
