package copies

import "slices"

// mostShingles is the number of shingles by which long documents are compared: their smallest ones. The part that they
// share differs from that of all shingles by 0.02 at most in 19 of 20 pairs.
const mostShingles = 2048

// Set is the shingles of a document: all, or the smallest of a long one.
type Set struct {
	low   []uint32 // rising
	size  int      // number of different shingles
	order []uint32 // all in their order; nil for a long document
}

// SetOf returns the set of shingles, which come in their order.
func SetOf(shingles []uint32) Set {
	sorted := slices.Clone(shingles)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	s := Set{low: sorted[:min(len(sorted), mostShingles)], size: len(sorted)}
	if len(shingles) <= mostShingles {
		s.order = slices.Clone(shingles)
	}
	return s
}

// Join returns the shingles of two pieces of a document.
func (s Set) Join(t Set) Set {
	if len(s.order)+len(t.order) <= mostShingles && s.order != nil && t.order != nil {
		return SetOf(append(slices.Clone(s.order), t.order...))
	}
	all := append(slices.Clone(s.low), t.low...)
	slices.Sort(all)
	size := s.size + t.size - len(all)
	all = slices.Compact(all)
	return Set{low: all[:min(len(all), mostShingles)], size: size + len(all)}
}

// Parts of the shingles of the larger document, in per cent, that make near copies.
const (
	percentScattered = 60 // what differs is scattered over the text
	percentSampled   = 57 // of long documents, of which a sample is compared: so that hardly any is missed
	percentAny       = 85
)

// Alike reports whether two documents are near copies: they share 60 % of the shingles of the one that has more. If
// they differ in one place, they share 85 %: otherwise short letters with the same signature would be copies. It
// depends on whole numbers alone.
func (s Set) Alike(t Set) bool {
	most, percent := len(s.low)+len(t.low), percentScattered
	if s.order == nil || t.order == nil {
		most, percent = mostShingles, percentSampled // of both together, so that the smallest of both are known
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
	atLeast := func(percent int) bool { return 100*shared*(small+large) >= percent*large*(both+shared) }
	return atLeast(percent) && (atLeast(percentAny) || percent == percentSampled || s.scattered(t) && t.scattered(s))
}

// Numbers of shingles in a row that may differ in one place: a sentence of six words inside a text, four words at its
// beginning or its end, where letters have what is their own.
const (
	fewInside = 8
	fewAtEnds = 6
)

// scattered reports whether the shingles of s that t has not are in more than one place: at most half of them, or a
// few, follow each other.
func (s Set) scattered(t Set) bool {
	other, run, longest, first := 0, 0, 0, 0
	for i, h := range s.order {
		run++
		other++
		if _, has := slices.BinarySearch(t.low, h); has {
			run = 0
			other--
		}
		longest = max(longest, run)
		if run == i+1 {
			first = run
		}
	}
	return longest <= max(fewInside, other/2) && max(first, run) <= max(fewAtEnds, other/2)
}
