package sampler

import (
	"slices"
	"testing"
)

// Ranges have about equal numbers of tokens, whoever counts them.
func TestEqualRanges(t *testing.T) {
	const v = 50
	words, before := make([]uint32, 5<<20/2), make([]int, v+1)
	for i := range words {
		words[i] = uint32(i * i % 97 % v)
		before[words[i]+1]++
	}
	for w := range v {
		before[w+1] += before[w]
	}
	ranges := EqualRanges(words, v, 4)
	if !slices.Equal(ranges, EqualRangesOf(before, 4)) {
		t.Errorf("got %v, want %v", ranges, EqualRangesOf(before, 4))
	}
	if len(ranges) != 5 || ranges[0] != 0 || ranges[4] != v {
		t.Fatalf("got %v", ranges)
	}
	for i := range 4 {
		if n := before[ranges[i+1]] - before[ranges[i]]; n < len(words)/8 || n > len(words)/2 {
			t.Errorf("range %d has %d tokens of %d", i, n, len(words))
		}
	}
	if got := EqualRanges(nil, 3, 2); !slices.Equal(got, []int{0, 1, 3}) {
		t.Errorf("without tokens: %v", got)
	}
}
