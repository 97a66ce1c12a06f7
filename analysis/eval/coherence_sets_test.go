package eval

import (
	"math/rand/v2"
	"testing"
)

// Sets of all sizes, dense and sparse, must meet as the documents say.
func TestDocSets(t *testing.T) {
	docs := randomDocs(rand.New(rand.NewPCG(3, 3)), 500, 60, 25)
	words := make([]int, 60)
	for w := range words {
		words[w] = w
	}
	s, err := newDocSets(t.Context(), docs, [][]int{words[:30], words[20:59]})
	if err != nil {
		t.Fatal(err)
	}
	var lists, fields int
	for i := range s.sets {
		if s.sets[i].bits != nil {
			fields++
		} else {
			lists++
		}
	}
	if lists < 5 || fields < 5 {
		t.Fatalf("%d lists and %d fields of bits: one form is not tested", lists, fields)
	}
	for u := range 59 {
		for v := range 59 {
			want := 0
			for d := range docs.NumDocs() {
				var hasU, hasV bool
				for _, w := range docs.Doc(d) {
					hasU, hasV = hasU || int(w) == u, hasV || int(w) == v
				}
				if hasU && hasV {
					want++
				}
			}
			if got := s.both(u, v); got != want {
				t.Fatalf("words %d and %d: %d documents, want %d", u, v, got, want)
			}
		}
	}
}
