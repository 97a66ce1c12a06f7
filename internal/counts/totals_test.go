package counts

import (
	"runtime"
	"testing"
)

// The sums of all workers take 32 MiB at most beside the result, however many processors there are: 64 of them would
// each have one sum of every one of a million topics, 512 MiB together.
func TestTotalsOfAMillionTopics(t *testing.T) {
	const topics = 1 << 20
	const words = 1 << 16 // enough for every processor to have some
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(64))
	table := make(listed, words)
	for w := range table {
		table[w] = []Entry{{Topic: uint32(w), Count: 1}, {Topic: topics - 1, Count: 2}}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	totals, wrong := Totals(table, words, topics)
	runtime.ReadMemStats(&after)
	if wrong >= 0 {
		t.Fatalf("word %d is wrong", wrong)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 40<<20 {
		t.Errorf("the sums took %d MiB, at most 40 expected", used>>20)
	}
	if totals[0] != 1 || totals[words-1] != 1 || totals[words] != 0 || totals[topics-1] != 2*words {
		t.Errorf("totals are %d, %d, %d and %d, 1, 1, 0 and %d expected", totals[0], totals[words-1], totals[words],
			totals[topics-1], 2*words)
	}
}
