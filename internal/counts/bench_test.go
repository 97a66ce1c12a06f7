package counts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

var benchmarkSink int32

// benchmarkTable visits random topics of random rows; a row holds as many topics
// as its word's frequency allows, the same ones in every row.
func benchmarkTable(b *testing.B, f func(table *Table, w, k int)) {
	for _, topics := range []int{1 << 10, 1 << 16, 1 << 20} {
		for _, frequency := range []int{8, 128, 4096, 1 << 20} {
			held := rand.New(rand.NewPCG(1, 1)).Perm(topics)[:min(frequency, topics)]
			words := min(1<<14, 1<<22/len(held)) // 16 MB of counts or fewer
			b.Run(fmt.Sprintf("K=%d/n_w=%d/rows=%d", topics, frequency, words), func(b *testing.B) {
				table := fullTable(topics, frequency, words, held)
				i := uint64(0)
				for b.Loop() {
					i = i*6364136223846793005 + 1442695040888963407
					f(table, int(i>>32)&(words-1), held[int(i>>40)&(len(held)-1)])
				}
				b.ReportMetric(float64(table.MemoryBytes())/float64(words), "B/row")
			})
		}
	}
}

func fullTable(topics, frequency, words int, held []int) *Table {
	table := NewTable(topics, slices.Repeat([]uint64{uint64(frequency)}, words))
	for w := range words {
		for _, k := range held {
			table.Add(w, k, 1)
		}
	}
	return table
}

func BenchmarkGet(b *testing.B) {
	benchmarkTable(b, func(table *Table, w, k int) { benchmarkSink += table.Get(w, k) })
}

// BenchmarkMove takes a token away and puts it back: two Adds.
func BenchmarkMove(b *testing.B) {
	benchmarkTable(b, func(table *Table, w, k int) {
		table.Add(w, k, -1)
		table.Add(w, k, 1)
	})
}
