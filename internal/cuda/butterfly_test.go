package cuda

import (
	"slices"
	"strings"
	"testing"
)

func TestButterflyCorpus(t *testing.T) {
	o := ButterflyOptions{Documents: 100, Vocabulary: 50, Tokens: 2000, Longest: 60}.withDefaults()
	offsets, words := o.corpus()
	if len(offsets) != 101 || int(offsets[100]) != 2000 || len(words) != 2000 {
		t.Fatalf("%d offsets to %d, %d words", len(offsets), offsets[len(offsets)-1], len(words))
	}
	last := 60
	for m := range 100 {
		n := int(offsets[m+1] - offsets[m])
		if n < 1 || n > last {
			t.Errorf("document %d has %d tokens after one with %d", m, n, last)
		}
		last = n
	}
	counts := make([]int, 50)
	for _, w := range words {
		counts[w]++
	}
	// P(word 0) = ln 2 / ln 51 = 0.176: 352 of 2000, standard deviation 17.
	if counts[0] < 300 || counts[0] > 404 || slices.Max(counts) != counts[0] {
		t.Errorf("word 0 occurs %d times", counts[0])
	}
}

func TestButterflyOptions(t *testing.T) {
	if err := (ButterflyOptions{}).Validate(); err != nil {
		t.Error(err)
	}
	err := ButterflyOptions{K: []int{0}, Documents: 10, Tokens: 5}.Validate()
	if err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("two faults expected: %v", err)
	}
}

func TestTimeButterfly(t *testing.T) {
	c := gpu(t)
	o := ButterflyOptions{K: []int{4, 100, 256}, Documents: 5000, Vocabulary: 2000, Tokens: 200_000, Seed: 1}
	rows, err := TimeButterfly(c, o)
	must(t, err)
	if len(rows) != 6 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		t.Logf("K %4d, %d bits: %v, %d differ", r.K, r.Bits, r.Time, r.Differ)
		// The two orders of adding differ by some 2^-24·log2(K) of the sum, so a
		// draw changes with about that probability: far below 1 in 1000.
		if r.Time[Baseline] <= 0 || r.Time[Butterfly] <= 0 || r.Differ > o.Tokens/1000 {
			t.Errorf("implausible: %+v", r)
		}
	}
}
