//go:build amd64 && !noasm

package fold

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/simd"
)

// randomShares has words with rows in any order, and slots without weight at the end.
func randomShares(r *rand.Rand) *shares {
	words, topics := 1+r.IntN(9), 1+r.IntN(100)
	s := &shares{width: (topics + lanes - 1) / lanes * lanes}
	s.alpha, s.n, s.x = make([]float32, s.width), make([]float32, s.width), make([]float32, s.width)
	s.rows, s.gamma = make([]float32, (words+2)*s.width), make([]float32, words*s.width)
	for i := range topics {
		s.alpha[i] = r.Float32()
	}
	for i := range s.rows {
		if i%s.width < topics {
			s.rows[i] = r.Float32() * r.Float32()
		}
	}
	for range words {
		s.counts = append(s.counts, float32(1+r.IntN(4)))
		s.rowAt = append(s.rowAt, r.IntN(words+2)*s.width)
	}
	return s
}

// Assembly must give the bytes of Go.
func TestRoundsAgree(t *testing.T) {
	kinds := map[string]func(*shares){}
	if simd.AVX2 {
		kinds["AVX2"] = roundAVX2
	}
	if simd.AVX512 {
		kinds["AVX-512"] = roundAVX512
	}
	for name, round := range kinds {
		r := rand.New(rand.NewPCG(1, 1))
		for range 300 {
			want := randomShares(r)
			got := *want
			got.gamma, got.n, got.x = slices.Clone(want.gamma), slices.Clone(want.n), slices.Clone(want.x)
			for range 3 {
				roundGo(want)
				round(&got)
			}
			if !reflect.DeepEqual(&got, want) {
				t.Fatalf("%s: got\n%v\nwant\n%v", name, got, *want)
			}
		}
	}
}
