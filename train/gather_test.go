package train

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/topic"
)

// Rows are gathered into a list of their very size, by any number of goroutines the same.
func TestGatherRows(t *testing.T) {
	m, err := Run(t.Context(), zipf(60), topoi.Options{Topics: 20, Sampler: "warp", Iterations: 3})
	if err != nil {
		t.Fatal(err)
	}
	if m.NumWords() < 200 {
		t.Fatalf("%d words are too few to be spread", m.NumWords())
	}
	var want []topic.Count
	for w := range m.NumWords() {
		want = append(want, m.Row(w)...)
	}
	for _, threads := range []int{1, 3, 8} {
		entries, ends := counts.Gather(m, m.NumWords(), threads)
		if !slices.Equal(entries, want) || len(ends) != m.NumWords() || ends[len(ends)-1] != uint64(len(want)) || cap(entries) != len(entries) {
			t.Errorf("%d threads: %d entries in room for %d, want %d", threads, len(entries), cap(entries), len(want))
		}
	}
}
