package sampler

import (
	"math/bits"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
)

// listedTopics is the number of topics from which on a word's moves are listed and sorted: a number and two
// bits for every topic are then beyond a second-level cache, and looking for them takes longer.
const listedTopics = 1 << 17

// moveList are the moves of one word's tokens: 2k for every token that left topic k, 2k + 1 for every one that
// came.
type moveList struct {
	moves []uint32
	room  []uint32 // for sorting
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

// take appends the sums that are not zero in increasing topic order, and begins anew.
func (l *moveList) take(changes []counts.Change) []counts.Change {
	l.sort()
	moves := l.moves
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

// Lists up to fewMoves are sorted by insertion, longer ones by digits of eight bits.
const fewMoves = 48

func (l *moveList) sort() {
	if len(l.moves) > fewMoves {
		l.sortDigits()
		return
	}
	moves := l.moves
	for i := 1; i < len(moves); i++ {
		x, j := moves[i], i
		for ; j > 0 && moves[j-1] > x; j-- {
			moves[j] = moves[j-1]
		}
		moves[j] = x
	}
}

// sortDigits sorts by counting, lowest digit first.
func (l *moveList) sortDigits() {
	var counts [4][256]uint32
	all := uint32(0)
	for _, x := range l.moves {
		counts[0][x&255]++
		counts[1][x>>8&255]++
		counts[2][x>>16&255]++
		counts[3][x>>24]++
		all |= x
	}
	for digit := range (bits.Len32(all) + 7) / 8 {
		next, sum := &counts[digit], uint32(0)
		for i, n := range next {
			next[i], sum = sum, sum+n
		}
		l.room = slices.Grow(l.room[:0], len(l.moves))[:len(l.moves)]
		room, shift := l.room, 8*digit
		for _, x := range l.moves {
			d := x >> shift & 255
			room[next[d]] = x
			next[d]++
		}
		l.moves, l.room = room, l.moves
	}
}
