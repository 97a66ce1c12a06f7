package copies

import "slices"

// mostShingles is the number of shingles by which long documents are compared: their smallest ones. The part that they
// share differs from that of all shingles by 0.02 at most in 19 of 20 pairs.
const mostShingles = 2048

// Set is the shingles of a document: all, or the smallest of a long one.
type Set struct {
	low  []uint32 // rising
	size int      // number of different shingles
}

// SetOf returns the set of shingles, whose list it may change.
func SetOf(shingles []uint32) Set {
	slices.Sort(shingles)
	shingles = slices.Compact(shingles)
	return Set{low: slices.Clone(shingles[:min(len(shingles), mostShingles)]), size: len(shingles)}
}

// Join returns the shingles of two pieces of a document.
func (s Set) Join(t Set) Set {
	all := append(slices.Clone(s.low), t.low...)
	slices.Sort(all)
	size := s.size + t.size - len(all)
	all = slices.Compact(all)
	return Set{low: all[:min(len(all), mostShingles)], size: size + len(all)}
}

// Alike reports whether two documents are near copies: they share 60 % of the shingles of the one that has more. Of
// long documents, of which a sample is compared, 57 % suffice, so that hardly any is missed. It depends on whole
// numbers alone.
func (s Set) Alike(t Set) bool {
	most, percent := len(s.low)+len(t.low), 60
	if s.size > len(s.low) || t.size > len(t.low) {
		most, percent = mostShingles, 57 // of both together, so that the smallest of both are known
	}
	small, large := min(s.size, t.size), max(s.size, t.size)
	if 100*small < percent*large || small == 0 {
		return false
	}
	both, shared := 0, 0
	for i, j := 0, 0; both < most && (i < len(s.low) || j < len(t.low)); both++ {
		switch {
		case j == len(t.low) || i < len(s.low) && s.low[i] < t.low[j]:
			i++
		case i == len(s.low) || t.low[j] < s.low[i]:
			j++
		default:
			i, j, shared = i+1, j+1, shared+1
		}
	}
	// shared/both is the Jaccard similarity J, and they share J/(1+J) of the sum of their sizes
	return 100*shared*(small+large) >= percent*large*(both+shared)
}
