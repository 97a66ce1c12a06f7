package counts

import (
	"math/bits"
	"slices"
)

// A slot of a hash row packs a topic above its count, half of the bits each. A count of zero marks an empty slot, so
// that topic 0 needs no special care; a slot whose count becomes zero is removed.
type (
	narrowSlot uint32
	wideSlot   uint64
)

// slot is either of them. They differ only in the width of the halves.
type slot interface{ narrowSlot | wideSlot }

// half returns the number of bits of half a slot.
func half[S slot]() uint { return uint(bits.Len64(uint64(^S(0)))) / 2 }

func topicOf[S slot](s S) uint32 { return uint32(s >> half[S]()) }
func countOf[S slot](s S) uint32 { return uint32(s & (1<<half[S]() - 1)) }

// hashRow is a table of slots with linear probing: a topic is in the first slots from home(topic) on, without
// an empty slot before it. The first slot follows the last.
type hashRow[S slot] []S

// home returns the slot where the search for a topic begins: the upper bits of a multiplication by 2^32 over the
// golden ratio (Knuth, The Art of Computer Programming 3, section 6.4).
func (r hashRow[S]) home(topic uint32) int {
	const goldenRatio = 0x9E3779B1
	return int(uint64(topic*goldenRatio) * uint64(len(r)) >> 32)
}

// find returns the slot of a topic, or the empty one where it would go, or -1 if it is absent and the row is full.
func (r hashRow[S]) find(topic uint32) int {
	home := r.home(topic)
	for i, s := range r[home:] {
		if countOf(s) == 0 || topicOf(s) == topic {
			return home + i
		}
	}
	for i, s := range r[:home] {
		if countOf(s) == 0 || topicOf(s) == topic {
			return i
		}
	}
	return -1
}

func (r hashRow[S]) get(topic uint32) int32 {
	if i := r.find(topic); i >= 0 {
		return int32(countOf(r[i]))
	}
	return 0
}

func (r hashRow[S]) add(topic uint32, delta int32) int32 {
	i := r.find(topic)
	if i < 0 {
		panic(faultCrowded)
	}
	count := int64(countOf(r[i])) + int64(delta)
	switch {
	case count < 0:
		panic(faultBelow)
	case count > int64(1)<<min(half[S](), 31)-1:
		panic(faultCrowded)
	case count > 0:
		r[i] = S(topic)<<half[S]() | S(count)
	case countOf(r[i]) > 0:
		r.remove(i)
	}
	return int32(count)
}

// remove empties slot i and moves back those slots after it whose search would otherwise end at the hole.
func (r hashRow[S]) remove(i int) {
	hole := i
	r[hole] = 0
	for j := r.next(hole); countOf(r[j]) > 0; j = r.next(j) {
		if r.distance(r.home(topicOf(r[j])), j) >= r.distance(hole, j) {
			r[hole], r[j] = r[j], 0
			hole = j
		}
	}
}

// next returns the slot after i.
func (r hashRow[S]) next(i int) int {
	if i++; i < len(r) {
		return i
	}
	return 0
}

// distance returns the number of steps from slot i to slot j, walking forwards.
func (r hashRow[S]) distance(i, j int) int {
	if i <= j {
		return j - i
	}
	return j - i + len(r)
}

// appendSorted appends the row's entries in increasing topic order.
func (r hashRow[S]) appendSorted(dst []Entry) []Entry {
	first := len(dst)
	for _, s := range r {
		if n := countOf(s); n > 0 {
			dst = append(dst, Entry{Topic: topicOf(s), Count: n})
		}
	}
	slices.SortFunc(dst[first:], func(a, b Entry) int { return int(a.Topic) - int(b.Topic) })
	return dst
}

const (
	countsPerLine = 16 // 32-bit counts in a cache line of 64 bytes

	faultTopic   = "counts: topic out of range"
	faultTopics  = "counts: number of topics out of range"
	faultBelow   = "counts: count below zero"
	faultCrowded = "counts: row holds more than its word's frequency allows"
)
