package counts

// Table stores n_wk for many topics: dense rows for frequent words, hash rows for the long tail (Yuan et al.,
// "LightLDA: big topic models on modest computer clusters", WWW 2015, section 5).
//
// A word that occurs n_w times has at most min(n_w, K) topics, so the largest size of its row is known
// beforehand. A row is a hash table of half as many slots again (a load of at most two thirds) if such a
// table is smaller than K 32-bit counts (for K ≤ 65,536: less than half as large, for speed), and dense
// otherwise. Rows never grow or move. With a Zipf-distributed vocabulary many tokens belong to dense rows,
// which cost one access, while most rows are small.
//
//	Get, Add    O(1)                 AppendRow    O(K) dense, O(n_w log n_w) hash
//	memory      4 min(K, 1.5 n_w) bytes for a row while K ≤ 65,536, where a
//	            topic and its count share a 32-bit slot; 64-bit slots beyond;
//	            16 bytes a word
//
// The paper probes quadratically. Table probes linearly and deletes by shifting back: at this load a search
// reads one cache line either way, and no deleted slots slow it down later.
//
// Different goroutines may use different rows at the same time; a row has one user at a time.
type Table struct {
	topics int
	rows   []place // [V]

	// These slabs hold all rows. Only one of narrow and wide is used.
	dense  []int32      // rows of stride counts, starting at multiples of a cache line
	narrow []narrowSlot // hash rows for K ≤ 65,536
	wide   []wideSlot   // hash rows for more
}

// place is the position of a row.
type place struct {
	offset uint64 // in its slab
	slots  uint32 // of a hash row; 0 for a dense one
}

// NewTable returns a table of zeros for the given number of topics, up to 2^31, and words of the given frequencies
// n_w. The counts of a row may never sum to more than its frequency.
func NewTable(topics int, frequencies []uint64) *Table {
	if topics < 1 || uint64(topics) > 1<<31 {
		panic(faultTopics)
	}
	t := &Table{topics: topics, rows: make([]place, len(frequencies))}
	var denseLength, hashLength uint64
	for w, frequency := range frequencies {
		if slots := t.slots(frequency); slots > 0 {
			t.rows[w] = place{hashLength, slots}
			hashLength += uint64(slots)
		} else {
			t.rows[w] = place{offset: denseLength}
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

// stride returns the length of a dense row: K rounded up to whole cache lines, so that users of neighbouring
// rows never write to the same line.
func (t *Table) stride() uint64 {
	return (uint64(t.topics) + countsPerLine - 1) / countsPerLine * countsPerLine
}

// slots returns the number of slots of a word's hash row, or 0 if the row is dense. A narrow row is hashed
// only if 3 n_w < K, so that n_w, the largest count it can hold, fits half a slot. At least one slot stays
// empty and ends searches.
func (t *Table) slots(frequency uint64) uint32 {
	most := max(1, min(frequency, uint64(t.topics)))
	slots := most + most/2 + 1
	if t.isNarrow() && 4*slots >= 2*uint64(t.topics) || 8*slots >= 4*uint64(t.topics) && !t.isNarrow() {
		return 0
	}
	return uint32(slots)
}

// narrowRow and wideRow return a word's hash row.
func (t *Table) narrowRow(p place) hashRow[narrowSlot] {
	return t.narrow[p.offset : p.offset+uint64(p.slots)]
}

func (t *Table) wideRow(p place) hashRow[wideSlot] {
	return t.wide[p.offset : p.offset+uint64(p.slots)]
}

// Get returns n_wk.
func (t *Table) Get(w, k int) int32 {
	t.checkTopic(k)
	p := t.rows[w]
	switch {
	case p.slots == 0:
		return t.dense[p.offset+uint64(k)]
	case t.isNarrow():
		return t.narrowRow(p).get(uint32(k))
	default:
		return t.wideRow(p).get(uint32(k))
	}
}

// Add adds delta to n_wk and returns the new value, which must not be negative. The counts of the row must sum to at
// most the word's frequency afterwards: when moving a token, take it away before putting it back.
func (t *Table) Add(w, k int, delta int32) int32 {
	t.checkTopic(k)
	p := t.rows[w]
	switch {
	case p.slots == 0:
		n := &t.dense[p.offset+uint64(k)]
		if *n += delta; *n < 0 {
			panic(faultBelow)
		}
		return *n
	case t.isNarrow():
		return t.narrowRow(p).add(uint32(k), delta)
	default:
		return t.wideRow(p).add(uint32(k), delta)
	}
}

func (t *Table) checkTopic(k int) {
	if uint(k) >= uint(t.topics) {
		panic(faultTopic)
	}
}

// AppendRow implements Rows. The result depends on the counts alone, not on the order in which they were added.
func (t *Table) AppendRow(dst []Entry, w int) []Entry {
	p := t.rows[w]
	switch {
	case p.slots == 0:
		return AppendDense(dst, t.DenseRow(w))
	case t.isNarrow():
		return t.narrowRow(p).appendSorted(dst)
	default:
		return t.wideRow(p).appendSorted(dst)
	}
}

// DenseRow returns the K counts of a word whose row is dense, for loops over all
// of them, and nil for other words. Changes to it are changes to the table.
func (t *Table) DenseRow(w int) []int32 {
	p := t.rows[w]
	if p.slots != 0 {
		return nil
	}
	return t.dense[p.offset:][:t.topics:t.topics]
}

// Clear sets all counts to zero.
func (t *Table) Clear() {
	clear(t.dense)
	clear(t.narrow)
	clear(t.wide)
}

// MemoryBytes returns the size of the table in bytes.
func (t *Table) MemoryBytes() int {
	return 16*len(t.rows) + 4*len(t.dense) + 4*len(t.narrow) + 8*len(t.wide)
}
