package fold

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// randomListed has words in some of the topics, one of them perhaps in none.
func randomListed(r *rand.Rand) *listed {
	topics, l := 1+r.IntN(100), &listed{}
	slots := (topics + lanes - 1) / lanes * lanes
	l.alpha, l.b = make([]float32, slots), make([]float32, slots)
	for k := range topics {
		l.alpha[k], l.b[k] = r.Float32(), r.Float32()/100
	}
	tokens := 0
	for range 1 + r.IntN(9) {
		begin, often := len(l.s), r.IntN(5)
		for k := range topics {
			if r.IntN(4) < often {
				l.topics, l.s = append(l.topics, uint32(k)), append(l.s, r.Float32()*r.Float32())
			}
		}
		for len(l.s)%lanes > 0 {
			l.topics, l.s = append(l.topics, uint32(slots)), append(l.s, 0)
		}
		l.sizes, l.counts = append(l.sizes, len(l.s)-begin), append(l.counts, float32(1+r.IntN(4)))
		tokens += int(l.counts[len(l.counts)-1])
	}
	l.start(tokens)
	spreadGo(l)
	return l
}

// listedPath is a pair of kernels.
type listedPath struct{ words, spread func(*listed) }

// Kernels must give the bytes of Go.
func TestRoundsAgree(t *testing.T) {
	for name, kind := range listedPaths() {
		for i := range uint64(300) {
			want, got := randomListed(rand.New(rand.NewPCG(1, i))), randomListed(rand.New(rand.NewPCG(1, i)))
			for range 3 {
				wordsGo(want)
				spreadGo(want)
				kind.words(got)
				kind.spread(got)
			}
			got.x, got.was = want.x, want.was
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, case %d: got\n%v\nwant\n%v", name, i, got, want)
			}
		}
	}
}
