package counts

import (
	"cmp"
	"slices"

	"github.com/topoi-lda/topoi/topic"
)

// Top appends the n highest counts of a column, highest first, equal ones by
// word. It gathers up to twice as many, then throws the lesser half away: O(log n)
// for a word that is kept, and next to nothing for one that is not.
func Top(dst, column []topic.WordCount, n int) []topic.WordCount {
	if n <= 0 {
		return dst
	}
	first := len(dst)
	least := uint32(0) // what does not exceed it has n better ones
	for _, e := range column {
		if e.Count <= least {
			continue
		}
		dst = append(dst, e)
		if len(dst) == first+2*n {
			slices.SortFunc(dst[first:], byFallingCount)
			dst = dst[:first+n]
			least = dst[len(dst)-1].Count
		}
	}
	slices.SortFunc(dst[first:], byFallingCount)
	return dst[:min(len(dst), first+n)]
}

// byFallingCount orders by falling count, then by word.
func byFallingCount(a, b topic.WordCount) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Word, b.Word))
}
