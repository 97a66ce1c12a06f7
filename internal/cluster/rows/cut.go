package rows

// Cut cuts the vocabulary into slices: runs of consecutive words whose rows have about the same size. A part's tokens
// lie in memory by word, so a pass slice by slice goes through the memory once. LightLDA (§6) instead deals frequent
// words out to all slices.
type Cut struct {
	Frequencies []uint64   // V: how often a word occurs
	Begins      []int      // slices + 1: the first word of each slice, and V
	Slice       []uint32   // V: the slice of a word
	Words       [][]uint32 // by slice: its words in increasing order
}

// NewCut cuts a vocabulary with the given frequencies into n slices for so many topics. Some may have no words.
func NewCut(frequencies []uint64, topics, n int) *Cut {
	v := len(frequencies)
	c := &Cut{Frequencies: frequencies, Begins: make([]int, n+1), Slice: make([]uint32, v), Words: make([][]uint32, n)}
	total := uint64(0)
	for _, f := range frequencies {
		total += MostEntries(f, topics) + 1
	}
	words := make([]uint32, v)
	sum, slice := uint64(0), 0
	for w, f := range frequencies {
		words[w] = uint32(w)
		c.Slice[w] = uint32(slice)
		sum += MostEntries(f, topics) + 1
		for slice < n-1 && sum*uint64(n) >= total*uint64(slice+1) {
			slice++
			c.Begins[slice] = w + 1
		}
	}
	for s := slice + 1; s <= n; s++ {
		c.Begins[s] = v
	}
	for s := range c.Words {
		c.Words[s] = words[c.Begins[s]:c.Begins[s+1]]
	}
	return c
}

// MostEntries returns how many topics a word that occurs n times has at most.
func MostEntries(n uint64, topics int) uint64 { return min(n, uint64(topics)) }

// place returns the place of a word among those of its slice.
func (c *Cut) place(w uint32) int { return int(w) - c.Begins[c.Slice[w]] }
