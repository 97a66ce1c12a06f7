package mallet

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

// Every token gets the topic that the definition says, computed anew from all other tokens; sweeps end when
// nothing changes.
func TestMaximizer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words, texts := []string{"a", "b", "c", "d", "e"}, make([][]uint32, 8)
	for d := range texts {
		for range 6 {
			texts[d] = append(texts[d], uint32(min(4, r.IntN(3)+d%3)))
		}
		slices.Sort(texts[d])
	}
	docs := corpus.FromIDs(words, texts)
	start := &topoi.Start{Alpha: []float64{0.3, 0.5, 0.2}, Beta: 0.1}
	for range docs.NumTokens() {
		start.Topics = append(start.Topics, r.Uint32N(3))
	}
	want := slices.Clone(start.Topics)
	m := newMaximizer(start, docs)
	for sweep := 1; ; sweep++ {
		expected := 0
		for i := range want {
			best := bestTopic(docs, want, i, start.Alpha, start.Beta)
			if best != want[i] {
				expected++
			}
			want[i] = best
		}
		if changed := m.sweep(); changed != expected || !slices.Equal(start.Topics, want) {
			t.Fatalf("sweep %d: %d changed, want %d: %v, want %v", sweep, changed, expected, start.Topics, want)
		}
		if expected == 0 {
			return
		}
	}
}

// bestTopic is the definition.
func bestTopic(docs *corpus.Corpus, z []uint32, i int, alpha []float64, beta float64) (best uint32) {
	tokens, offsets := docs.Tokens(), docs.Offsets()
	inDoc, ofWord, all := make([]float64, len(alpha)), make([]float64, len(alpha)), make([]float64, len(alpha))
	d := 0
	for uint64(i) >= offsets[d+1] {
		d++
	}
	for j, k := range z {
		if j == i {
			continue
		}
		all[k]++
		if tokens[j] == tokens[i] {
			ofWord[k]++
		}
		if uint64(j) >= offsets[d] && uint64(j) < offsets[d+1] {
			inDoc[k]++
		}
	}
	score := func(k int) float64 {
		return (beta + ofWord[k]) * ((alpha[k] + inDoc[k]) / (float64(docs.NumWords())*beta + all[k]))
	}
	for k := range alpha {
		if score(k) > score(int(best)) {
			best = uint32(k)
		}
	}
	return best
}
