package counts

import "math/bits"

// Table is n_wk for many topics: dense rows for frequent words, hash rows for
// the long tail (Yuan et al., "LightLDA: big topic models on modest computer
// clusters", WWW 2015, section 5).
//
// A word that occurs n_w times has at most min(n_w, K) topics, so the largest
// size its row can need is known beforehand. A row is a hash table of a power
// of two of slots, at least twice that number (a load of at most one half), if
// such a table is smaller than K 32-bit counts, and dense otherwise. Rows never
// grow or move. For a Zipf-distributed vocabulary most tokens thus belong to
// dense rows, which cost one access, while most rows are small.
//
//	Get, Add    O(1)                 AppendRow    O(K) dense, O(n_w log n_w) hash
//	memory      4 min(K, 2 n_w … 4 n_w) bytes for a row while K ≤ 65,536, where a
//	            topic and its count share a 32-bit slot; 64-bit slots beyond
//
// Where the paper probes quadratically, Table probes linearly and deletes by
// shifting back: at this load a search touches one cache line either way, and
// no deleted slots remain to slow it down later.
//
// Different goroutines may use different rows at the same time; a row has one
// user at a time.
type Table struct {
	topics int
	rows   []place // [V]

	// Slabs that hold all rows. Of narrow and wide, one is used.
	dense  []int32      // rows of stride counts, starting at multiples of a cache line
	narrow []narrowSlot // hash rows for K ≤ 65,536
	wide   []wideSlot   // hash rows for more
}

// place says where a row is: its offset in its slab in the upper bits, and the
// logarithm of its number of slots in the lower six, or 0 for a dense row.
type place uint64

func (p place) offset() uint64 { return uint64(p >> 6) }
func (p place) log() uint      { return uint(p & 63) }

const (
	countsPerLine = 16 // 32-bit counts in a cache line of 64 bytes

	faultTopic   = "counts: topic out of range"
	faultTopics  = "counts: number of topics out of range"
	faultBelow   = "counts: count below zero"
	faultCrowded = "counts: row holds more than its word's frequency allows"
)

// NewTable returns a table of zeros for the given number of topics, up to 2^31,
// and words of the given frequencies n_w. The counts of a row may never sum to
// more than its frequency.
func NewTable(topics int, frequencies []uint64) *Table {
	if topics < 1 || uint64(topics) > 1<<31 {
		panic(faultTopics)
	}
	t := &Table{topics: topics, rows: make([]place, len(frequencies))}
	var denseLength, hashLength uint64
	for w, frequency := range frequencies {
		if log := t.slotsLog(frequency); log > 0 {
			t.rows[w] = place(hashLength<<6 | uint64(log))
			hashLength += 1 << log
		} else {
			t.rows[w] = place(denseLength << 6)
			denseLength += t.stride()
		}
	}
	t.dense = make([]int32, denseLength)
	if t.isNarrow() {
		t.narrow = make([]narrowSlot, hashLength)
	} else {
		t.wide = make([]wideSlot, hashLength)
	}
	return t
}

// Frequencies counts how often each of the words 0, …, vocabulary-1 occurs.
func Frequencies(words []uint32, vocabulary int) []uint64 {
	n := make([]uint64, vocabulary)
	for _, w := range words {
		n[w]++
	}
	return n
}

func (t *Table) isNarrow() bool { return t.topics <= 1<<16 }

// stride is the length of a dense row: K rounded up to whole cache lines, so
// that two users of neighbouring rows never write to the same one.
func (t *Table) stride() uint64 {
	return (uint64(t.topics) + countsPerLine - 1) / countsPerLine * countsPerLine
}

// slotsLog returns the logarithm of the slots of a word's hash row, or 0 if K
// counts are no larger. A row is thus hashed only if 2 n_w < K, so that n_w, the
// largest count it can hold, fits half a slot.
func (t *Table) slotsLog(frequency uint64) int {
	most := max(1, min(frequency, uint64(t.topics)))
	log := bits.Len64(2*most - 1)
	slotBytes := uint64(8)
	if t.isNarrow() {
		slotBytes = 4
	}
	if slotBytes<<log >= 4*uint64(t.topics) {
		return 0
	}
	return log
}

// Get returns n_wk.
func (t *Table) Get(w, k int) int32 {
	t.checkTopic(k)
	p := t.rows[w]
	switch {
	case p.log() == 0:
		return t.dense[p.offset()+uint64(k)]
	case t.isNarrow():
		return hashRow[narrowSlot](t.narrow[p.offset():][:1<<p.log()]).get(uint32(k))
	default:
		return hashRow[wideSlot](t.wide[p.offset():][:1<<p.log()]).get(uint32(k))
	}
}

// Add adds delta to n_wk and returns the new value, which must not be negative.
// The counts of the row must sum to at most the word's frequency afterwards:
// when moving a token, take it away before putting it back.
func (t *Table) Add(w, k int, delta int32) int32 {
	t.checkTopic(k)
	p := t.rows[w]
	switch {
	case p.log() == 0:
		n := &t.dense[p.offset()+uint64(k)]
		if *n += delta; *n < 0 {
			panic(faultBelow)
		}
		return *n
	case t.isNarrow():
		return hashRow[narrowSlot](t.narrow[p.offset():][:1<<p.log()]).add(uint32(k), delta)
	default:
		return hashRow[wideSlot](t.wide[p.offset():][:1<<p.log()]).add(uint32(k), delta)
	}
}

func (t *Table) checkTopic(k int) {
	if uint(k) >= uint(t.topics) {
		panic(faultTopic)
	}
}

// AppendRow implements Rows. What it appends depends on the counts alone, not on
// the order in which they came about.
func (t *Table) AppendRow(dst []Entry, w int) []Entry {
	p := t.rows[w]
	switch {
	case p.log() == 0:
		for k, n := range t.DenseRow(w) {
			if n > 0 {
				dst = append(dst, Entry{Topic: uint32(k), Count: uint32(n)})
			}
		}
		return dst
	case t.isNarrow():
		return hashRow[narrowSlot](t.narrow[p.offset():][:1<<p.log()]).appendSorted(dst)
	default:
		return hashRow[wideSlot](t.wide[p.offset():][:1<<p.log()]).appendSorted(dst)
	}
}

// DenseRow returns the K counts of a word whose row is dense, for loops over all
// of them, and nil for other words. Changes to it are changes to the table.
func (t *Table) DenseRow(w int) []int32 {
	p := t.rows[w]
	if p.log() != 0 {
		return nil
	}
	return t.dense[p.offset():][:t.topics:t.topics]
}

// Clear sets all counts to zero.
func (t *Table) Clear() {
	clear(t.dense)
	clear(t.narrow)
	clear(t.wide)
}

// MemoryBytes returns the memory the table holds.
func (t *Table) MemoryBytes() int {
	return 8*len(t.rows) + 4*len(t.dense) + 4*len(t.narrow) + 8*len(t.wide)
}
