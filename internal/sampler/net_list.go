package sampler

import (
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/radix"
)

// listedTopics is the number of topics from which on a word's moves are listed and sorted: a number and two
// bits for every topic are then beyond a second-level cache, and looking for them takes longer.
const listedTopics = 1 << 17

// moveList are the moves of one word's tokens: 2k for every token that left topic k, 2k + 1 for every one that
// came.
type moveList struct {
	moves []uint32
	radix.Sorter
}

func (l *moveList) add(old, new uint32) { l.moves = append(l.moves, old<<1, new<<1|1) }

// appendMoves appends what tokens moved from their old topics to those in the lowest bits of their records.
// It always writes, and keeps what is a move.
func appendMoves[T uint16 | uint32](moves []uint32, old []T, records []uint64, mask uint64) []uint32 {
	at := len(moves)
	moves = slices.Grow(moves, 2*len(old))[:at+2*len(old)]
	for i, o := range old {
		k := uint32(records[i] & mask)
		moves[at], moves[at+1] = uint32(o)<<1, k<<1|1
		next := at + 2
		if k == uint32(o) {
			next = at
		}
		at = next
	}
	return moves[:at]
}

// take appends the sums that are not zero in increasing topic order, of so many topics, and begins anew.
func (l *moveList) take(changes []counts.Change, topics int) []counts.Change {
	moves := l.moves
	l.Sort(moves, 2*topics)
	changes = slices.Grow(changes, len(moves))
	for i := 0; i < len(moves); {
		k, n := moves[i]>>1, int32(0)
		for ; i < len(moves) && moves[i]>>1 == k; i++ {
			n += int32(moves[i]&1)*2 - 1
		}
		if n != 0 {
			changes = append(changes, counts.Change{Topic: k, Delta: n})
		}
	}
	l.moves = moves[:0]
	return changes
}
