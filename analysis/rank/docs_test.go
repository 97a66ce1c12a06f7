package rank

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
)

// heard is documents given by the topics of their tokens.
type heard struct {
	alpha []float64
	docs  [][]uint32
	all   []uint32
}

func (h *heard) NumTopics() int   { return len(h.alpha) }
func (h *heard) Alpha() []float64 { return h.alpha }

func (h *heard) Docs() (*corpus.Corpus, error) {
	words := make([][]uint32, len(h.docs))
	for d := range words {
		words[d] = make([]uint32, len(h.docs[d]))
	}
	return corpus.FromIDs([]string{"word"}, words), nil
}

func (h *heard) AppendTopics(dst []uint32, lo, hi int) []uint32 { return append(dst, h.all[lo:hi]...) }

func TestTopDocsAreSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	h := &heard{alpha: []float64{0.5, 0.1, 0.2}}
	for range 200 {
		var z []uint32
		for range r.IntN(9) {
			z = append(z, uint32(r.IntN(3)))
		}
		h.docs, h.all = append(h.docs, z), append(h.all, z...)
	}
	got, err := TopDocs(t.Context(), h, []int{2, 0}, 7)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range []uint32{2, 0} {
		var want []Doc
		for d, z := range h.docs {
			n := uint32(0)
			for _, x := range z {
				if x == k {
					n++
				}
			}
			if n > 0 {
				want = append(want, Doc{d, (float64(n) + h.alpha[k]) / (float64(len(z)) + (0.5 + 0.1 + 0.2)), n, 0})
			}
		}
		slices.SortStableFunc(want, func(a, b Doc) int {
			switch {
			case a.Theta > b.Theta || a.Theta == b.Theta && a.Tokens > b.Tokens:
				return -1
			case a.Theta == b.Theta && a.Tokens == b.Tokens:
				return 0
			}
			return 1
		})
		if !slices.Equal(got[i], want[:7]) {
			t.Errorf("topic %d: %v, want %v", k, got[i], want[:7])
		}
	}
	if none, err := TopDocs(t.Context(), h, nil, 0); err != nil || len(none) != 3 || len(none[0]) != 0 {
		t.Errorf("%v, %v", none, err)
	}
}

// imported is a model with the given documents, whose tokens all have topic 0.
type imported struct {
	heard
	docs *corpus.Corpus
}

func (m *imported) Docs() (*corpus.Corpus, error) { return m.docs, nil }

// Of a group of copies the first document is listed, with the number of the others.
func TestTopDocsCountCopies(t *testing.T) {
	const soil, train = "soil stands beside a garden in heavy rain", "the train leaves the station before noon today"
	c, err := corpus.FromTexts([]string{soil, train, soil, "a ball rolls", soil, train}, corpus.ImportOptions{MinDF: 1, MaxDF: 1})
	if err != nil {
		t.Fatal(err)
	}
	m := &imported{heard{alpha: []float64{0.5}, all: make([]uint32, c.NumTokens())}, c}
	got, err := TopDocs(t.Context(), m, nil, 9)
	if err != nil {
		t.Fatal(err)
	}
	copies := map[int]int{}
	for _, d := range got[0] {
		copies[d.Doc] = d.Copies
	}
	if want := map[int]int{0: 2, 1: 1, 3: 0}; !maps.Equal(copies, want) {
		t.Errorf("documents with copies %v, want %v", copies, want)
	}
}
