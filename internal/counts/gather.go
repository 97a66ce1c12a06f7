package counts

import (
	"context"
	"runtime"

	"github.com/topoi-lda/topoi/internal/parallel"
)

// Gather returns the rows of all words, one after the other, and the end of each. They are
// counted first, which takes less than holding a list twice while it grows.
func Gather(rows Rows, words, threads int) (entries []Entry, ends []uint64) {
	const run = 64 // frequent words, which take longest, come first in many vocabularies
	ends = make([]uint64, words)
	place, inPlace := rows.(InPlace)
	each := func(f func(w int, row []Entry)) {
		room := make([][]Entry, parallel.Workers(threads, words))
		_ = parallel.Do(context.Background(), threads, (words+run-1)/run, func(worker, i int) {
			for w := i * run; w < min(words, (i+1)*run); w++ {
				if inPlace {
					f(w, place.Row(w))
					continue
				}
				room[worker] = rows.AppendRow(room[worker][:0], w)
				f(w, room[worker])
			}
		})
	}
	each(func(w int, row []Entry) { ends[w] = uint64(len(row)) })
	for w := 1; w < words; w++ {
		ends[w] += ends[w-1]
	}
	if words == 0 {
		return nil, ends
	}
	entries = make([]Entry, ends[words-1])
	each(func(w int, row []Entry) { copy(entries[ends[w]-uint64(len(row)):], row) })
	return entries, ends
}

// Totals adds up the rows of all words, with all cores. wrong is the first word whose row is not sorted, or holds a
// topic beyond K-1 or a count of 0; -1: there is none.
func Totals(rows InPlace, words, topics int) (totals []uint64, wrong int) {
	const run = 1 << 10 // words
	tasks := (words + run - 1) / run
	sums := make([][]uint64, parallel.Workers(runtime.GOMAXPROCS(0), tasks))
	for i := range sums {
		sums[i] = make([]uint64, topics)
	}
	faults := make([]int, tasks) // 1 + the first word of the run that is wrong
	_ = parallel.Do(context.Background(), len(sums), tasks, func(worker, i int) {
		for w := i * run; w < min(words, (i+1)*run) && faults[i] == 0; w++ {
			if !addRow(sums[worker], rows.Row(w)) {
				faults[i] = 1 + w
			}
		}
	})
	for _, sum := range sums[1:] {
		for k, n := range sum {
			sums[0][k] += n
		}
	}
	for _, w := range faults {
		if w > 0 {
			return sums[0], w - 1
		}
	}
	return sums[0], -1
}

// addRow adds a row to sums, and says whether it is as rows are.
func addRow(sums []uint64, row []Entry) bool {
	next := 0
	for _, e := range row {
		if int(e.Topic) < next || int(e.Topic) >= len(sums) || e.Count == 0 {
			return false
		}
		sums[e.Topic] += uint64(e.Count)
		next = int(e.Topic) + 1
	}
	return true
}

// Occurring lists the words that occur among tokens, increasing.
func Occurring(tokens []uint32, vocabulary int) []uint32 {
	occurs := make([]bool, vocabulary)
	for _, w := range tokens {
		occurs[w] = true
	}
	var list []uint32
	for w, yes := range occurs {
		if yes {
			list = append(list, uint32(w))
		}
	}
	return list
}
