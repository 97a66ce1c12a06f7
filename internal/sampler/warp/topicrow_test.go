package warp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
)

// A row is the same whether its counts come as a list or by topic.
func TestTopicRowDense(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, k := range []int{1, 15, 16, 17, 32, 100, 1000} {
		a, b := newTopicRow(k), newTopicRow(k)
		for _, every := range []int{1, 2, 30} {
			dense := make([]int32, k)
			var list []counts.Entry
			for topic := range dense {
				if r.IntN(every) == 0 {
					dense[topic] = 1 + int32(r.Uint32()>>2)
					list = append(list, counts.Entry{Topic: uint32(topic), Count: uint32(dense[topic])})
				}
			}
			if got, want := a.setDense(dense), b.Set(list); got != want {
				t.Errorf("K = %d: sum %d, want %d", k, got, want)
			}
			if !slices.Equal(a.Topics(), b.Topics()) || !slices.Equal(a.cells, b.cells) {
				t.Errorf("K = %d, one topic in %d: rows differ", k, every)
			}
			a.Reset()
			b.Reset()
		}
	}
}
