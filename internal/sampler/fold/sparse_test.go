package fold

import (
	"fmt"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// fewTopics is n_wk of words of which every four share a topic, and all of them one.
type fewTopics struct{}

func (fewTopics) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return append(dst, counts.Entry{Topic: uint32(1000 * (w / 4)), Count: 30}, counts.Entry{Topic: 999_999, Count: 1})
}

// Beyond 65,536 topics documents still get the topics of their words, the same for
// any number of threads and in any company.
func TestFoldOfManyTopics(t *testing.T) {
	const k, v = 1_000_000, 40
	totals := slices.Repeat([]uint64{1e8}, k) // all other topics are about other words
	for w := range v {
		for _, e := range (fewTopics{}).AppendRow(nil, w) {
			totals[e.Topic] = 0
		}
	}
	for w := range v {
		for _, e := range (fewTopics{}).AppendRow(nil, w) {
			totals[e.Topic] += uint64(e.Count)
		}
	}
	totals[999_999] = 1e8 // hardly ever drawn
	docs := samplertest.ProblemOf(v, k)
	for d := range 100 {
		theme := uint32(d % 10 * 4)
		doc := []uint32{theme, theme, theme + 1, theme + 2, theme + 3, theme + 3}
		docs.Words = append(docs.Words, doc[:d%7]...)
		docs.Offsets = append(docs.Offsets, uint64(len(docs.Words)))
	}
	run := func(threads int, offsets []uint64, words []uint32) (all []string) {
		f := &Fold{
			Rows: fewTopics{}, Totals: totals, V: v, Threads: threads, Sweeps: 10, Skip: 2,
			Priors: sampler.Priors{Alpha: slices.Repeat([]float64{5.0 / k}, k), Beta: 0.01},
		}
		err := f.of(offsets, words).Run(t.Context(), func(doc int, sums []counts.Entry) error {
			if doc != len(all) {
				return fmt.Errorf("document %d came as number %d", doc, len(all))
			}
			all = append(all, fmt.Sprint(sums))
			n, theme := uint32(0), uint32(doc%10*1000)
			for _, e := range sums {
				n += e.Count
			}
			if want := uint32(8 * (offsets[doc+1] - offsets[doc])); n != want {
				return fmt.Errorf("document %d: %d tokens over all sweeps, want %d", doc, n, want)
			}
			if len(sums) > 0 && len(offsets) > 2 && !slices.ContainsFunc(sums, func(e counts.Entry) bool { return e.Topic == theme && e.Count >= n/2 }) {
				return fmt.Errorf("document %d: %v lacks topic %d", doc, sums, theme)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	one := run(1, docs.Offsets, docs.Words)
	if !slices.Equal(one, run(3, docs.Offsets, docs.Words)) {
		t.Error("threads change the result")
	}
	last := docs.Words[docs.Offsets[97]:docs.Offsets[98]]
	if alone := run(1, []uint64{0, uint64(len(last))}, last); alone[0] != one[97] {
		t.Errorf("alone the document gets %s, in company %s", alone[0], one[97])
	}
}
