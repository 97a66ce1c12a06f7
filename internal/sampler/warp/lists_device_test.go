package warp

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// wantLists are the lists of warpOn as plain Go makes them.
type wantLists struct {
	byDoc, byWord      []uint32
	docs               []uint32 // by group, increasing place: place, number in the document, document in the group
	words, wordsSpots  []uint32 // by group, increasing position
	wordsMember        []uint8
	positionOf, spotOf []uint32 // in corpus order
}

func listsOf(s *warpOn[uint16]) (w wantLists) {
	ofWord := make([][]int, s.p.V)
	for b, block := range s.blocks {
		for i := range block.Tokens() {
			place := s.Place(b, i)
			w.positionOf = append(w.positionOf, uint32(block.Begin+place))
			w.spotOf = append(w.spotOf, uint32(b<<16|place))
			word := s.p.Words[block.Begin+i]
			ofWord[word] = append(ofWord[word], block.Begin+i)
		}
	}
	w.byDoc = w.positionOf
	byPosition := func(a, b int) int { return int(w.positionOf[a]) - int(w.positionOf[b]) }
	for _, tokens := range ofWord {
		slices.SortFunc(tokens, byPosition)
		for _, i := range tokens {
			w.byWord = append(w.byWord, w.positionOf[i])
		}
	}
	groups, firsts := s.groupDocs(s.mostShort())
	for _, g := range groups.Groups {
		var list []uint32
		for member := range g.Members {
			first := firsts[g.First+member]
			for i := range groups.Shares[g.First+member] >> 16 {
				list = append(list, w.positionOf[first+i]-g.Begin|i<<16|member<<27)
			}
		}
		slices.SortFunc(list, func(a, b uint32) int { return int(a&0xffff) - int(b&0xffff) })
		w.docs = append(w.docs, list...)
	}
	_, _, words := s.dealWords(s.firstToken)
	for _, g := range s.groupWords(words).Groups {
		var tokens []int
		for _, word := range words[g.First : g.First+g.Members] {
			tokens = append(tokens, ofWord[word]...)
		}
		slices.SortFunc(tokens, byPosition)
		for _, i := range tokens {
			w.words, w.wordsSpots = append(w.words, w.positionOf[i]), append(w.wordsSpots, w.spotOf[i])
			w.wordsMember = append(w.wordsMember, uint8(slices.Index(words[g.First:g.First+g.Members], s.p.Words[i])))
		}
	}
	return w
}

// same compares a buffer with a list.
func same[T cuda.Number](t *testing.T, what string, b *device.Buffer[T], want []T) {
	t.Helper()
	got := make([]T, b.Len())
	samplertest.MustDo(t, b.Download(got))
	if !slices.Equal(got, want) {
		t.Errorf("%s: the device has another list of %d numbers than plain Go of %d", what, len(got), len(want))
	}
}

// The lists that the device makes, and those that pass to it in pieces, are what plain Go says: of
// several blocks, of words that several segments of a block have, and with a hot word.
func listsAreRight(t *testing.T, d *device.Device) {
	for seed, p := range []*sampler.Problem{
		samplertest.RandomProblem(1, 700, 3000, 20, 500),
		samplertest.RandomProblem(2, 200, 60, 20, 900),
		samplertest.RandomProblem(3, 30, 10, 20, 10),
	} {
		p.Threads = 1 + seed
		limits := defaultWarpLimits(p.K, d)
		limits.docRows = 5
		s, err := newWarpWithin(p, d, limits)
		samplertest.MustDo(t, err)
		on := s.(*warpOn[uint16])
		want := listsOf(on)
		same(t, "byDoc", on.byDoc, want.byDoc)
		same(t, "byWord", on.byWord, want.byWord)
		same(t, "documents of groups", on.docGroups.list, want.docs)
		same(t, "words of groups", on.wordGroups.list, want.words)
		same(t, "their spots", on.wordGroups.spots, want.wordsSpots)
		same(t, "their members", on.wordGroups.memberOf, want.wordsMember)
		if seed < 2 && len(on.blocks) < 2 {
			t.Error("there is one block: this shows little")
		}
		samplertest.MustDo(t, s.Close())
	}
}

func TestEmulatedLists(t *testing.T) { listsAreRight(t, samplertest.Emulation(t)) }

func TestListsOfWarpOnGPU(t *testing.T) { listsAreRight(t, samplertest.Gpu(t)) }
