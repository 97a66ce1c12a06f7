package holdout

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/rng"
)

// The sample is the documents with the smallest keys, as a sort finds them.
func TestSampleDocs(t *testing.T) {
	for _, n := range []int{1, 2, 10, 1000, 70000} {
		for _, left := range []int{1, n / 10, n / 2, n - 1, n} {
			for seed := range uint64(2) {
				all := make([]uint32, n)
				for d := range all {
					all[d] = uint32(d)
				}
				key := rng.NewKey(seed)
				slices.SortStableFunc(all, func(a, b uint32) int { return cmp.Compare(docKey(key, a), docKey(key, b)) })
				want, others := slices.Clone(all[:left]), slices.Clone(all[left:])
				slices.Sort(want)
				slices.Sort(others)
				rest, drawn := Sample(n, left, seed)
				if !slices.Equal(drawn, want) || !slices.Equal(rest, others) {
					t.Fatalf("%d of %d with seed %d: %v", left, n, seed, drawn)
				}
			}
		}
	}
}

// Models say which documents were held out by naming the way they were drawn, so the
// way must never change.
func TestSampleStaysTheSame(t *testing.T) {
	for seed, want := range map[uint64]string{
		0:         "[13 17 20 25 28 31]",
		1:         "[0 6 11 14 19 20]",
		1<<40 + 7: "[2 5 12 16 20 30]",
	} {
		if _, drawn := Sample(32, 6, seed); fmt.Sprint(drawn) != want {
			t.Errorf("seed %d: %v, want %s", seed, drawn, want)
		}
	}
}

// Every document is drawn equally often. Of 4,000 seeds, each draws 3 of 30, so a
// document comes up 400 times with a standard deviation of 19; six of them are passed
// once in 10^7 tests of 30 documents.
func TestSampleIsUniform(t *testing.T) {
	times := make([]int, 30)
	for seed := range uint64(4000) {
		_, drawn := Sample(30, 3, seed)
		for _, d := range drawn {
			times[d]++
		}
	}
	for d, n := range times {
		if n < 400-6*19 || n > 400+6*19 {
			t.Errorf("document %d was drawn %d times of 400", d, n)
		}
	}
}
