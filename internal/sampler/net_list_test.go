package sampler

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
)

// TestListedMoves compares sums of moves that are listed and sorted with sums by topic, for few and many of them.
func TestListedMoves(t *testing.T) {
	const k = listedTopics
	random := rand.New(rand.NewPCG(1, 2))
	n := newNet(k)
	for _, tokens := range []int{0, 1, 2, 5, 23, 24, 25, 48, 300, 5000} {
		for _, topics := range []uint32{3, 200, k} {
			old, records := make([]uint32, tokens), make([]uint64, tokens)
			want := map[uint32]int32{}
			for i := range old {
				old[i] = k - 1 - random.Uint32N(topics)
				records[i] = uint64(random.Uint32N(topics)) | random.Uint64()<<40
				want[old[i]]--
				want[uint32(records[i]&(1<<21-1))]++
			}
			n.Begin(tokens)
			if !n.listed {
				t.Fatalf("%d moves are not listed", tokens)
			}
			NetRecords(n, old[:tokens/2], records, 1<<21-1)
			for i := tokens / 2; i < tokens; i++ {
				n.Move(old[i], uint32(records[i]&(1<<21-1)))
			}
			var sums []counts.Change
			for topic, d := range want {
				if d != 0 {
					sums = append(sums, counts.Change{Topic: topic, Delta: d})
				}
			}
			slices.SortFunc(sums, func(a, b counts.Change) int { return int(a.Topic) - int(b.Topic) })
			if got := n.take(); !slices.Equal(got, sums) {
				t.Fatalf("%d moves between %d topics: %v instead of %v", tokens, topics, got, sums)
			}
		}
	}
}
