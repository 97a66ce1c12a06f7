package sampler

import (
	"math/bits"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/radix"
)

// Net sums how the tokens of one word move from topic to topic.
type Net struct {
	delta   []int32  // K, zero between words
	low     []uint64 // a bit for every topic that changed; zero between words
	high    []uint64 // a bit for every element of low that is not zero
	dense   bool     // take scans all topics, so that changed ones need no bit
	listed  bool     // moves are listed, and take sorts the list
	list    moveList
	changes []counts.Change // returned by take, reused
	Moved   []uint64        // warp's buffer of tokens for MoveAll
}

// MovedRoom is the length of Net.Moved.
const MovedRoom = 512 + 16

func newNet(k int) *Net {
	low := (k + 63) / 64
	n := &Net{delta: make([]int32, k), low: make([]uint64, low), high: make([]uint64, (low+63)/64)}
	n.Moved = make([]uint64, MovedRoom)
	return n
}

// Many is the number of a word's tokens from which take scans all topics.
func (n *Net) Many() int { return len(n.delta) / 4 }

// Begin prepares for a word of at most the given number of tokens. It is needed only for words with fewer than Many.
func (n *Net) Begin(tokens int) {
	n.dense = tokens >= n.Many()
	n.listed = !n.dense && len(n.delta) >= listedTopics
}

// Move counts a token that moves from topic old to topic new.
func (n *Net) Move(old, new uint32) {
	if n.dense {
		n.delta[old]--
		n.delta[new]++
		return
	}
	if old == new {
		return
	}
	if n.listed {
		n.list.add(old, new)
		return
	}
	n.count(old, new)
}

// count counts a move between different topics.
func (n *Net) count(old, new uint32) {
	n.delta[old]--
	n.delta[new]++
	n.meet(old)
	n.meet(new)
}

func (n *Net) meet(k uint32) {
	n.low[k/64] |= 1 << (k % 64)
	n.high[k/4096] |= 1 << (k / 64 % 64)
}

// give passes the changes of word w to all, if that is not nil and all topics are scanned, or else
// to some, unless nothing changed. Then it resets n.
func (n *Net) give(w uint32, some func(w uint32, changes []counts.Change), all func(w uint32, delta []int32)) {
	if all != nil && n.dense {
		all(w, n.delta)
		n.clear()
	} else if changes := n.take(); len(changes) > 0 {
		some(w, changes)
	}
}

// take returns the sums that are not zero, in increasing topic order, and resets n. The result is
// valid until the next call. The time grows with the number of topics that changed.
func (n *Net) take() []counts.Change {
	switch {
	case n.dense:
		return n.takeAll()
	case n.listed:
		n.changes = n.list.take(n.changes[:0], len(n.delta))
		return n.changes
	}
	changes := n.changes[:0]
	for h, words := range n.high {
		for ; words != 0; words &= words - 1 {
			i := h*64 + bits.TrailingZeros64(words)
			for b := n.low[i]; b != 0; b &= b - 1 {
				k := i*64 + bits.TrailingZeros64(b)
				if d := n.delta[k]; d != 0 {
					changes = append(changes, counts.Change{Topic: uint32(k), Delta: d})
					n.delta[k] = 0
				}
			}
			n.low[i] = 0
		}
		n.high[h] = 0
	}
	n.changes = changes
	return changes
}

// takeAll is take by a scan of all topics. It writes every sum and advances only past those that
// are not zero, so that the loop has no unpredictable branch.
func (n *Net) takeAll() []counts.Change {
	if cap(n.changes) < len(n.delta) {
		n.changes = make([]counts.Change, len(n.delta))
	}
	changes := n.changes[:len(n.delta)]
	at := 0
	for k, d := range n.delta {
		changes[at] = counts.Change{Topic: uint32(k), Delta: d}
		next := at + 1
		if d == 0 {
			next = at
		}
		at = next
	}
	n.clear()
	return changes[:at]
}

// clear resets n after a word whose changes are dense.
func (n *Net) clear() {
	clear(n.delta)
	n.dense = false
}

// NetMoves counts the moves of tokens from their old topics to the first topic of their records,
// which have stride topics each. It is Move in a loop, with the branches taken out of it.
func NetMoves[T uint16 | uint32](n *Net, old, records []T, stride int) {
	if !n.dense {
		for i, o := range old {
			n.Move(uint32(o), uint32(records[i*stride]))
		}
		return
	}
	delta := n.delta
	for i, o := range old {
		delta[o]--
		delta[records[i*stride]]++
	}
}

// NetRecords is NetMoves for records whose lowest bits, those of mask, are the new topic.
func NetRecords[T uint16 | uint32](n *Net, old []T, records []uint64, mask uint64) {
	records = records[:len(old)]
	if n.listed {
		n.list.moves = appendMoves(n.list.moves, old, records, mask)
		return
	}
	for i, o := range old {
		n.Move(uint32(o), uint32(records[i]&mask))
	}
}

// MoveAll counts moves from the topic in the highest 16 bits of an element to the one in its lowest 16.
func (n *Net) MoveAll(moved []uint64) {
	delta := n.delta
	if n.dense {
		for _, x := range moved {
			delta[x>>48]--
			delta[x&0xFFFF]++
		}
		return
	}
	for _, x := range moved { // 16 bits are too few topics for lists
		n.count(uint32(x>>48), uint32(x&0xFFFF))
	}
}

// listedTopics is the number of topics from which a word's moves are listed and sorted. A sum and
// two bits for every topic then exceed a second-level cache, and access to them takes longer.
const listedTopics = 1 << 17

// moveList lists the moves of one word's tokens: 2k for every token that left topic k, 2k + 1 for
// every token that came to it.
type moveList struct {
	moves []uint32
	radix.Sorter
}

func (l *moveList) add(old, new uint32) { l.moves = append(l.moves, old<<1, new<<1|1) }

// appendMoves appends the moves of tokens from their old topics to those in the lowest bits of their records. It
// writes every pair and advances only past real moves, so that the loop has no unpredictable branch.
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

// take appends the sums that are not zero to changes, in increasing topic order, and empties the list.
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
